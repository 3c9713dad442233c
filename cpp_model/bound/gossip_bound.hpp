// gossip_bound - lower bounds on collectives whose packets are copied or combined on the way: by what must
// enter a set of nodes, and by what a cut node must send into the parts of the network that it joins.
//
// Since copies multiply on the way, only a packet's first entry into a set is counted. Each packet must enter
// every set of nodes without its origin over one of the links that lead into the set: not before it can have
// reached such a link, and early enough to go on to the node that is furthest from all these links.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// Up to this many nodes all sets are tried; beyond it balls, their complements, and what hangs on a cut
/// node.
inline constexpr NodeId kMaxNodesForAllSets = 14;

/// Every node v has `packets[v]` packets that must reach all other nodes. Steps that no schedule can beat. Of
/// networks of more than some thousand nodes only some sets are tried.
LowerBound dissemination_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets,
                               PacketsAtOnce at_once);

/// All nodes get the same `messages` packets, each combined from one packet of every node. For each message 2
/// n - 2 packets cross links: n - 1 until some node has the result, and n - 1 more until all have. A packet
/// that holds the contribution of the node furthest from a set must enter that set. A cut node that joins k
/// parts sends, one by one, a last packet of every message into each part, the first of them after it has
/// received from the k - 1 others (one-port; otherwise after one step).
LowerBound allreduce_bound(const Wiring& wiring, std::uint64_t messages, PortModel ports);

}  // namespace safnet
