// petersen - the Petersen graph and its generalizations.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// Generalized Petersen graph, n >= 3, 1 <= k < n/2: an outer ring 0 ... n-1, spokes v to n + v, and inner
/// nodes joined to those k places away. GP(5, 2) is the Petersen graph. Ports of outer nodes: clockwise,
/// back, spoke; of inner nodes: +k, -k, spoke.
Graph generalized_petersen(NodeId n, NodeId k);

std::vector<TopologyFamily> petersen_families();

}  // namespace safnet
