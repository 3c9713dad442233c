// spanning_tree - rooted spanning trees that tree algorithms run over.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// A spanning tree directed away from its root.
struct SpanningTree {
  NodeId root = 0;
  std::vector<NodeId> parent;                 ///< kNoNode for the root
  std::vector<PortId> parent_port;            ///< port of the parent that leads to the node
  std::vector<std::vector<PortId>> children;  ///< ports of a node that lead to its children
  std::vector<std::uint32_t> depth;           ///< hops from the root
  std::vector<std::uint32_t> subtree_size;    ///< nodes below and including a node
  std::vector<NodeId> order;                  ///< nodes, parents before children

  std::uint32_t height() const;
};

/// Breadth-first tree: every node at its distance from the root (thesis 3.1).
SpanningTree shortest_path_tree(const Graph& graph, NodeId root);
/// Depth-first tree: as deep as the order of ports makes it.
SpanningTree depth_first_tree(const Graph& graph, NodeId root);
/// Grown by adding a random edge that leaves the tree; the same for the same seed everywhere.
SpanningTree random_tree(const Graph& graph, NodeId root, std::uint64_t seed);
/// Product of breadth-first trees of the dimensions (thesis 3.1.1, Theorem 3.1): a node hangs on the
/// neighbour that is one edge nearer the root in the lowest dimension in which the two differ. Its height is
/// the eccentricity of the root, and on a hypercube it is the binomial tree. Throws std::invalid_argument if
/// the graph is no product.
SpanningTree product_tree(const Graph& graph, NodeId root);

/// Completes a tree of which every node's parent (kNoNode for the root) and the parent's port are known.
/// Throws std::logic_error if it does not span the graph.
SpanningTree finish_tree(const Graph& graph, NodeId root, std::vector<NodeId> parent,
                         std::vector<PortId> parent_port);
/// The same with the lowest port of the parent that leads to the node.
SpanningTree tree_from_parents(const Graph& graph, NodeId root, std::vector<NodeId> parent);

/// Steps of the best one-port broadcast over the tree, b(v) = max over children of b(child_i) + i with the
/// children in decreasing order of b (thesis (6.1)). Sorts every node's children into that order, which
/// attains it.
std::uint32_t order_for_one_port_broadcast(SpanningTree& tree, const Graph& graph);

/// A rooted tree that knows, at any node, the child on the way to another node.
class RoutedTree {
 public:
  /// `order`: its nodes but the root, parents first; `parent` and `parent_port`, which leads from there, are
  /// by node of the network, of which the tree may leave out some.
  RoutedTree(NodeId root, std::span<const NodeId> order, const std::vector<NodeId>& parent,
             const std::vector<PortId>& parent_port);

  /// Port of `v` on the way to `d`; nothing if d is not below v.
  std::optional<PortId> port_towards(NodeId v, NodeId d) const;

 private:
  struct Child {
    std::uint32_t enter;
    PortId port;
  };
  // Numbered depth-first: v and what is below it are enter[v] ... enter[v] + size[v] - 1.
  std::vector<std::uint32_t> enter_, size_;
  std::vector<std::vector<Child>> children_;
};

}  // namespace safnet
