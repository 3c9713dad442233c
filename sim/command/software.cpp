// software - `safnet software`: a collective done by hosts that pass packets on, on a network that carries
// single packets only.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/run_story.hpp"
#include "sim/report/software_report.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMostHostOverhead = 1'000'000;
constexpr std::uint32_t kMostCombineCycles = 10'000;

struct SoftwareOptions {
  std::string topology, collective, root = "0", host_tree = "halving";
  RouterNetworkOptions network;
  std::uint32_t batch = 0;
  SoftwareRequest request;
  WaveOptions wave;
  ViewOptions view;
  bool json = false;
};

CollectiveKind broadcast_or_reduction(const std::string& word) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduction}) {
    if (word == name_of(kind).name || word == name_of(kind).mpi_name) return kind;
  }
  throw bad_input("{}: expected broadcast or reduction", in_quotes(word));
}

int software(const SoftwareOptions& options) {
  options.view.check();
  const Graph graph = make_topology(options.topology);
  const PacketRoutes routes(graph, parse_port_model(options.network.ports), options.network.algorithm);
  SoftwareRequest request = options.request;
  request.collective = broadcast_or_reduction(options.collective);
  request.tree = make_host_tree(options.host_tree, graph, graph.parse_node(options.root));
  request.batch = options.batch == 0 ? request.messages : options.batch;
  if (request.batch > request.messages)
    throw bad_input("--batch {}: expected at most {}, the --messages", request.batch, request.messages);
  request.router = find_router_kind(options.network.node);
  check_software(request, routes);
  options.wave.apply(request, graph);
  options.view.apply(request);
  ProgressLine line(request);
  const SoftwareResult result = run_software(request, routes, VariantStore::standard());
  line.clear();
  options.wave.write(request, graph, request.router->hardware(result.parameters),
                     {.flits = static_cast<std::uint32_t>(request.flits), .last_delivery = result.cycles});
  if (options.view.any()) options.view.write(*result.recording, story_of(request, routes, result));
  print_report(options.json, request, routes, result);
  return result.exit_code();
}

}  // namespace

Action declare_software(CLI::App& command) {
  command.description("a collective by the hosts' software, on a network that neither copies nor combines");
  auto options = std::make_shared<SoftwareOptions>();
  SoftwareRequest& request = options->request;
  declare_topology(command, options->topology);
  command.add_option("collective", options->collective, "broadcast or reduction")->required();
  command.add_option("--root", options->root, "the node that has, or gets, the packets");
  command.add_option(
      "--host-tree", options->host_tree,
      fmt::format("which host passes packets on to which: {}", fmt::join(host_tree_names(), ", ")));
  add_number(command, "--messages", request.messages, 1, kMaxMessages,
             "packets of the root, or of each host");
  add_number(command, "--batch", options->batch, 0, kMaxMessages,
             "packets that a host gets or sends at once; 0: all");
  add_number(command, "--host-overhead", request.host_overhead, 0, kMostHostOverhead,
             "cycles that a host is busy for each batch that it sends, and for each that it has got");
  add_number(command, "--combine-cycles", request.combine_cycles, 0, kMostCombineCycles,
             "and for each packet of a reduction that it combines");
  declare_router_network(command, options->network, request);
  options->wave.declare(command);
  options->view.declare(command);
  declare_json(command, options->json);
  return [options] { return software(*options); };
}

}  // namespace safnet
