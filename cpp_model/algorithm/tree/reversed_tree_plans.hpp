// reversed_tree_plans - reduction and gather: broadcast and scatter over spanning trees, backwards.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Reduction and gather over the trees that broadcast_algorithms() and scatter_algorithms() go over, by the
/// same names.
std::vector<Algorithm> tree_plan_algorithms();

}  // namespace safnet
