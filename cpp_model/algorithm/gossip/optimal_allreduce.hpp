// optimal_allreduce - allreduces of the fewest steps on small networks, by search.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "optimal" for allreduce: nodes send sums and go on combining into them, in as few steps as a
/// SAT solver finds, and tdm_nodes can run on time (optimum/allreduce_optimum.hpp). Several messages follow
/// each other.
std::vector<Algorithm> optimal_allreduce_algorithms();

}  // namespace safnet
