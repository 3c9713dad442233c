// broadcast_bound - lower bounds on one-port broadcast from the numbers of nodes at each distance, thesis
// 3.2. All exact: no logarithm or root is rounded.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Nodes at distance 0, 1, ..., e(root) from the root (the first is 1).
std::vector<std::uint64_t> distance_degree_sequence(const Graph& graph, NodeId root);
/// R_d: nodes at distance d or more, for d = 0 ... e.
std::vector<std::uint64_t> nodes_at_least(const std::vector<std::uint64_t>& sequence);

/// Theorem 3.3: steps needed if `nodes` nodes are `distance` or more hops away: the smallest t for which
/// C(t, distance) + ... + C(t, t) >= nodes.
std::uint64_t steps_to_inform(std::uint64_t distance, std::uint64_t nodes);

/// Corollary 3.4, the closed form in three branches that stands for Theorem 3.3: the smallest integer that is
/// not below it. Published for any d; it is a bound for distance >= 1 only.
std::uint64_t corollary_3_4(std::uint64_t distance, std::uint64_t nodes);

/// Corollary 3.5, trees: steps needed if `nodes` nodes are exactly `distance` hops away: the smallest t for
/// which C(t, distance) >= nodes.
std::uint64_t steps_to_inform_in_tree(std::uint64_t distance, std::uint64_t nodes);

/// Theorem 3.3 where nodes have few neighbours: an informed node informs, one per step, each neighbour but
/// the one that it has the packet from. The fewest steps, not below `at_least`, in which for every d
/// `nodes_at_least[d]` nodes can be informed over paths of d hops or more, if the root has `root_neighbours`
/// neighbours and every other node at most `other_neighbours`, including the one that informed it.
std::uint64_t steps_to_inform_by_degree(const std::vector<std::uint64_t>& nodes_at_least,
                                        std::uint64_t root_neighbours, std::uint64_t other_neighbours,
                                        std::uint64_t at_least);

/// Steps of one-port broadcast in a tree, exact: each node informs its subtrees one by one, the slowest
/// first.
std::uint64_t tree_broadcast_steps(const Wiring& tree, NodeId root);

/// Steps that no one-port broadcast can beat, by its root's first call: e + 2 or e, e being the eccentricity.
///
/// In e + 1 steps a node at distance e is informed either over e hops with at most one step of waiting, or
/// over e + 1 hops without waiting. Calls without waiting form one path, v_0 v_1 v_2 ..., and only one path
/// leaves each of its nodes a step later. So of the nodes at distance e that no shortest path through v_1
/// leads to only two can be informed: one over the root's second call, and v_(e+1) if it is at distance e. If
/// every choice of v_1 leaves more, e + 2 steps are needed; on tori of three odd sides four are left.
std::uint64_t first_call_bound(const Graph& graph, NodeId root);

/// The largest bound on one-port broadcast (reduction: on the transpose): eccentricity, the first call,
/// Theorem 3.3 for every distance, the same with degrees, Corollary 3.5 and the exact number for trees, and
/// cut nodes: once informed, a node sends one by one into the parts that the network falls into without it,
/// and each part still has its furthest node to reach.
LowerBound one_port_broadcast_bound(const Graph& graph, NodeId root);

}  // namespace safnet
