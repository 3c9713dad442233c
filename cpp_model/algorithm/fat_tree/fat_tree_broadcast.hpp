// fat_tree_broadcast - broadcast and multinode broadcast on fat trees, all-port, by routers that copy a
// packet to wherever it did not come from: thesis 6.3.1, 6.3.2.
//
// The label is the origin. There is one way from leaf to leaf, so every packet crosses every branch once.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Empty if the problem is all-port on a fat tree; otherwise what it needs, in one line.
std::string why_not_all_port_fat_tree(const Problem& problem);

std::vector<Algorithm> fat_tree_broadcast_algorithms();

}  // namespace safnet
