// gossip_bound - lower bounds on collectives whose packets are copied or combined on the way: what must enter
// a set of nodes, and what a node that joins parts must send.
//
// Packets multiply, so only first entries can be counted. A packet must enter every set of nodes that its
// origin is not in, over one of the links that lead into it; not before it can be there, and early enough to
// reach the node of the set that is furthest from all entries.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// Up to this many nodes all sets are tried; beyond it balls, what is outside of them, and what hangs on one
/// node.
inline constexpr NodeId kMaxNodesForAllSets = 14;

/// Every node v has `packets[v]` packets that must reach all other nodes. Steps that no schedule can beat.
/// Beyond some thousands of nodes only some sets are looked at.
LowerBound dissemination_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets,
                               PacketsAtOnce at_once);

/// All nodes get the same `messages` packets, each combined from one packet of every node. For each message
/// n - 1 packets cross links until some node has the result, and all others get theirs after that: 2 n - 2
/// in all. Something that holds the contribution of the furthest node must enter every set. A node that joins
/// k parts sends, one by one, a last packet of every message into each, and the first of these when it has
/// received from the k - 1 others.
LowerBound allreduce_bound(const Wiring& wiring, std::uint64_t messages, PortModel ports);

}  // namespace safnet
