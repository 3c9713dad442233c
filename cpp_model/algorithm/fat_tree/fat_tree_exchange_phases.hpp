// fat_tree_exchange_phases - total exchange on fat trees phase by phase, one per turning level, or
// level by level in lock-step.
#pragma once

#include <vector>

#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {

/// Fig. 6.11 of the thesis, its phases one behind the other as closely as (6.5) has them: first all packets
/// that turn at the root, then those that turn one level below, ... Phase j has ceil((k_j - 1) N_(j-1)^2 /
/// c'_j) steps (c' is the usable capacity), in each of which the leaves of every child send as many packets
/// as its branch carries; two idle steps follow. No packet waits, so that all takes the sum over the phases +
/// 2h - 1 steps. In a step the leaves that send, and those that are sent to, are spread evenly over all
/// subtrees. Ordered by start.
std::vector<TimedPacket> exchange_in_phases(const FatTree& tree);

/// For capacities 1: the packets that turn at the root in steps 1, 2, ..., and in each of these steps packets
/// that turn below take, within every subtree, the ways up and down that the one for the root leaves free.
/// Those of level j wait 2(h - j) steps where they turn, so that a step's packets come down together.
std::vector<TimedPacket> exchange_in_lock_step(const FatTree& tree);

}  // namespace safnet
