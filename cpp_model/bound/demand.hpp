// demand - which nodes have a packet for which, and the network in the form that the bounds search it in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// A collective of personal packets: every origin has one packet for every destination but itself, or
/// several.
struct Demand {
  std::vector<std::uint8_t> is_origin, is_destination;  ///< by node, 0 or 1
  std::uint64_t origins = 0, destinations = 0;
  std::uint64_t both = 0;      ///< nodes that are origin and destination
  std::uint64_t messages = 1;  ///< packets from each origin to each destination

  Demand(NodeId nodes, const std::vector<NodeId>& from, const std::vector<NodeId>& to);
  std::uint64_t packets() const { return (origins * destinations - both) * messages; }
  /// As many packets from any node to any other as back.
  bool symmetric() const { return is_origin == is_destination; }
};

/// Scatter, gather, total and partial exchange, partial gather. Nothing for the others. Throws
/// std::invalid_argument for active nodes that do not exist.
std::optional<Demand> demand_of(const Problem& problem);

/// Whether a node sends, or receives, at most one packet per step. All-port nodes: neither.
struct PacketsAtOnce {
  bool sends_one = false, receives_one = false;
};
/// The limits of a port model; `backwards` in time sending and receiving change places.
PacketsAtOnce packets_at_once(PortModel ports, bool backwards = false);

/// A graph's links as plain arrays; links are numbered as in the graph.
struct Wiring {
  std::vector<LinkId> first;   ///< links first[v] ... first[v + 1] - 1 leave node v
  std::vector<NodeId> target;  ///< by link

  explicit Wiring(const Graph& graph);
  explicit Wiring(Groups targets) : first(std::move(targets.first)), target(std::move(targets.numbers)) {}
  NodeId nodes() const { return static_cast<NodeId>(first.size() - 1); }
  std::uint64_t links() const { return target.size(); }
  /// All links turned round, numbered anew.
  Wiring reversed() const;
  /// With every link also its opposite: what a search then reaches is a connected part. Where links belong to
  /// edges this only adds parallel links.
  Wiring both_ways() const;
  LinkId degree(NodeId v) const { return first[v + 1] - first[v]; }
  /// Where the links that leave v lead, in their order.
  std::span<const NodeId> targets_of(NodeId v) const { return {target.data() + first[v], degree(v)}; }
  /// A breadth-first search: nodes in the order in which they are reached, and their distances.
  void search(NodeId source, std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const;
  std::vector<std::uint32_t> distances_from(NodeId source) const;
  /// For every node, hops from the nearest marked node; kUnreachable if none leads to it. For hops to the
  /// nearest marked node call reversed() first.
  std::vector<std::uint32_t> distance_from_nearest(const std::vector<std::uint8_t>& marked) const;
  /// Different neighbours; parallel links count once.
  LinkId neighbours(NodeId v) const;
  /// What a network falls into without a node: how many connected parts, and by node the number of its part.
  struct Parts {
    NodeId count = 0;
    std::vector<NodeId> part_of;  ///< 0 ... count - 1, and `count` for the node that is left out
  };
  /// With one-way links call it on both_ways().
  Parts parts_without(NodeId v) const;

 private:
  /// Continues a breadth-first search from the nodes in `order`, whose distances are known.
  void spread(std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const;
};

/// A depth-first search from node 0: every link that is not in the tree joins a node with one of its
/// ancestors. With one-way links search both_ways().
struct DepthFirstTree {
  std::vector<NodeId> order;  ///< nodes as they are reached; the subtree of order[i] is i ... end[i] - 1
  std::vector<std::uint32_t> position;  ///< by node: its place in `order`
  std::vector<std::uint32_t> end;       ///< by position
  std::vector<std::uint32_t> parent;    ///< by position: position of the parent; 0 for the root
  std::vector<std::uint32_t> low;  ///< by position: the first position that a link from the subtree leads to

  explicit DepthFirstTree(const Wiring& wiring);
  /// Is the subtree at position i cut off from the rest if its parent is taken away?
  bool hangs(std::uint32_t i) const { return low[i] >= parent[i]; }
};

}  // namespace safnet
