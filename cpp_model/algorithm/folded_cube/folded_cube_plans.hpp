// folded_cube_plans - the parts that folded_cube_algorithms() joins.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// What all-port algorithms for folded cubes need, or nothing.
std::string why_not_folded_cube(const Problem& problem);
/// Total exchange as timetables.
std::vector<Algorithm> folded_cube_exchanges();
/// Total exchange by routers.
std::vector<Algorithm> folded_cube_policies();
/// Multinode broadcast, gather and scatter on d + 1 hypercubes.
std::vector<Algorithm> folded_cube_classes();

}  // namespace safnet
