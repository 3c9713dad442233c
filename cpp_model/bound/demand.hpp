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
  std::uint64_t messages = 1;  ///< packets where the collective has one

  Demand(NodeId nodes, const std::vector<NodeId>& from, const std::vector<NodeId>& to);
  std::uint64_t packets() const { return (origins * destinations - both) * messages; }
  /// As many packets from any node to any other as back.
  bool symmetric() const { return is_origin == is_destination; }
};

/// Scatter, gather, total and partial exchange, partial gather. Nothing for the others. Throws
/// std::invalid_argument for active nodes that do not exist.
std::optional<Demand> demand_of(const Problem& problem);

/// What a node does at most in a step; all-port nodes neither.
struct PacketsAtOnce {
  bool sends_one = false, receives_one = false;
};
/// Of a port model; `backwards` in time sending and receiving change places.
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
  /// With every link also the one back: what is reached then is what hangs together. If links belong to edges
  /// that changes nothing but their number.
  Wiring both_ways() const;
  LinkId degree(NodeId v) const { return first[v + 1] - first[v]; }
  /// Where the links that leave v lead, in their order.
  std::span<const NodeId> targets_of(NodeId v) const { return {target.data() + first[v], degree(v)}; }
  /// Nodes in the order of a breadth-first search, and their distances.
  void search(NodeId source, std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const;
  std::vector<std::uint32_t> distances_from(NodeId source) const;
  /// Hops from the nearest of the nodes that are marked; kUnreachable if there is none. Hops to it:
  /// reversed() first.
  std::vector<std::uint32_t> distance_from_nearest(const std::vector<std::uint8_t>& marked) const;
  /// Different neighbours; parallel links count once.
  LinkId neighbours(NodeId v) const;
  /// What the network falls into without node v: the part of every node, 0, 1, ...; v itself: `parts`. With
  /// one-way links ask both_ways().
  std::vector<NodeId> parts_without(NodeId v, NodeId& parts) const;

 private:
  /// Goes on with a breadth-first search from the nodes in `order`, whose distances are known.
  void spread(std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const;
};

/// A depth-first search from node 0: a link that is not in the tree joins a node with one above it. With
/// one-way links search both_ways().
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
