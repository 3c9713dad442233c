// torus_definitions - what Fragopoulou and Akl, TR 94-363, sections 2 to 4, define, written down a second
// time from the digits of nodes alone: claims hold the planners, and what the hardware did, against this.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/torus/torus_subtrees.hpp"

namespace safnet {

struct RunOutcome;

/// MT_{n,k}; node v is the number with digits v_{n-1} ... v_0 in radix k.
struct TorusDefinitions {
  std::uint32_t n, k;
  NodeId nodes = 1;
  std::vector<std::uint32_t> distance, period, displacement;  ///< by node
  std::vector<NodeId> generator;                              ///< by node
  std::vector<NodeId> generators;                             ///< of all necklaces but that of node 0

  TorusDefinitions(std::uint32_t dimensions, std::uint32_t side);
  std::uint32_t digit(NodeId v, std::uint32_t i) const;
  /// Definition 2: the digits move right, the last one becomes the first, negated.
  NodeId rotate(NodeId v) const;
  bool is_full(NodeId v) const { return period[v] == 2 * n; }
  /// Definitions 8 and 9, by a rule for the digit that is lowered.
  NodeId parent_of_generator(NodeId v, ParentRule rule) const;

 private:
  NodeId lowered(NodeId v, std::uint32_t i, ParentRule rule) const;
};

/// A tree below node 0: every node's parent, and the neighbour of node 0 behind which it is. Those of node 0
/// are 0.
struct TorusTree {
  std::vector<NodeId> parent, behind;
  friend bool operator==(const TorusTree&, const TorusTree&) = default;
};
/// The BST of Definition 8.
TorusTree tree_of(const TorusDefinitions& torus, ParentRule rule);
/// The tree down which the packets of a scatter of one message from node 0 went.
TorusTree seen_tree(const RunOutcome& outcome);
/// Nodes behind the neighbour of node 0 behind which there are most.
std::uint64_t largest_subtree(const TorusTree& tree);

}  // namespace safnet
