// random_nodes - some nodes of a network, chosen at random, the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// `count` different nodes below `below`, ascending; count <= below.
std::vector<NodeId> random_nodes(NodeId below, NodeId count, std::uint64_t seed);

}  // namespace safnet
