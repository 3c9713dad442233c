#include "sim/pifo/pifo_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/wave_view.hpp"

namespace safnet {

void show_queues(WaveView& view, const Hardware& hardware, NodeId v, const std::string& scope) {
  const Graph& graph = view.graph();
  const bool all_port = hardware.value("PortModel", rtl::safnet_pkg::kAllPort) == rtl::safnet_pkg::kAllPort;
  const auto radix = static_cast<PortId>(hardware.value("Radix"));
  const int depth = std::max(hardware.value("QueueDepth"), hardware.value("HostDepth"));
  const int occupancy_top = std::bit_width(static_cast<unsigned>(depth) * (radix + 1U)) - 1;
  for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p)
    view.show_port_counters(scope, v, p);
  const PortId queues = all_port ? std::min(radix, graph.degree(v)) : PortId{1};
  for (PortId q = 0; q < queues; ++q) {
    view.show(all_port ? "queued to " + view.neighbour_to(v, q) : "queued",
              fmt::format("{}.u_frame.g_queue[{}].occupancy_q[{}:0]", scope, q, occupancy_top));
  }
}

std::shared_ptr<const NodeKind> router_node_kind(NodeKind kind) {
  kind.host_header = "sim/pifo/pifo_host.hpp";
  kind.host = "PifoHost";
  return std::make_shared<const NodeKind>(std::move(kind));
}

std::vector<std::pair<std::string, int>> plain_router_parameters(const PifoParameters& p) {
  return {{"Radix", p.radix},
          {"FlitWidth", p.flit_width},
          {"Flits", p.flits},
          {"LinkLatency", p.link_latency},
          {"SlotCycles", p.slot_cycles},
          {"QueueDepth", p.queue_depth},
          {"HostDepth", p.host_depth},
          {"LabelDepth", p.label_depth},
          {"PortModel", p.port_model},
          {"GrantCycles", p.grant_cycles},
          {"NodeIdWidth", p.node_id_width},
          {"TagWidth", p.tag_width}};
}

Hardware router_hardware(std::shared_ptr<const NodeKind> kind, const PifoParameters& p) {
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  return {.kind = std::move(kind),
          .parameters = plain_router_parameters(p),
          .quick_build = all_port && p.radix > 16,  // the code grows with the square of the radix
          .scope_bytes = 1024.0 + 128.0 * (all_port ? p.radix : 1)};
}

Hardware pifo_hardware(const PifoParameters& p) {
  static const auto kind = router_node_kind({.name = "pifo",
                                             .top = "pifo_node",
                                             .folders = {"common", "pifo"},
                                             .network = "pifo_network",
                                             .show_node = show_queues});
  Hardware hardware = router_hardware(kind, p);
  hardware.parameters.emplace_back("InjectPorts", p.inject_ports);
  hardware.parameters.emplace_back("RankLevels", p.rank_levels);
  hardware.parameters.emplace_back("DealsLinks", p.deals_links);
  hardware.parameters.emplace_back("RestRanks", p.rest_ranks);
  return hardware;
}

Hardware exchange_hardware(const PifoParameters& p) {
  static const auto kind = router_node_kind({.name = "exchange",
                                             .top = "pifo_node",
                                             .timer = "exchange_timer",
                                             .folders = {"common", "pifo", "exchange"},
                                             .show_node = show_queues});
  Hardware hardware = pifo_hardware(p);
  hardware.kind = kind;
  hardware.parameters.emplace_back("ScansFirst", 1);
  return hardware;
}

}  // namespace safnet
