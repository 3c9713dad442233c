// timed_packets - total exchange on fat trees as lists of packets that start in given steps.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// leaf + delta, digit by digit modulo k_1 ... k_h: leaves are numbers whose lowest digit is k_1's.
NodeId sum_of_digits(const FatTree& tree, NodeId leaf, NodeId delta);

/// All leaves but one, ascending.
std::vector<NodeId> other_leaves(const FatTree& tree, NodeId leaf);
/// The same furthest first: sum_of_digits(leaf, delta), the largest delta first.
std::vector<NodeId> leaves_in_digit_order(const FatTree& tree, NodeId leaf);

/// A packet that never waits but at the node where it turns: it leaves its origin in step `start`, and goes
/// on as soon as it has come up to its turning node, at level j, or `waits` steps later.
struct TimedPacket {
  NodeId origin = 0, destination = 0;
  std::uint32_t start = 0, waits = 0;
};

/// Adds the packets' sends to an empty schedule of a total exchange. Each send takes a link of its branch
/// that is free in that step. Throws std::logic_error if a branch would carry more packets in a step than it
/// has links.
void add_timed_packets(Schedule& schedule, const FatTree& tree, const std::vector<TimedPacket>& packets);

/// The step in which the last of them arrives.
std::uint32_t last_arrival(const FatTree& tree, const std::vector<TimedPacket>& packets);

}  // namespace safnet
