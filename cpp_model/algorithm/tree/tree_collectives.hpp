// tree_collectives - broadcast and scatter over spanning trees (thesis 3.1 to 3.4).
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

std::vector<Algorithm> broadcast_algorithms();
std::vector<Algorithm> scatter_algorithms();

}  // namespace safnet
