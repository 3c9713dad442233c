// fat_tree_exchange_plans - total exchange on fat trees as lists of packets that start in given steps.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// leaf + delta, digit by digit modulo k_1 ... k_h: leaves are numbers whose lowest digit is k_1's.
NodeId sum_of_digits(const FatTree& tree, NodeId leaf, NodeId delta);

/// A packet that never waits but at the node where it turns: it leaves its origin in step `start`, and goes
/// on as soon as it has come up to its turning node, at level j, or `waits` steps later.
struct TimedPacket {
  NodeId origin = 0, destination = 0;
  std::uint32_t start = 0, waits = 0;
};

/// The timetable that they amount to, on an empty schedule of a total exchange. Each takes a link of the
/// branch that is free in that step. Throws std::logic_error if a branch would carry more packets in a step
/// than it has links.
void add_timed_packets(Schedule& schedule, const FatTree& tree, const std::vector<TimedPacket>& packets);

/// Fig. 6.11 of the thesis, its phases one behind the other as closely as (6.5) has them: first all packets
/// that turn at the root, then those that turn one level below, ... Phase j has ceil((k_j - 1) N_(j-1)^2 /
/// c'_j) steps to send in (c' is the usable capacity), in which every child's leaves send as many packets as
/// go up its branch, two idle ones after it, and no packet waits: the sum over all phases, + 2h - 1 steps. In
/// a step the leaves that send, and those that are sent to, are spread evenly over all subtrees. Ordered by
/// start.
std::vector<TimedPacket> exchange_in_phases(const FatTree& tree);

/// For capacities 1: the packets that turn at the root in steps 1, 2, ..., and in each of these steps packets
/// that turn below take, within every subtree, the ways up and down that the one for the root leaves free.
/// Those of level j wait 2(h - j) steps where they turn, so that a step's packets come down together.
std::vector<TimedPacket> exchange_in_lock_step(const FatTree& tree);

/// Where every leaf can send in every step (c'_i = N_(i-1)): all leaves send packets for the same turning
/// level in the same steps, nobody waits. [t]: that level in step t + 1, 0: none. No two of the steps in
/// which such packets arrive are the same. In as few steps as a search finds; often those of
/// fat_tree_exchange_mean_bound().
std::vector<std::uint32_t> turning_levels_by_step(const FatTree& tree);
/// What they amount to.
std::vector<TimedPacket> exchange_by_turning_levels(const FatTree& tree,
                                                    const std::vector<std::uint32_t>& levels);

/// Step by step, those for the highest turning level first, every packet that finds its whole way free;
/// nobody waits. If that takes more than fat_tree_exchange_mean_bound() and there are few packets, by
/// ejection in as few steps as that finds soon.
std::vector<TimedPacket> exchange_without_waiting(const FatTree& tree);

/// New starts for all packets, so that they arrive in `steps` steps at the latest and nobody waits; empty if
/// none were found in as many trials to place a packet. `steps` is 2h - 1 or more. The same every time.
std::vector<TimedPacket> exchange_by_ejection(const FatTree& tree, std::vector<TimedPacket> packets,
                                              std::uint32_t steps, std::uint64_t trials, std::uint64_t seed);

/// When the last has arrived.
std::uint32_t last_arrival(const FatTree& tree, const std::vector<TimedPacket>& packets);

}  // namespace safnet
