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

/// The fewest links whose removal parts some node from the root. As many spanning trees from the root share
/// no link (Edmonds 1973). 0 if a node cannot be reached.
std::uint32_t fewest_links_cut(const FlatGraph& graph, NodeId root);

/// `count` spanning trees from the root without a common link, at most fewest_links_cut(). They grow
/// together, the node nearest the root first. A tree may take a link if the links that no tree has still let
/// every tree reach every node; it suffices to check that for the link's end, by maximum flow (Edmonds;
/// Lovasz 1976). Takes time in proportion to count times links times nodes, more where many links are
/// refused. Throws std::invalid_argument if there are not so many trees.
std::vector<OutTree> disjoint_trees(const FlatGraph& graph, NodeId root, std::uint32_t count);

/// Steps of a broadcast of so many messages, each over the tree that brings it to all nodes first.
std::uint64_t steps_over_trees(const std::vector<OutTree>& trees, std::uint64_t messages);

/// That broadcast's sends: a tree's messages leave the root one per step, and none waits on the way.
std::vector<Send> broadcast_over_trees(const FlatGraph& graph, NodeId root, const std::vector<OutTree>& trees,
                                       std::uint32_t messages);

}  // namespace safnet
