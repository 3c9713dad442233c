// folded_cubes - hypercubes with more edges: folded cubes and doubled cubes.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// The hypercube with one more port, the last, that leads to the complement of the address.
Graph folded_cube(std::uint32_t d);
/// The hypercube with two parallel edges for each of its edges, wired as a torus of rings of two nodes: ports
/// 2 i and 2 i + 1 both change coordinate i.
Graph doubled_cube(std::uint32_t d);

std::vector<TopologyFamily> folded_cube_families();

}  // namespace safnet
