// rings - rows and circles of nodes: linear arrays, rings, extended rings and other circulants.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// n >= 1 nodes in a row. A row of one node has no ports: a neutral factor.
Graph linear_array(NodeId n);
/// n >= 2. Port 0 leads clockwise. Two nodes have one edge between them, not two (thesis 2.1.1).
Graph ring(NodeId n);
/// Nodes 0 ... n-1, v adjacent to v + s and v - s modulo n for each offset s, 1 <= s <= n/2, in ascending
/// order. Ports: +s_0, -s_0, +s_1, -s_1, ...; an offset of n/2 has one port.
Graph circulant(NodeId n, const std::vector<NodeId>& offsets);
/// Thesis 2.3: the circulant with offsets 1 ... rho, 1 <= rho <= n/2.
Graph extended_ring(NodeId n, NodeId rho);

std::vector<TopologyFamily> ring_families();

}  // namespace safnet
