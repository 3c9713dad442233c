// complete_graphs - complete graphs and their products.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// The extended ring with rho = floor(n/2): every node adjacent to every other.
Graph complete_graph(NodeId n);

std::vector<TopologyFamily> complete_families();

}  // namespace safnet
