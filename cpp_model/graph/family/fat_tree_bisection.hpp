// fat_tree_bisection - how many links must be cut to part the leaves of a fat tree into halves.
#pragma once

#include <cstdint>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// The fewest full-duplex links between two parts of the tree with floor(n/2) and ceil(n/2) of its n leaves,
/// wherever the routers are. Exact: by the numbers of leaves that each subtree can have in a part. Time in
/// the order of n^2, space in the order of n.
std::uint64_t leaf_bisection_width(const FatTree& tree);

}  // namespace safnet
