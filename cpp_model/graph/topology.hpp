// topology - from the spelling of a topology on the command line to a Graph, for every family there is.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/family/family.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// All families, in the order in which they are shown.
const std::vector<TopologyFamily>& topology_families();

/// The family that a graph's spelling names; nullptr if there is none of that name.
const TopologyFamily* family_of(const Graph& graph);
/// Whether the numbers of a graph's nodes are places in a row or on a circle.
TopologyFamily::Order order_of_nodes(const Graph& graph);

/// Builds the graph that `spelling` names, such as linear:8, torus:4x4 or product(ring:4,linear:3).
/// Throws std::invalid_argument with one line that names the offending word and what was expected.
Graph make_topology(const std::string& spelling);

}  // namespace safnet
