// schedule_limits - what a schedule file may ask for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace safnet {

/// Limits of the format: they bound the memory that a file can ask for.
inline constexpr std::size_t kMaxFileSends = std::size_t{1} << 27;
inline constexpr std::size_t kMaxFileDestinations = std::size_t{1} << 27;  ///< of all packets; also of parts
inline constexpr std::size_t kMaxFileText = 4096;                          ///< bytes of one text
/// Cycles of a slot, of a link's latency, flits of a packet: cycle numbers then fit 63 bits.
inline constexpr std::uint32_t kMaxFileCycles = 0x7fff'ffff;

}  // namespace safnet
