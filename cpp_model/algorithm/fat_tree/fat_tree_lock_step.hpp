// fat_tree_lock_step - total exchange in lock-step on fat trees of capacities 1.
#pragma once

#include <vector>

#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {

/// For capacities 1: the packets that turn at the root in steps 1, 2, ..., and in each of these steps packets
/// that turn below take, within every subtree, the ways up and down that the one for the root leaves free.
/// Those of level j wait 2(h - j) steps where they turn, so that a step's packets come down together.
std::vector<TimedPacket> exchange_in_lock_step(const FatTree& tree);

}  // namespace safnet
