// fewest_steps_tree - the exact optimum of one-port broadcast on small graphs.
#pragma once

#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

/// Largest graph that is searched.
inline constexpr NodeId kMaxSearchedForBroadcast = 14;

/// A spanning tree over which one-port broadcast takes as few steps as any schedule can: every schedule
/// informs each node once and so is a tree (thesis 3.2.2). Found by searching the sets of informed nodes.
/// Throws std::invalid_argument if the graph has more than kMaxSearchedForBroadcast nodes.
SpanningTree fewest_steps_tree(const Graph& graph, NodeId root);

}  // namespace safnet
