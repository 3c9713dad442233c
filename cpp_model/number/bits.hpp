// bits - how many bits numbers need, and numbers with their bits mixed.
#pragma once

#include <bit>
#include <cstdint>

namespace safnet {

/// Bits of an index into `count` things, at least 1: index_width() of rtl/common/safnet_pkg.sv.
constexpr int index_width(int count) {
  return count <= 2 ? 1 : static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1)));
}

/// The output function of the splitmix64 generator: each bit of `x` changes about half of the result's bits.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace safnet
