// draw - `safnet draw`: a network as a picture, by Graphviz.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/page/graphviz.hpp"

namespace safnet {
namespace {

int draw(const std::string& topology, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool dot_wanted = path.empty() || extension == ".dot" || extension == ".gv";
  if (!dot_wanted && extension != ".svg" && extension != ".png")
    throw bad_input("-o {}: expected a file that ends in .dot, .gv, .svg or .png", in_quotes(path));
  require_writable_folder("-o", path);
  const Graph graph = make_topology(topology);
  const std::string dot = to_dot(graph, DrawingStyle::kNamed);
  if (path.empty()) {
    fmt::print("{}", dot);
  } else if (dot_wanted) {
    write_whole_file(path, dot);
  } else {
    const std::string picture = run_graphviz(dot, extension.substr(1), has_layout(graph));
    write_whole_file(path, extension == ".svg" ? without_comments(picture) : picture);
  }
  return 0;
}

}  // namespace

Action declare_draw(CLI::App& command) {
  command.description("a network as a picture, by Graphviz");
  auto topology = std::make_shared<std::string>(), path = std::make_shared<std::string>();
  declare_topology(command, *topology);
  command.add_option("-o", *path, "FILE.svg, .png or .dot; default: DOT is printed");
  return [topology, path] { return draw(*topology, *path); };
}

}  // namespace safnet
