#include "sim/tdm/tdm_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// Per node what its ports sent and received, the slot of each output's next send, and what is waited for.
void write_wave_view(const std::string& wave_path, const Graph& graph, const Hardware& hardware,
                     const std::vector<NodeId>& nodes) {
  WaveView view(wave_path, graph, hardware.kind->timer);
  for (const NodeId v : view.shown(nodes)) {
    const std::string node = fmt::format("node_{}.{}", graph.node_name(v), hardware.kind->top);
    view.begin_node(v);
    for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p) {
      const bool sends = p < graph.degree(v);
      view.show_port_counters(node, v, p, sends ? "next slot to " + view.neighbour_to(v, p) : "",
                              fmt::format("{}.g_output[{}].slot[31:0]", node, p));
    }
    view.base(WaveView::Base::kBinary);
    for (const char* signal : {"late_o", "wait_packet_o", "wait_credit_o"}) view.show(node + "." + signal);
    view.base(WaveView::Base::kDecimal);
    view.show(node + ".occupancy_o");
    view.end_node(v);
  }
  view.write();
}

}  // namespace

Hardware tdm_hardware(const TdmParameters& p) {
  static const auto kind = [] {
    NodeKind made;
    made.name = "tdm";
    made.top = "tdm_node";
    made.folders = {"common", "tdm"};
    made.network = "tdm_network";
    made.host_header = "sim/tdm/tdm_host.hpp";
    made.host = "TdmHost";
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
                         {"Buffers", p.buffers},
                         {"ProgramDepth", p.program_depth},
                         {"Window", p.window},
                         {"PortModel", p.port_model},
                         {"NameWidth", p.name_width},
                         {"GenerationWidth", p.generation_width},
                         {"CountWidth", p.count_width},
                         {"Combining", p.combining}};
  hardware.quick_build = p.radix > 16;
  hardware.scope_bytes = 1024.0 * 6 * (2 * p.radix + 1) + 16384;
  return hardware;
}

}  // namespace safnet
