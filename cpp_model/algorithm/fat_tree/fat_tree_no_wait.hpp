// fat_tree_no_wait - total exchange on fat trees in which no packet waits: first fit, and a search by
// ejection.
#pragma once

#include <vector>

#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {

/// Step by step, those for the highest turning level first, every packet that finds its whole way free;
/// nobody waits. If that takes more than fat_tree_exchange_mean_bound() and there are few packets,
/// exchange_by_ejection() is tried with that many steps, then with more.
std::vector<TimedPacket> exchange_without_waiting(const FatTree& tree);

/// New starts for all packets, so that they arrive in `steps` steps at the latest and nobody waits; empty if
/// `trials` placements of a packet do not lead there. `steps` is 2h - 1 or more. The same every time.
std::vector<TimedPacket> exchange_by_ejection(const FatTree& tree, std::vector<TimedPacket> packets,
                                              std::uint32_t steps, std::uint64_t trials, std::uint64_t seed);

}  // namespace safnet
