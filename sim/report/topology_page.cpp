#include "sim/report/topology_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/report/graphviz.hpp"
#include "sim/report/output_file.hpp"

namespace safnet {
namespace {

// Where the page, cpp_model/graph/family/README.md, finds the pictures.
constexpr const char* kPictureFolder = "pictures";

// The example of graph: is a file of the repository, wherever the program is started.
Graph example_of(const TopologyFamily& family) {
  if (family.name != "graph") return make_topology(family.example);
  const char* moved = std::getenv("SAFNET_ROOT");
  const std::string root = moved != nullptr ? moved : SAFNET_ROOT;
  const std::string path = family.example.substr(family.example.find(':') + 1);
  return make_topology(fmt::format("graph:{}/{}", root, path)).with_spelling(family.example);
}

std::string picture_name(const TopologyFamily& family) { return family.name + ".svg"; }

// FNV-1a, 64 bits.
std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// All pictures are made before the first is written.
void write_pictures(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw std::invalid_argument(
        fmt::format("--pictures {}: expected a folder that exists", in_quotes(folder)));
  std::vector<std::pair<std::string, std::string>> pictures;
  for (const TopologyFamily& family : topology_families()) {
    const Graph example = example_of(family);
    const std::string dot = to_dot(example, DrawingStyle::kSmall);
    const std::string description =
        fmt::format("{}; fingerprint of its DOT: {:016x}", family.example, fingerprint(dot));
    pictures.emplace_back(folder + "/" + picture_name(family),
                          small_picture(run_graphviz(dot, "svg", has_layout(example)), description));
  }
  for (const auto& [path, picture] : pictures) write_whole_file(path, picture);
}

// Whether networks of the family are built as Cayley graphs.
std::string cayley(const TopologyFamily& family, const Graph& example) {
  if (!family.cayley.empty()) return family.cayley;
  return example.translations() ? "yes" : "no";
}

void print_markdown() {
  fmt::print("| | family | example | nodes | links | degree | diameter | Cayley | |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const TopologyFamily& family : topology_families()) {
    const Graph example = example_of(family);
    const std::string degree = example.min_degree() == example.max_degree()
                                   ? fmt::format("{}", example.max_degree())
                                   : fmt::format("{} to {}", example.min_degree(), example.max_degree());
    const std::string nodes = example.has_routers()
                                  ? fmt::format("{} and {} routers", example.processor_count(),
                                                example.node_count() - example.processor_count())
                                  : fmt::format("{}", example.node_count());
    fmt::print("| ![{0}]({1}/{2}) | `{3}{4}` | `{0}` | {5} | {6} | {7} | {8} | {9} | {10} |\n",
               family.example, kPictureFolder, picture_name(family), family.name, family.arguments, nodes,
               example.link_count(), degree, example.diameter(), cayley(family, example), family.description);
  }
}

void print_text() {
  std::size_t form = 0, example = 0;
  for (const TopologyFamily& family : topology_families()) {
    form = std::max(form, family.name.size() + family.arguments.size());
    example = std::max(example, family.example.size());
  }
  for (const TopologyFamily& family : topology_families()) {
    fmt::print("{:<{}}  {:<{}}  {}\n", family.name + family.arguments, form, family.example, example,
               family.description);
  }
}

}  // namespace

int topology_page(const TopologyPageOptions& options) {
  if (!options.pictures.empty()) write_pictures(options.pictures);
  if (options.markdown) {
    print_markdown();
  } else if (options.pictures.empty()) {
    print_text();
  }
  return 0;
}

}  // namespace safnet
