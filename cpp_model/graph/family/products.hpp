// products - products of smaller networks: meshes, tori, hypercubes, hypercycles.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// 2^d nodes, one bit of the address per dimension; dimension 0 is the highest bit.
Graph hypercube(std::uint32_t d);

/// The product of `factor(size)` for every size in "4x3x2"; sizes are at least 2.
Graph product_of_sizes(const Spelling& spelling, const std::string& family, Graph (*factor)(NodeId));

std::vector<TopologyFamily> product_families();

}  // namespace safnet
