// isomorphism - which node of one network is which node of another.
//
// Nodes of both networks are sorted into cells. Nodes of a cell have as many links to every other cell as
// each other (colour refinement); a node of one network can only be a node of the same cell of the other.
// Where cells have several nodes of a network left, one is taken and each of the other network is tried for
// it. Boost.Graph's isomorphism() and VF2 search in a similar way, but cannot be told to stop, and on
// networks that look alike from every node a single wrong guess may keep them for ever.
#pragma once

#include <optional>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/work_budget.hpp"

namespace safnet {

/// For every node of `a` the node of `b` that it is, with as many links from it to any other; nothing if
/// there is no isomorphism or the budget does not suffice to find one. `images_of_0`: nodes of `b` of which
/// one is node 0 of `a`, if there is an isomorphism at all; empty: all.
std::optional<std::vector<NodeId>> isomorphism(const Graph& a, const Graph& b,
                                               const std::vector<NodeId>& images_of_0, WorkBudget& budget);

}  // namespace safnet
