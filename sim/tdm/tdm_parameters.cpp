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
  const auto value = [](int number) { return static_cast<std::uint32_t>(number); };
  return {.kind = kind,
          .parameters = {{"Radix", p.radix},
                         {"FlitWidth", p.flit_width},
                         {"Flits", std::max(p.flits, p.reserve.flits)},
                         {"LinkLatency", std::max(p.link_latency, p.reserve.link_latency)},
                         {"Buffers", p.buffers},
                         {"ProgramDepth", p.program_depth},
                         {"Window", std::max(p.window, p.reserve.window)},
                         {"NameWidth", p.name_width},
                         {"GenerationWidth", p.generation_width},
                         {"CountWidth", p.count_width},
                         {"Combining", p.combining != 0 || p.reserve.combining ? 1 : 0}},
          .settings = {.slot_cycles = value(p.slot_cycles),
                       .link_latency = value(p.link_latency),
                       .port_model = value(p.port_model),
                       .window = value(p.window)},
          .quick_build = p.radix > 16,
          .scope_bytes = 4096};
}

}  // namespace safnet
