#include "sim/tdm/tdm_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// Shows what the node's ports sent and received, the slot of each output's next send, and what it waits for.
void show_node(WaveView& view, const Hardware&, NodeId v, const std::string& scope) {
  const Graph& graph = view.graph();
  for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p) {
    const bool sends = p < graph.degree(v);
    view.show_port_counters(scope, v, p, sends ? "next slot to " + view.neighbour_to(v, p) : "",
                            fmt::format("{}.g_output[{}].slot[31:0]", scope, p));
  }
  view.base(WaveView::Base::kBinary);
  for (const char* signal : {"late_o", "wait_packet_o", "wait_credit_o"}) view.show(scope + "." + signal);
  view.base(WaveView::Base::kDecimal);
  view.show(scope + ".occupancy_o");
}

}  // namespace

Hardware tdm_hardware(const TdmParameters& p) {
  static const auto kind = std::make_shared<const NodeKind>(NodeKind{.name = "tdm",
                                                                     .top = "tdm_node",
                                                                     .folders = {"common", "tdm"},
                                                                     .host_header = "sim/tdm/tdm_host.hpp",
                                                                     .host = "TdmHost",
                                                                     .network = "tdm_network",
                                                                     .show_node = show_node});
  return {.kind = kind,
          .parameters = {{"Radix", p.radix},
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
                         {"Combining", p.combining}},
          .quick_build = p.radix > 16,
          .scope_bytes = 4096};
}

}  // namespace safnet
