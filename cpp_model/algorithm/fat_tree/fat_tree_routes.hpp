// fat_tree_routes - what the routers of a fat tree do with a packet: the one way there is, up and then down.
//
// Masks name the first link of each branch: for policies that deal links (Policy::deals_links).
#pragma once

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// A packet for `leaf`, at `node`. Rank 0.
TableEntry entry_towards_leaf(const FatTree& tree, NodeId node, NodeId leaf);

/// A packet of `origin`, a leaf, for all others, at `node`: a router sends it on to all but where it came
/// from, the parent first, then the children from the left. Rank 0.
TableEntry entry_away_from_leaf(const FatTree& tree, NodeId node, NodeId origin);

/// All ports to children from the left, or all to the parent, of a router: to build orders of service from.
std::vector<PortId> ports_to_children(const FatTree& tree, NodeId router);
std::vector<PortId> ports_to_parent(const FatTree& tree, NodeId node);

/// Empty if the problem is all-port on a fat tree; otherwise what it needs, in one line.
std::string why_not_all_port_fat_tree(const Problem& problem);

}  // namespace safnet
