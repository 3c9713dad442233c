// rarest_first - packets that every node must get, on any network: who sends which over which link when.
//
// Multinode broadcast (every node's packets) and broadcast of several messages (one node's) are the same
// problem with different origins; backwards, over links that lead the other way, they are multinode
// accumulation and reduction. Here it is solved step by step: in every step links carry packets that their
// targets lack, those first that few nodes have or that still have far to go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What a node may do in a step besides using each link once.
struct PortLimits {
  bool one_send = false;     ///< send one packet at most
  bool one_receive = false;  ///< receive one at most
};
PortLimits port_limits(PortModel ports);

/// The same network with every link leading the other way, under the same number.
FlatGraph turned_round(FlatGraph graph);
/// The same of the limits.
inline PortLimits turned_round(PortLimits limits) { return {limits.one_receive, limits.one_send}; }

/// Every node must get every packet.
struct GossipTask {
  const FlatGraph& graph;
  PortLimits limits;
  std::span<const NodeId> origins;  ///< by packet: the node that has it from the start
};

struct GossipEffort {
  std::uint64_t goal = 0;  ///< aim at so many steps and stop there: a lower bound, if one is known
  std::uint64_t packets_looked_at = 10'000'000;  ///< by all attempts but the first, which is always finished
};

/// The sends, starts from 1, in order of time; the best of several attempts. Each takes time in proportion
/// to the sends times the links of a node. Throws std::invalid_argument if a node cannot be reached.
std::vector<Send> rarest_first(const GossipTask& problem, const GossipEffort& effort);

}  // namespace safnet
