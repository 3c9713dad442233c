#include "sim/pifo/pifo_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/wave_view.hpp"

namespace safnet {

void write_queue_wave_view(const std::string& wave_path, const Graph& graph, const Hardware& hardware,
                           const std::vector<NodeId>& nodes) {
  WaveView view(wave_path, graph, hardware.kind->timer);
  const bool all_port = hardware.value("PortModel", rtl::safnet_pkg::kAllPort) == rtl::safnet_pkg::kAllPort;
  const auto radix = static_cast<PortId>(hardware.value("Radix"));
  const int depth = std::max(hardware.value("QueueDepth"), hardware.value("HostDepth"));
  const int occupancy_top = std::bit_width(static_cast<unsigned>(depth) * (radix + 1U)) - 1;
  for (const NodeId v : view.shown(nodes)) {
    const std::string node = fmt::format("node_{}.{}", graph.node_name(v), hardware.kind->top);
    view.begin_node(v);
    for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p)
      view.show_port_counters(node, v, p);
    const PortId queues = all_port ? std::min(radix, graph.degree(v)) : PortId{1};
    for (PortId q = 0; q < queues; ++q) {
      view.show(all_port ? "queued to " + view.neighbour_to(v, q) : "queued",
                fmt::format("{}.g_queue[{}].u_queue.occupancy_q[{}:0]", node, q, occupancy_top));
    }
    view.end_node(v);
  }
  view.write();
}

namespace {

std::shared_ptr<const NodeKind> kind_of(bool scans_first) {
  static const auto make = [](bool scans) {
    NodeKind kind;
    kind.name = scans ? "exchange" : "pifo";
    kind.top = "pifo_node";
    kind.folders = {"common", "pifo"};
    if (scans) {
      kind.timer = "exchange_timer";
      kind.folders.emplace_back("exchange");
    } else {
      kind.network = "pifo_network";
    }
    kind.host_header = "sim/pifo/pifo_host.hpp";
    kind.host = "PifoHost";
    kind.write_wave_view = write_queue_wave_view;
    return std::make_shared<const NodeKind>(std::move(kind));
  };
  static const auto router = make(false), scanner = make(true);
  return scans_first ? scanner : router;
}

Hardware hardware_of(const PifoParameters& p, bool scans_first) {
  Hardware hardware;
  hardware.kind = kind_of(scans_first);
  hardware.parameters = {{"Radix", p.radix},
                         {"FlitWidth", p.flit_width},
                         {"Flits", p.flits},
                         {"LinkLatency", p.link_latency},
                         {"SlotCycles", p.slot_cycles},
                         {"QueueDepth", p.queue_depth},
                         {"HostDepth", p.host_depth},
                         {"LabelDepth", p.label_depth},
                         {"RankLevels", p.rank_levels},
                         {"PortModel", p.port_model},
                         {"GrantCycles", p.grant_cycles},
                         {"NodeIdWidth", p.node_id_width},
                         {"TagWidth", p.tag_width},
                         {"DealsLinks", p.deals_links},
                         {"RestRanks", p.rest_ranks}};
  if (scans_first) hardware.parameters.emplace_back("ScansFirst", 1);
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  hardware.quick_build = all_port && p.radix > 16;  // the code grows with the square of the radix
  hardware.scope_bytes = 1024.0 * (all_port ? p.radix : 1) * (p.radix + 1) + 16384;
  return hardware;
}

}  // namespace

Hardware pifo_hardware(const PifoParameters& parameters) { return hardware_of(parameters, false); }
Hardware exchange_hardware(const PifoParameters& parameters) { return hardware_of(parameters, true); }

}  // namespace safnet
