// tree_scatter - scatter, furthest-first over a spanning tree: thesis 3.3, Theorem 3.6 (one-port) and 3.4,
// Theorem 3.7 (all-port).
//
// The label is the destination. The root sends the packets of the deepest nodes first; below it no packet
// ever waits.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Over a tree of --tree or the best at hand, the paths of the weight rule, four regions of a torus, and
/// routes that need not be a tree (thesis 3.3, 3.4).
std::vector<Algorithm> scatter_algorithms();

}  // namespace safnet
