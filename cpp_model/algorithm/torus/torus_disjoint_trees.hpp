// torus_disjoint_trees - spanning trees of the multidimensional torus that share no link: a tree and its 2n
// rotations.
//
// Fragopoulou and Akl, TR 94-363, section 5.1, speak of 2n disjoint paths of length (n-1) floor(k/2) + k - 1
// to every node; here are trees that deep, and shallower ones. Rotation makes 2n different links of a link,
// so a tree's rotations share none if no link of it is a rotation of another. Such a tree has one link of
// every class but that of the links into node 0, and a class lies within one necklace of heads. Together the
// trees take every link but those into the root, also those out of the furthest nodes, so they are at least
// one level deeper than the diameter D = n floor(k/2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"

namespace safnet {

/// A spanning tree whose 2n rotations share no link.
struct RotatableTree {
  std::vector<DimensionedLink> link_into;  ///< by node; that of the root, node 0, means nothing
  std::vector<std::uint32_t> level;        ///< by node: at least its hops from node 0; above its parent's
};

/// Tree i is this one rotated i times. The root has one child in it. Its depth is rotatable_tree_depth():
/// found by search where that is D + 1 for k > 4, otherwise grown.
RotatableTree rotatable_tree(const MultidimensionalTorus& torus);

/// D + 1 for k <= 4 (k - 1 if n = 1), for n = 2, 6 <= k <= 24 and for n = 3, 5 <= k <= 8, otherwise (n-1)
/// floor(k/2) + k - 1. Computed, not proved: true of every torus that the program takes.
std::uint32_t rotatable_tree_depth(std::uint32_t n, std::uint32_t k);

/// Grown level by level: in every necklace the nodes to which the tree can grow are matched with the classes
/// that are left, by augmenting paths, which may give nodes of earlier levels other links from levels that
/// are early enough for them. Of (n-1) floor(k/2) + k - 1 levels; for k = 2 of n + 1, or 1 if n = 1.
RotatableTree grown_rotatable_tree(const MultidimensionalTorus& torus);

/// A tree of at most `depth` levels, by choosing the link into one node after the other, as long as every
/// node can still be reached in time over links that are free. Begins anew, in another order, after `visits`
/// links; nothing after `attempts` times. The same tree everywhere.
std::optional<RotatableTree> search_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth,
                                                   std::uint32_t attempts, std::uint64_t visits);

/// Is there one at all? In one attempt without end: for small tori.
bool some_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth);

}  // namespace safnet
