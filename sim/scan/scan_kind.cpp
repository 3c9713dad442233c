#include "sim/scan/scan_kind.hpp"

#include <fmt/format.h>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// Per node the phase, where its timetable stands, its ranks, and by which ports it sends and receives.
void write_wave_view(const std::string& wave_path, const Graph& graph, const Hardware& hardware,
                     const std::vector<NodeId>& nodes) {
  WaveView view(wave_path, graph, hardware.kind->timer);
  const int digits = hardware.value("Digits"), digit_width = hardware.value("DigitWidth");
  const auto bits = [](int width) { return fmt::format("[{}:0]", width - 1); };
  for (const NodeId v : view.shown(nodes)) {
    const std::string node = fmt::format("node_{}.{}", graph.node_name(v), hardware.kind->top);
    view.begin_node(v);
    view.base(WaveView::Base::kBinary);
    view.show("active", node + ".active_o");
    view.base(WaveView::Base::kDecimal);
    view.show("phase", node + ".phase_o[2:0]");
    view.show("digit", node + ".u_timetable.digit_q" + bits(index_width(digits)));
    view.show("slot", node + ".u_timetable.hop_o" + bits(digit_width));
    view.base(WaveView::Base::kHexadecimal);  // ranks are stored digit by digit
    for (int c = 0; c < hardware.value("Classes"); ++c) {
      view.show(fmt::format("rank in class {}", c),
                fmt::format("{}.g_class[{}].u_engine.rank_q{}", node, c, bits(digits * digit_width)));
    }
    view.base(WaveView::Base::kBinary);
    view.show("sends, by port", node + ".tx_valid_o" + bits(hardware.value("Radix")));
    view.show("receives, by port", node + ".rx_valid_i" + bits(hardware.value("Radix")));
    view.end_node(v);
  }
  view.write();
}

}  // namespace

Hardware scan_hardware(const ScanParameters& p) {
  static const auto kind = [] {
    NodeKind made;
    made.name = "scan";
    made.top = "scan_node";
    made.folders = {"common", "scan"};
    made.host_header = "sim/scan/scan_host.hpp";
    made.host = "ScanHost";
    made.write_wave_view = write_wave_view;
    return std::make_shared<const NodeKind>(std::move(made));
  }();
  Hardware hardware;
  hardware.kind = kind;
  hardware.parameters = {{"Radix", p.radix},
                         {"FlitWidth", ScanParameters::kFlitWidth},
                         {"Digits", p.digits},
                         {"DigitWidth", p.digit_width},
                         {"Classes", p.classes},
                         {"LengthWidth", p.length_width},
                         {"LinkLatency", p.link_latency},
                         {"Pieces", p.pieces}};
  hardware.scope_bytes = 1024.0 * 8 * p.classes + 16384;
  return hardware;
}

}  // namespace safnet
