// fat_tree_broadcast - broadcast and multinode broadcast on fat trees, all-port, by routers that copy a
// packet to wherever it did not come from: thesis 6.3.1, 6.3.2.
//
// The label is the origin. There is one way from leaf to leaf, so every packet crosses every branch once.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "flooding" for both; for multinode broadcast also, by name only, other orders in which packets leave.
std::vector<Algorithm> fat_tree_broadcast_algorithms();

}  // namespace safnet
