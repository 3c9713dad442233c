// chunk_set - sets of the chunks that share an address, and what a packet is to SCCL's format.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Which chunks of an address are in a packet.
using Bits = std::vector<std::uint64_t>;

inline bool subset(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] & ~b[i]) return false;
  }
  return true;
}
inline bool disjoint(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] & b[i]) return false;
  }
  return true;
}
inline void unite(Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] |= b[i];
}
inline void set_bit(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
inline int count(const Bits& bits) {
  int ones = 0;
  for (const std::uint64_t word : bits) ones += std::popcount(word);
  return ones;
}

/// Words that all sets of a file may have together.
inline constexpr std::uint64_t kMaxSetWords = std::uint64_t{1} << 26;

/// What a packet is to the format: where it came to be, its address and which of that address's chunks.
struct Identity {
  std::uint32_t address = 0;
  NodeId origin = 0;
  Bits chunks;
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

}  // namespace safnet
