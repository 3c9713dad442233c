// branches - a tree network seen from each of its branches: who is on this side and who on the other, how far
// away, and what the links can carry.
//
// Neighbours may be joined by several links; together they are a branch. Sides are looked at from both ends.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// at_least[d]: how many nodes of some set are d hops away or more; 0 beyond the end.
struct Distances {
  std::vector<std::uint64_t> at_least;

  std::uint64_t beyond(std::size_t hops) const { return hops < at_least.size() ? at_least[hops] : 0; }
  std::uint64_t all() const { return beyond(0); }
  /// Hops to the furthest; there must be one.
  std::uint32_t furthest() const { return static_cast<std::uint32_t>(at_least.size() - 1); }
  std::uint32_t nearest() const;
};

/// One direction of a branch.
struct Branch {
  NodeId from = kNoNode, to = kNoNode;
  std::uint32_t back = 0;  ///< number of the other direction
  std::uint64_t links = 0;
  /// Packets per step that can cross for long: no more than the links into `from` bring, if `from` only
  /// routes, and no more than the links out of `to` take away, if `to` only routes. To send S times this
  /// number of packets across, from `a` hops behind to `b` hops ahead, takes a + S + b steps.
  std::uint64_t usable = 0;
  /// Steps to inform all processors on the side of `to`, once `to` has the packet, each node sending one by
  /// one.
  std::uint64_t informing_steps = 0;
  Distances processors;  ///< of the side of `to`, by their distance from it
};

/// All branches of a network without cycles of three nodes or more.
class Branches {
 public:
  /// Nothing if the network is no tree of two-way branches, or too large and deep for its tables of
  /// distances.
  static std::optional<Branches> of(const Graph& graph);

  const std::vector<Branch>& all() const { return branches_; }
  /// Numbers of those that leave a node.
  const std::vector<std::uint32_t>& leaving(NodeId node) const { return leaving_[node]; }
  /// By branch, the marked nodes on the side of `to`, by their distance from it. `marks`: 0 or 1 per node.
  std::vector<Distances> sides(const std::vector<std::uint8_t>& marks) const;
  /// Steps to inform all processors from a node, one send after the other.
  std::uint64_t informing_steps(NodeId node) const;

 private:
  std::vector<Branch> branches_;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<std::uint32_t> order_;  // branches by the height of the subtree at `to`, the lowest first
};

}  // namespace safnet
