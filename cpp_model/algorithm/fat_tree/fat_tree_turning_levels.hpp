// fat_tree_turning_levels - total exchange on fat trees in which all leaves do the same: in which step they
// send packets for which turning level.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {

/// Where every leaf can send in every step (c'_i = N_(i-1)): all leaves send packets for the same turning
/// level in the same steps, nobody waits. [t]: that level in step t + 1, 0: none. No two of the steps in
/// which such packets arrive are the same. In as few steps as a search finds; often those of
/// fat_tree_exchange_mean_bound().
std::vector<std::uint32_t> turning_levels_by_step(const FatTree& tree);
/// The packets of an exchange in which all leaves send for these levels.
std::vector<TimedPacket> exchange_by_turning_levels(const FatTree& tree,
                                                    const std::vector<std::uint32_t>& levels);

}  // namespace safnet
