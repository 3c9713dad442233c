// accumulate_everywhere - allreduce in as many steps as a multinode accumulation: every node is the root of
// a reduction of its own, and the hosts give all of them the same packet.
//
// Where links are plenty this takes half as long as a reduction and a broadcast after it: the diameter, as
// long as (n - 1) / degree is no more.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "accumulate-everywhere", on the best multinode accumulation there is for the network.
std::vector<Algorithm> accumulate_everywhere_algorithms();

}  // namespace safnet
