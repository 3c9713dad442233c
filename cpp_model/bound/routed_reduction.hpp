// routed_reduction - how soon processors alone can combine packets, where other nodes only route.
#pragma once

#include <cstdint>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// What a processor can receive in a step, where nodes that only route are its neighbours.
std::uint64_t intake(const Graph& graph, NodeId v, PortModel ports);

/// One result at a processor, of packets that processors alone combine. Backwards in time the result informs:
/// every packet that a processor has received informs the one where it was made, and what it was made of was
/// received there before. So processors inform each other, as many at once as they can receive; between two
/// of them it takes as many steps as they have hops between them. In a fat tree the subtrees of one level do
/// the same, over the branches above them, and further apart; with one port at the node above a subtree that
/// sends one packet into it per step.
LowerBound routed_reduction_bound(const Problem& problem, NodeId root);

}  // namespace safnet
