// fat_tree_routes - what the routers of a fat tree do with a packet: the one way there is, up and then down.
//
// Masks name the first link of each branch: for policies that deal links (Policy::deals_links).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// A packet for `leaf`, at `node`. Rank 0.
TableEntry entry_towards_leaf(const FatTree& tree, NodeId node, NodeId leaf);

/// A packet of `origin`, a leaf, for all others, at `node`: a router sends it on to all but where it came
/// from, the parent first, then the children from the left. Rank 0.
TableEntry entry_away_from_leaf(const FatTree& tree, NodeId node, NodeId origin);

/// All ports of a router to children from the left: to build orders of service from.
std::vector<PortId> ports_to_children(const FatTree& tree, NodeId router);

/// A policy under which every leaf has one packet, whose label is the leaf, and nothing is routed yet.
Policy one_packet_each(const FatTree& tree);
/// The destinations of a leaf, in the order in which its packets are injected.
using LeafOrder = std::function<std::vector<NodeId>(const FatTree&, NodeId)>;
/// A policy of personal packets, whose label is the destination. First in, first out; queues are not sized.
Policy personal_policy(const FatTree& tree, const LeafOrder& destinations);

/// The shape of the problem's network, which must be a fat tree.
FatTree shape_of(const Problem& problem);
/// Empty if the problem is all-port on a fat tree; otherwise what it needs, in one line.
std::string why_not_all_port_fat_tree(const Problem& problem);
/// The same for other port models: whether the problem's is fit, and which are, as options.
std::string why_not_fat_tree(const Problem& problem, bool ports_fit, const std::string& ports);

}  // namespace safnet
