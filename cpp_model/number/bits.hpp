// bits - how many bits numbers need.
#pragma once

#include <bit>

namespace safnet {

/// Bits of an index into `count` things, at least 1: index_width() of rtl/common/safnet_pkg.sv.
constexpr int index_width(int count) {
  return count <= 2 ? 1 : static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1)));
}

}  // namespace safnet
