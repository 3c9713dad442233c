#include "sim/scan/scan_parameters.hpp"

#include <fmt/format.h>

#include "sim/machine/wave_view.hpp"

namespace safnet {
namespace {

// Shows whether the node is active, its phase, where its timetable stands, and its ranks.
void show_node(WaveView& view, const Hardware& hardware, NodeId, const std::string& scope) {
  const int digits = hardware.value("Digits"), digit_width = hardware.value("DigitWidth");
  const auto bits = [](int width) { return fmt::format("[{}:0]", width - 1); };
  view.base(WaveView::Base::kBinary);
  view.show("active", scope + ".active_o");
  view.base(WaveView::Base::kDecimal);
  view.show("phase", scope + ".phase_o[2:0]");
  view.show("digit", scope + ".u_timetable.digit_q" + bits(index_width(digits)));
  view.show("slot", scope + ".u_timetable.hop_o" + bits(digit_width));
  view.base(WaveView::Base::kHexadecimal);  // ranks are stored digit by digit
  for (int c = 0; c < hardware.value("Classes"); ++c) {
    view.show(fmt::format("rank in class {}", c),
              fmt::format("{}.g_class[{}].u_engine.rank_q{}", scope, c, bits(digits * digit_width)));
  }
}

}  // namespace

Hardware scan_hardware(const ScanParameters& p) {
  static const auto kind = std::make_shared<const NodeKind>(NodeKind{.name = "scan",
                                                                     .top = "scan_node",
                                                                     .folders = {"common", "scan"},
                                                                     .host_header = "sim/scan/scan_host.hpp",
                                                                     .host = "ScanHost",
                                                                     .show_node = show_node});
  return {.kind = kind,
          .parameters = {{"Radix", p.radix},
                         {"FlitWidth", ScanParameters::kFlitWidth},
                         {"Digits", p.digits},
                         {"DigitWidth", p.digit_width},
                         {"Classes", p.classes},
                         {"LengthWidth", p.length_width},
                         {"LinkLatency", p.link_latency},
                         {"Pieces", p.pieces}},
          .scope_bytes = 4096};
}

}  // namespace safnet
