// priority_rules - total exchange by priority rules over shortest paths (thesis chapter 4), by parity on even
// rings (4.3.2, Theorem 4.6), and by rotation.
//
// The label is the destination. A rule is a rank function: the table ranks packets in transit, the injection
// ranks the node's own. At equal rank packets in transit leave first, which is the thesis' tie rule for
// linear arrays (in favour of the source that is further away).
//
// On an even ring only the packets for the opposite node have a choice of direction. Even nodes send theirs
// clockwise, odd nodes counterclockwise; that balances the directions, which no rule that treats all nodes
// alike can do.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Which of the packets that wait leaves first.
enum class PriorityRule : std::uint8_t {
  kFurthestFirst,  ///< the one with the most hops to go
  kClosestFirst,   ///< the one with the fewest
  kMessageShift,   ///< first in, first out; a node's own packets, furthest first, are there from the start
  kTransitFirst,   ///< packets in transit before the node's own: a queue of one packet per input
                   ///< suffices
};

/// Rank of a packet with `hops` hops to go, at most `longest`; `local`: it is the node's own. Ranks are below
/// max(2, longest).
std::uint32_t priority_rank(PriorityRule rule, std::uint32_t hops, std::uint32_t longest, bool local);

/// The rules over shortest paths, on any network. Node-invariant where there are translations: optimal
/// one-port on Cayley graphs (Theorem 4.11), all-port on odd rings (Theorem 4.5) and, furthest-first, on
/// linear arrays (4.3). The same by parity on even rings. And "one-way-rotation" on rings, not optimal, since
/// no packet takes the shorter way if that is counterclockwise.
std::vector<Algorithm> priority_rule_algorithms();

/// Partial exchange on any network, on-line: the routers of a total exchange (thesis 4.2), whose tables know
/// nothing of who is active; only active nodes have packets.
std::vector<Algorithm> routed_partial_exchange_algorithms();

/// Nodes of the linear array or ring that the graph is, whatever its spelling; 0 if it is none.
NodeId linear_array_length(const Graph& graph);
NodeId ring_length(const Graph& graph);

}  // namespace safnet
