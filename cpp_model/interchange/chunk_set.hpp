// chunk_set - sets of the chunks that share an address, and what a packet is to SCCL's format.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <compare>
#include <cstdint>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Which chunks of an address are in a packet.
using Bits = boost::dynamic_bitset<std::uint64_t>;
/// 64-bit words that all sets of a file may have together.
inline constexpr std::uint64_t kMaxSetWords = std::uint64_t{1} << 26;

/// What a packet is to the format: where it came to be, its address and which of that address's chunks.
struct Identity {
  std::uint32_t address = 0;
  NodeId origin = 0;
  Bits chunks;
  friend std::strong_ordering operator<=>(const Identity&, const Identity&) = default;
};

}  // namespace safnet
