// colouring_of_rounds - all-port total exchange on powers of a network by colouring the edges of a bipartite
// graph.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "colouring-of-rounds" on powers H^d of any network H, every d: n^(d-1) total exchanges in each
///   dimension, all dimensions at once, each with a total exchange of H as it is: n^(d-1) T_H steps.
std::vector<Algorithm> colouring_of_rounds_algorithms();

}  // namespace safnet
