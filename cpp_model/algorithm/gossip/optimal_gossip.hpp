// optimal_gossip - broadcast and multinode broadcast, and both backwards, in as few steps as there can be: on
// small networks, by search.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "optimal", for broadcast, multinode broadcast, reduction and multinode accumulation of a few messages on
/// networks of a few nodes (see proved_optimum.hpp), one-way links too, any port model. What it plans is the
/// optimum wherever proved_optimum() is known, otherwise the best that the search has found.
std::vector<Algorithm> optimal_gossip_algorithms();

}  // namespace safnet
