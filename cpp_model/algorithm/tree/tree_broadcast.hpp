// tree_broadcast - broadcast over a spanning tree, thesis 3.1 (all-port) and 3.2 (one-port).
//
// One label: a node hands the packet to its host and sends copies to its children in the tree. All-port this
// takes the tree's height. One-port a node serves its children one after the other; those with the longest
// broadcast below them first, which is the best order for the tree (6.1).
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Over trees of shortest paths, products of them, the best of all trees on small networks, the tree that
/// --tree names, and by the weight rule on extended rings (thesis 3.1 to 3.2).
std::vector<Algorithm> broadcast_algorithms();

}  // namespace safnet
