// scan_parameters - the parameters of scan_nodes, the widths that follow from them, and the kind of node.
#pragma once

#include <compare>

#include "cpp_model/number/bits.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// Parameters of rtl/scan/scan_node.sv (rtl/scan/README.md); each set of values is a build of its own.
struct ScanParameters {
  int radix = 4;
  int digits = 2;       ///< dimensions of the network
  int digit_width = 2;  ///< bits
  int classes = 2;
  int length_width = 5;  ///< packets of fewer than 2^length_width flits
  int link_latency = 0;
  int pieces = 1;  ///< 2: packets may be broadcast in two pieces
  friend auto operator<=>(const ScanParameters&, const ScanParameters&) = default;

  constexpr int remainder_width() const { return index_width(classes); }
  constexpr int address_width() const { return digits * digit_width; }
  static constexpr int kFlitWidth = 64;
};

/// The kind "scan".
Hardware scan_hardware(const ScanParameters& parameters);

}  // namespace safnet
