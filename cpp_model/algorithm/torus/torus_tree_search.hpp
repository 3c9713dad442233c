// torus_tree_search - trees of the multidimensional torus that share no link with their rotations, of a given
// depth, by backtracking.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"

namespace safnet {

/// A spanning tree whose 2n rotations share no link.
struct RotatableTree {
  std::vector<DimensionedLink> link_into;  ///< by node; that of the root, node 0, means nothing
  std::vector<std::uint32_t> level;        ///< by node: hops from node 0 or more; above its parent's
};

/// A tree of at most `depth` levels, by choosing the link into one node after the other, as long as every
/// node can still be reached in time over links that are free. Begins anew, in another order, after `visits`
/// links; nothing after `attempts` times. The same tree everywhere.
std::optional<RotatableTree> search_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth,
                                                   std::uint32_t attempts, std::uint64_t visits);

/// Is there one at all? In one attempt without end: for small tori.
bool some_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth);

}  // namespace safnet
