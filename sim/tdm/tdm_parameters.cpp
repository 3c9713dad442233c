#include "sim/tdm/tdm_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// The buffers of a node are one pool for all that it holds.
std::vector<ShownSignal> buffers(const WavedNetwork&, const Hardware& hardware, NodeId,
                                 const std::string& scope) {
  const int top = std::bit_width(static_cast<unsigned>(hardware.value("Buffers"))) - 1;
  return {{"buffers in use", fmt::format("{}.occupancy_o[{}:0]", scope, top)}};
}

// Shows what the node's ports sent and received, the slot of each output's next send, and what it waits for.
void show_node(WaveView& view, const Hardware& hardware, NodeId v, const std::string& scope) {
  const Graph& graph = view.graph();
  for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p) {
    const bool sends = p < graph.degree(v);
    view.show_port_counters(scope, v, p, sends ? "next slot to " + view.network().neighbour_to(v, p) : "",
                            fmt::format("{}.g_output[{}].slot[31:0]", scope, p));
  }
  view.base(WaveView::Base::kBinary);
  for (const char* signal : {"late_o", "wait_packet_o", "wait_credit_o"})
    view.show(fmt::format("{}.{}[{}:0]", scope, signal, hardware.value("Radix") - 1));
}

}  // namespace

Hardware tdm_hardware(const TdmParameters& p) {
  static const auto kind = std::make_shared<const NodeKind>(NodeKind{.name = "tdm",
                                                                     .top = "tdm_node",
                                                                     .folders = {"common", "tdm"},
                                                                     .host_header = "sim/tdm/tdm_host.hpp",
                                                                     .host = "TdmHost",
                                                                     .network = "tdm_network",
                                                                     .queues = buffers,
                                                                     .show_node = show_node});
  const auto value = [](int number) { return static_cast<std::uint32_t>(number); };
  return {
      .kind = kind,
      .parameters = {{"Radix", p.radix},
                     {"FlitWidth", p.flit_width},
                     {"Flits", std::max(p.flits, p.reserve.flits)},
                     {"LinkLatency", p.longest_delay != 0 ? p.longest_delay
                                                          : std::max(p.link_latency, p.reserve.link_latency)},
                     {"Buffers", p.buffers},
                     {"ProgramDepth", p.program_depth},
                     {"Window", std::max(p.window, p.reserve.window)},
                     {"NameWidth", p.name_width},
                     {"GenerationWidth", p.generation_width},
                     {"CountWidth", p.count_width},
                     {"Combining", p.combining != 0 || p.reserve.combining ? 1 : 0},
                     {"Loopbacks", p.loopbacks},
                     {"UnequalLinks", p.longest_delay != 0 ? 1 : 0}},
      .settings = {.slot_cycles = value(p.slot_cycles),
                   .link_latency = value(p.link_latency),
                   .port_model = value(p.port_model),
                   .window = value(p.window)},
      .quick_build = p.radix > 16,
      .scope_bytes = 4096};
}

}  // namespace safnet
