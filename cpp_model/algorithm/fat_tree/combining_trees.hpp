// combining_trees - trees of leaves, along which the leaves of a fat tree combine what they have for one
// result.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/routed/routed_schedules.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// From the root on, each leaf informs the next one.
CombiningTree combining_chain(const FatTree& tree, NodeId root);

/// The root informs the leaf at its place in every other subtree of level `direct`, the furthest first. In
/// these, level by level, the leaf at that place in its subtree informs those in the children beside it.
CombiningTree combining_by_levels(const FatTree& tree, NodeId root, std::uint32_t direct);

/// Grown step by step: every informed leaf informs another as soon as a way is free, in the subtree that has
/// the fewest informed leaves for its size. Levels weigh alike if `seed` is 0, otherwise by chance.
struct GrownCombiningTree {
  CombiningTree tree;
  std::uint32_t last = 0;  ///< the step in which the last leaf is informed
};
GrownCombiningTree grown_combining_tree(const Graph& graph, const FatTree& tree, PortModel ports, NodeId root,
                                        std::uint32_t seed);

}  // namespace safnet
