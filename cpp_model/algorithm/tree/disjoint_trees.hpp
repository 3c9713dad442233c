// disjoint_trees - broadcast of many messages over spanning trees that share no link, all-port.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A spanning tree whose links lead away from the root.
struct OutTree {
  std::vector<LinkId> by;            ///< by node: the link that leads to it; unused at the root
  std::vector<std::uint32_t> depth;  ///< by node: links from the root
  std::uint32_t height = 0;
};

/// Links that must be cut to part some node from the root: as many trees there are that share no link
/// (Edmonds 1973). 0 if a node cannot be reached.
std::uint32_t fewest_links_cut(const FlatGraph& graph, NodeId root);

/// `count` spanning trees from the root without a common link, at most fewest_links_cut(). They grow
/// together, always the lowest node that may be added: a link goes to a tree if what is left still lets every
/// tree reach every node, which is seen at the link's end alone by maximum flow (Edmonds; Lovasz 1976). Takes
/// count times links times nodes steps and more where many links are refused. Throws std::invalid_argument
/// for more.
std::vector<OutTree> disjoint_trees(const FlatGraph& graph, NodeId root, std::uint32_t count);

/// Steps of a broadcast of so many messages over the trees, each dealt to the one where it arrives first.
std::uint64_t steps_over_trees(const std::vector<OutTree>& trees, std::uint64_t messages);

/// That broadcast's sends: message after message through every tree, nothing waits.
std::vector<Send> broadcast_over_trees(const FlatGraph& graph, NodeId root, const std::vector<OutTree>& trees,
                                       std::uint32_t messages);

}  // namespace safnet
