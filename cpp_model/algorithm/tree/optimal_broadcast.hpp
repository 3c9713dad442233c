// optimal_broadcast - one-port broadcast in few steps on any network: a randomised search, and the proven
// optimum on small ones.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"

namespace safnet {

/// Largest network that is searched for a good broadcast, and for the best one.
inline constexpr NodeId kMaxRandomlySearchedNodes = 4096;
inline constexpr NodeId kMaxBranchedNodes = 64;

/// Steps of the longest informing.
std::uint32_t steps_of(const std::vector<Informing>& informings);

/// A one-port broadcast in as few steps as a randomised search finds; always the same. Step by step, the
/// uninformed nodes are shared out among the informed ones as a forest in which the slowest broadcast, by
/// thesis (6.1), is as short as can be, and a largest matching informs the roots of the slowest parts first.
/// Ends at `enough` steps, or when `work` links have been looked at. Throws std::invalid_argument beyond
/// kMaxRandomlySearchedNodes.
std::vector<Informing> searched_broadcast(const Graph& graph, NodeId root, std::uint64_t enough,
                                          std::uint64_t work = std::uint64_t{1} << 26);

/// A one-port broadcast in as few steps as there can be, from the bounds of thesis 3.2 upwards: sets of
/// informed nodes, depth first, without those that Theorem 3.3 rules out. Throws std::invalid_argument beyond
/// kMaxBranchedNodes, and if `states` sets do not suffice for a proof.
std::vector<Informing> optimal_broadcast(const Graph& graph, NodeId root,
                                         std::uint64_t states = std::uint64_t{1} << 22);

/// "search" and "branch-and-bound", for broadcast and reduction, one-port.
std::vector<Algorithm> optimal_broadcast_algorithms();

}  // namespace safnet
