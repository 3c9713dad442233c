// broadcast_bound - lower bounds on one-port broadcast from the numbers of nodes at each distance, thesis
// 3.2. All exact: no logarithm or root is rounded.
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace safnet
