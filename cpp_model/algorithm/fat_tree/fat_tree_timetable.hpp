// fat_tree_timetable - timetables of every collective on fat trees, in any port model, for any number of
// messages: routers only route, leaves combine.
#pragma once

#include <span>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tools/list_scheduling.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// The ways of packets on a fat tree; parallel links get them in turn. Holds the graph.
class FatTreeWays {
 public:
  FatTreeWays(const Graph& graph, const FatTree& tree)
      : graph_(graph), tree_(tree), dealt_(graph.link_count()) {}

  /// Up from `from`, a leaf, and down to `to`; the links in their order.
  std::vector<LinkId> path(NodeId from, NodeId to);
  /// Adds the hops of a packet of `origin` for another leaf.
  void add_path(Hops& hops, PacketIndex packet, NodeId origin, NodeId destination);
  /// Adds the hops of a packet of `origin` for several leaves, copied where their ways part.
  void add_paths(Hops& hops, PacketIndex packet, NodeId origin, std::span<const NodeId> destinations);
  /// Adds the hops of a packet of `origin` for all other leaves.
  void add_multicast(Hops& hops, PacketIndex packet, NodeId origin);

 private:
  LinkId next_link(NodeId from, PortId first, PortId links);
  LinkId link_up(NodeId from);
  LinkId link_down(NodeId from, std::uint32_t child);

  const Graph& graph_;
  const FatTree& tree_;
  std::vector<PortId> dealt_;  // by first link of a branch
};

/// - "list-schedule" for broadcast, scatter, gather, multinode broadcast, total and partial exchange, partial
///   gather: every packet takes the only way there is, list_scheduling.hpp says when.
/// - "combining-leaves" for reduction and multinode accumulation: trees of leaves, each of which combines
///   what the leaves below it send with its own. Of several trees that with the fewest steps: level by level,
///   one leaf of every subtree for each result; the same in the subtrees of one level, and from these
///   straight to the root (of level 0: all leaves send to the root); a chain of the leaves from left to
///   right; or, for one root, trees grown backwards in time, the root first.
/// - "combining-leaves" for allreduce, the best of: every leaf sends all others its packet, and all combine;
///   a reduction and then a broadcast; level by level, the leaves at the same place in all subtrees of a node
///   send each other what they have combined (recursive doubling, where nodes have two children).
std::vector<Algorithm> fat_tree_timetable_algorithms();

}  // namespace safnet
