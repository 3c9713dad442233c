#include "sim/fifo/fifo_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// Per node what its ports sent and received, and the packets in its queues.
void write_wave_view(const std::string& wave_path, const Graph& graph, const Hardware& hardware,
                     const std::vector<NodeId>& nodes) {
  WaveView view(wave_path, graph, hardware.kind->timer);
  const bool all_port = hardware.value("PortModel", 0) == 0;
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

}  // namespace

Hardware fifo_hardware(const PifoParameters& p) {
  static const auto kind = [] {
    NodeKind made;
    made.name = "fifo";
    made.top = "fifo_node";
    made.folders = {"common", "fifo"};
    made.host_header = "sim/pifo/pifo_host.hpp";
    made.host = "PifoHost";
    made.write_wave_view = write_wave_view;
    return std::make_shared<const NodeKind>(std::move(made));
  }();
  Hardware hardware;
  hardware.kind = kind;
  hardware.parameters = {{"Radix", p.radix},
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
  const bool all_port = p.port_model == 0;
  hardware.quick_build = all_port && p.radix > 16;  // the code grows with the square of the radix
  hardware.scope_bytes = 1024.0 * (all_port ? p.radix : 1) * (p.radix + 1) + 16384;
  return hardware;
}

}  // namespace safnet
