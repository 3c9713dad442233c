// torus_subtrees - the balanced spanning tree BST and the balanced spanning graph BSG of the multidimensional
// torus, as they are printed and as they are right.
//
// Fragopoulou and Akl, TR 94-363, sections 3 and 4. Subtree 0 holds the generators of all necklaces; the
// parent of one has its lowest nonzero digit brought one nearer to 0. Subtree i of the BSG (Definition 9) is
// subtree 0 rotated i times: a node of period P is in 2n/P of them. Subtree i of the BST (Definition 8) keeps
// only the nodes of displacement i, so the BST spans every node once.
//
// All of it is for root 0; MultidimensionalTorus::translate() moves it to any other.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

enum class ParentRule : std::uint8_t {
  /// Definitions 8 and 9: digit v_p gives v_p - 1 if v_p <= floor(k/2), otherwise v_p + 1. For even k the
  /// digit k/2 then comes from k/2 - 1, and the parent of a generator need not be one.
  kAsPrinted,
  /// v_p - 1 if v_p < k/2, otherwise v_p + 1: Definition 4 ranks k-i above i, so k/2 comes from k/2 + 1. The
  /// parent of a generator is a generator (Lemma 6.1).
  kCorrected,
  /// As corrected; but where k is even and the parent would be of a nonfull necklace, the next higher nonzero
  /// digit is lowered instead. Then subtree i of the BST is all nodes of displacement i, as Lemma 6.1 says.
  kRepaired
};

/// The link into node v != 0 from its parent in subtree 0. Meant for generators; for any other node the rule
/// is applied to its digits all the same.
DimensionedLink link_into(const MultidimensionalTorus& torus, NodeId v, ParentRule rule);

/// The links from node 0 to R^subtree(generator) in that subtree of the BSG; as many as the hops between
/// them.
std::vector<DimensionedLink> path_in_subtree(const MultidimensionalTorus& torus, NodeId generator,
                                             std::uint32_t subtree, ParentRule rule = ParentRule::kCorrected);

/// The link into every node from its parent in the BST; that of node 0 means nothing.
std::vector<DimensionedLink> bst_links(const MultidimensionalTorus& torus, ParentRule rule);

/// The BST on a graph that is this torus, translated to a root.
SpanningTree balanced_spanning_tree(const Graph& graph, const MultidimensionalTorus& torus, NodeId root,
                                    ParentRule rule);

/// The label of the first link on every node's way from node 0 down the BST: which of the root's subtrees it
/// really is in. That of node 0 means nothing.
std::vector<std::uint32_t> bst_subtree_of(const MultidimensionalTorus& torus, ParentRule rule);

/// How the nodes of the i-th subtree find the next hop to a destination (sections 5.4 and 5.5, step 2).
enum class RoutingRule : std::uint8_t {
  /// The first digit to the left of digit (n-1-i) mod n that differs from the destination's becomes equal to
  /// it.
  kAsPrinted,
  /// From digit (n-1-i) mod n on, cyclically to the right, the first digit p that differs moves one towards
  /// the destination's. A digit k/2 is approached from above, or from below if floor((p+i)/n) is odd: such a
  /// digit was negated an odd number of times.
  kCorrected
};

/// The node to which v != destination forwards a packet for a destination that subtree `subtree` of the BSG
/// holds. By the printed rule it need not be a neighbour.
NodeId forwarded_to(const MultidimensionalTorus& torus, NodeId v, NodeId destination, std::uint32_t subtree,
                    RoutingRule rule);

}  // namespace safnet
