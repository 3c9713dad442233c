// distance_bounds - thesis 3.2: what the numbers of nodes at each distance say of one-port broadcast, written
// down for the ledger alone.
//
// Bounds that runs report are in cpp_model/bound/broadcast_bound. Nothing here uses a function of that file,
// so that a claim notices if one of them is wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// (3.2): nodes that are d or more hops from the source and that t steps inform at most, C(t, d) + ... +
/// C(t, t).
std::uint64_t informed_by(std::uint64_t t, std::uint64_t d);

/// Nodes at distance 0, 1, ... from the root.
std::vector<std::uint64_t> nodes_at(const Graph& graph, NodeId root);

/// Theorem 3.3: steps that no broadcast from the root can beat, since in fewer too few nodes at distance d or
/// more are informed; the largest over all d.
std::uint64_t theorem_3_3(const Graph& graph, NodeId root);

/// Corollary 3.5: the same in a tree, where t steps inform C(t, d) nodes at distance d at most.
std::uint64_t corollary_3_5(const Graph& tree, NodeId root);

}  // namespace safnet
