// draw - `safnet draw`: a network as a picture, by Graphviz.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/page/graphviz.hpp"
#include "sim/page/load_picture.hpp"
#include "sim/page/network_picture.hpp"

namespace safnet {
namespace {

struct DrawOptions {
  std::string topology, path, load;
};

// The network with its links as wide as what they carried in a schedule.
std::string load_picture(const Graph& graph, const std::string& file, const std::string& topology) {
  require_drawable(graph);
  ScheduleReading reading;
  reading.topology = topology;
  const Schedule schedule = read_any_schedule(file, reading).schedule;
  if (!same_network(schedule.network, graph)) {
    throw bad_input("--load {}: it is on {} ({} nodes, {} links); expected {} ({} nodes, {} links)",
                    in_quotes(file), one_line(schedule.network.spelling()), schedule.network.node_count(),
                    schedule.network.link_count(), one_line(graph.spelling()), graph.node_count(),
                    graph.link_count());
  }
  std::string caption = graph.spelling();
  if (!schedule.collective.empty()) caption = schedule.collective + " on " + caption;
  if (!schedule.algorithm.empty()) caption += ", " + schedule.algorithm;
  return load_to_dot(graph, layout_for_page(graph), flits_by_link(schedule), caption);
}

int draw(const DrawOptions& options) {
  const std::string& path = options.path;
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool dot_wanted = path.empty() || extension == ".dot" || extension == ".gv";
  if (!dot_wanted && extension != ".svg" && extension != ".png")
    throw bad_input("-o {}: expected a file that ends in .dot, .gv, .svg or .png", in_quotes(path));
  require_writable_folder("-o", path);
  const Graph graph = make_topology(options.topology);
  const bool loaded = !options.load.empty();
  const std::string dot =
      loaded ? load_picture(graph, options.load, options.topology) : to_dot(graph, DrawingStyle::kNamed);
  if (path.empty()) {
    fmt::print("{}", dot);
  } else if (dot_wanted) {
    write_whole_file(path, dot);
  } else {
    const std::string picture = run_graphviz(dot, extension.substr(1), loaded || has_layout(graph));
    write_whole_file(path, extension == ".svg" ? without_comments(picture) : picture);
  }
  return 0;
}

}  // namespace

Action declare_draw(CLI::App& command) {
  command.description("a network as a picture, by Graphviz");
  auto options = std::make_shared<DrawOptions>();
  declare_topology(command, options->topology);
  command.add_option("-o", options->path, "FILE.svg, .png or .dot; default: DOT is printed");
  command
      .add_option(
          "--load", options->load,
          "a schedule, or the trace of a run: links are as wide and as dark as what they carried in it")
      ->type_name("FILE");
  return [options] { return draw(*options); };
}

}  // namespace safnet
