// fat_tree - complete trees whose leaves process, whose inner nodes only route, and whose branches are
// several links (thesis 6.1).
//
// Levels are numbered from the leaves, level 0, to the root, level h. A node of level i has arity(i)
// children; the branch from it to each of them is of level i and has capacity(i) parallel links.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// The shape of a fat tree, and its numbering. Nodes: the leaves from left to right (0 ... leaves()-1), then
/// the nodes of level 1, ..., then the root. Ports of an inner node: those to child 0, link by link, to child
/// 1, ..., then those to the parent; of a leaf: those to the parent.
class FatTree {
 public:
  /// `arities`: k_1 ... k_h, at least 2 each; `capacities`: c_1 ... c_h, at least 1 each. Throws
  /// std::invalid_argument if they are not as many, out of range, or make more than kMaxNodes nodes or more
  /// than kMaxDegree ports at a node.
  FatTree(std::vector<std::uint32_t> arities, std::vector<std::uint32_t> capacities);
  /// k_i = arity for all i, c_i = 1.
  static FatTree uniform(std::uint32_t arity, std::uint32_t height);
  /// c_i = k_1 k_2 ... k_(i-1): as many links at every level as there are leaves.
  static std::vector<std::uint32_t> exponential_capacities(const std::vector<std::uint32_t>& arities);

  std::uint32_t height() const { return static_cast<std::uint32_t>(arities_.size()); }
  std::uint32_t arity(std::uint32_t level) const { return arities_.at(level - 1); }  ///< k_level, level >= 1
  std::uint32_t capacity(std::uint32_t level) const { return capacities_.at(level - 1); }  ///< c_level
  const std::vector<std::uint32_t>& arities() const { return arities_; }
  const std::vector<std::uint32_t>& capacities() const { return capacities_; }
  /// c'_i: how much of a branch the links below it can fill; c'_1 = c_1, c'_i = min(c_i, k_(i-1) c'_(i-1)).
  std::uint64_t usable_capacity(std::uint32_t level) const;
  bool has_constant_capacities() const;     ///< c_i = 1
  bool has_exponential_capacities() const;  ///< c_i = k_1 ... k_(i-1)
  bool is_uniform() const;                  ///< all arities are equal

  std::uint32_t leaves() const { return below_.back(); }
  /// N_level: leaves below a node of that level.
  std::uint32_t leaves_below(std::uint32_t level) const { return below_.at(level); }
  std::uint32_t nodes_of(std::uint32_t level) const { return leaves() / leaves_below(level); }
  NodeId node_count() const { return first_.back() + 1; }

  NodeId node(std::uint32_t level, std::uint32_t index) const { return first_.at(level) + index; }
  std::uint32_t level_of(NodeId node) const;
  std::uint32_t index_of(NodeId node) const { return node - first_[level_of(node)]; }
  NodeId root() const { return first_.back(); }
  NodeId parent(NodeId node) const;
  NodeId child(NodeId node, std::uint32_t child) const;
  /// Which child of its parent the node is.
  std::uint32_t child_number(NodeId node) const;
  /// The node of that level above (or at) a leaf.
  NodeId above(NodeId leaf, std::uint32_t level) const { return node(level, leaf / leaves_below(level)); }
  /// The level of the lowest node above both leaves; 0 if they are one.
  std::uint32_t turning_level(NodeId leaf, NodeId other) const;

  /// First port of a node that leads to its parent; there are capacity(level + 1) of them. Not for the root.
  PortId up_port(NodeId node) const;
  /// First port of an inner node that leads to a child; there are capacity(level) of them.
  PortId down_port(std::uint32_t level, std::uint32_t child) const { return child * capacity(level); }

  /// "fat-tree:2,3", "fat-tree:2,3,exponential", "fat-tree:4x2,1,3".
  std::string spelling() const;

 private:
  std::vector<std::uint32_t> arities_, capacities_;
  std::vector<std::uint32_t> below_;  // N_0 ... N_h
  std::vector<NodeId> first_;         // first node of each level
};

Graph fat_tree(const FatTree& shape);
/// The shape of a graph that is a fat tree.
std::optional<FatTree> fat_tree_shape(const Graph& graph);

std::vector<TopologyFamily> fat_tree_families();

}  // namespace safnet
