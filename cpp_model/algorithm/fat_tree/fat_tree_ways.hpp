// fat_tree_ways - the ways of packets on fat trees as hops for list_scheduling.
#pragma once

#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/packet_ways.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// The nodes that a packet comes to on its way from leaf to leaf, up and then down; the last is `to`.
std::vector<NodeId> nodes_between(const FatTree& tree, NodeId from, NodeId to);
/// The first link of the branch from a node to its parent or a child.
LinkId first_link(const Graph& graph, const FatTree& tree, NodeId from, NodeId to);

/// The ways of packets on a fat tree; parallel links get them in turn. Holds the graph.
class FatTreeWays : public PacketWays {
 public:
  FatTreeWays(const Graph& graph, const FatTree& tree)
      : graph_(graph), tree_(tree), dealt_(graph.link_count()) {}

  /// Up from `from`, a leaf, and down to `to`; the links in their order.
  std::vector<LinkId> path(NodeId from, NodeId to) override;
  void add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                 std::span<const NodeId> destinations) override;
  void add_multicast(Hops& hops, PacketIndex packet, NodeId origin) override;

 private:
  LinkId next_link(NodeId from, NodeId to);

  const Graph& graph_;
  const FatTree& tree_;
  std::vector<PortId> dealt_;  // by first link of a branch
};

}  // namespace safnet
