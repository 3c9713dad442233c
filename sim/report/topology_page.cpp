#include "sim/report/topology_page.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/machine/limits.hpp"
#include "sim/page/graphviz.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace safnet {
namespace {

// Where the page, cpp_model/graph/family/README.md, finds the pictures.
constexpr const char* kPictureFolder = "pictures";

// The family's example; that of `graph:` is a file below the repository's root, not the working directory.
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

// Makes all pictures before it writes the first, so that an error leaves no picture behind.
void write_pictures(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw bad_input("--pictures {}: expected a folder that exists", in_quotes(folder));
  for (const TopologyFamily& family : topology_families()) {
    if (const std::string why = why_no_output(folder + "/" + picture_name(family)); !why.empty())
      throw bad_input("--pictures {}: {}: {}", in_quotes(folder), picture_name(family), why);
  }
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

void print_markdown() {
  fmt::print("| | family | example | nodes | links | degree | diameter | Cayley | |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const TopologyFamily& family : topology_families()) {
    const Graph example = example_of(family);
    // Whether networks of the family are Cayley graphs: as the family says, else as its example is built.
    const std::string cayley = !family.cayley.empty() ? family.cayley : example.translations() ? "yes" : "no";
    const std::string nodes = example.has_routers()
                                  ? fmt::format("{} and {} routers", example.processor_count(),
                                                example.node_count() - example.processor_count())
                                  : fmt::format("{}", example.node_count());
    fmt::print("| ![{0}]({1}/{2}) | `{3}{4}` | `{0}` | {5} | {6} | {7} | {8} | {9} | {10} |\n",
               family.example, kPictureFolder, picture_name(family), family.name, family.arguments, nodes,
               example.link_count(), degrees_in_words(example), example.diameter(), cayley,
               family.description);
  }
}

void print_text() {
  Table table;
  for (const TopologyFamily& family : topology_families())
    table.add(family.name + family.arguments, family.example, family.description);
  fmt::print("{}", to_text(table));
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
