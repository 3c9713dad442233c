// folded_cube_policy - greedy total exchange on folded cubes by routers: Varvarigos, section 4, as far as a
// router's tables go.
//
// A label is the destination, the dimension that the packet's order begins with, and, for packets that may go
// either way, which. Each packet takes the dimensions of its routing tag in ascending order, cyclically from
// that one. After its first hop only one of its two ways is shortest, so a node need not know the origin.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "folded-cube-greedy": what waits for a port leaves by rank, furthest first. (7) rounded up, for all d that
/// were tried. "folded-cube-greedy-...": other orders of the dimensions, and other ranks.
std::vector<Algorithm> folded_cube_policy_algorithms();

}  // namespace safnet
