// fat_tree_single_source - broadcast, scatter and gather on fat trees (thesis 6.2.1, 6.2.2).
//
// Labels: one in all for broadcast and gather, whose packets all go the same ways; of a scatter the
// destination.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// From one leaf, or to it; scatter and gather also with all ports.
std::vector<Algorithm> fat_tree_single_source_algorithms();

}  // namespace safnet
