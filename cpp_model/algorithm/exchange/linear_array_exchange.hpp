// linear_array_exchange - one-port total exchange on linear arrays, one direction after the other.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Planner "rightward-then-leftward": the rightward half of the algorithm of thesis 4.2, which has every node
/// send one packet and receive one, then its mirror image. On an even number of nodes the middle two swap a
/// packet in step 1, and no other packet is sent by or to them then. Steps: floor(n^2/2), less one for even
/// n, which is what a middle node sends (thesis (4.5)).
std::vector<Algorithm> linear_array_exchange_algorithms();

}  // namespace safnet
