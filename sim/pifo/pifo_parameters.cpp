#include "sim/pifo/pifo_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/wave_view.hpp"

namespace safnet {

std::vector<ShownSignal> router_queues(const WavedNetwork& network, const Hardware& hardware, NodeId v,
                                       const std::string& scope) {
  const bool all_port = hardware.value("PortModel", rtl::safnet_pkg::kAllPort) == rtl::safnet_pkg::kAllPort;
  const auto radix = static_cast<PortId>(hardware.value("Radix"));
  const int depth = std::max(hardware.value("QueueDepth"), hardware.value("HostDepth"));
  const int occupancy_top = std::bit_width(static_cast<unsigned>(depth) * (radix + 1U)) - 1;
  std::vector<ShownSignal> queues;
  for (PortId q = 0; q < (all_port ? std::min(radix, network.graph().degree(v)) : PortId{1}); ++q) {
    queues.push_back({all_port ? "queued to " + network.neighbour_to(v, q) : "queued",
                      fmt::format("{}.u_frame.g_queue[{}].occupancy_q[{}:0]", scope, q, occupancy_top)});
  }
  return queues;
}

void show_counters(WaveView& view, const Hardware&, NodeId v, const std::string& scope) {
  for (PortId p = 0; p < std::max(view.graph().degree(v), view.graph().in_degree(v)); ++p)
    view.show_port_counters(scope, v, p);
}

std::shared_ptr<const NodeKind> router_node_kind(NodeKind kind) {
  kind.host_header = "sim/pifo/pifo_host.hpp";
  kind.host = "PifoHost";
  return std::make_shared<const NodeKind>(std::move(kind));
}

namespace {

NodeSettings settings_of(const PifoParameters& p) {
  const auto value = [](int number) { return static_cast<std::uint32_t>(number); };
  return {.slot_cycles = value(p.slot_cycles),
          .link_latency = value(p.link_latency),
          .port_model = value(p.port_model),
          .grant_cycles = value(p.grant_cycles),
          .queue_depth = value(p.queue_depth)};
}

}  // namespace

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
          .settings = settings_of(p),
          .quick_build = all_port && p.radix > 16,  // the code grows with the square of the radix
          .scope_bytes = 1024.0 + 128.0 * (all_port ? p.radix : 1)};
}

Hardware pifo_hardware(const PifoParameters& p) {
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  const bool grants = p.grant_cycles != 0 || (!all_port && p.reserve.grants);
  static const auto kind = router_node_kind({.name = "pifo",
                                             .top = "pifo_node",
                                             .folders = {"common", "pifo"},
                                             .network = "pifo_network",
                                             .queues = router_queues,
                                             .show_node = show_counters});
  Hardware hardware = router_hardware(kind, p);
  hardware.parameters = {{"Radix", p.radix},
                         {"FlitWidth", p.flit_width},
                         {"Flits", p.built_flits()},
                         {"LinkLatency", p.built_latency()},
                         {"QueueDepth", p.built_depth()},
                         {"HostDepth", p.host_depth},
                         {"InjectPorts", p.inject_ports},
                         {"LabelDepth", p.label_depth},
                         {"PortModel", all_port ? rtl::safnet_pkg::kAllPort : rtl::safnet_pkg::kOnePort},
                         {"GrantCycles", grants ? 2 * p.built_latency() + 2 : 0},
                         {"NodeIdWidth", p.node_id_width},
                         {"TagWidth", p.tag_width},
                         {"RankLevels", p.rank_levels},
                         {"DealsLinks", p.deals_links != 0 || p.reserve.deals_links ? 1 : 0},
                         {"RestRanks", p.rest_ranks}};
  return hardware;
}

Hardware exchange_hardware(const PifoParameters& p) {
  static const auto kind = router_node_kind({.name = "exchange",
                                             .top = "pifo_node",
                                             .timer = "exchange_timer",
                                             .folders = {"common", "pifo", "exchange"},
                                             .queues = router_queues,
                                             .show_node = show_counters});
  Hardware hardware = pifo_hardware(p);
  hardware.kind = kind;
  hardware.parameters.emplace_back("ScansFirst", 1);
  return hardware;
}

}  // namespace safnet
