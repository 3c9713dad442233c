// window_assignment - total exchange in any product, all dimensions at once.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "windows": all-port total exchange on G_1 x ... x G_k in max (n / n_i) T_i steps, where T_i are the steps
/// of the best total exchange known for factor i of n_i nodes. Every factor runs that exchange over and over,
/// in windows of T_i steps. A packet crosses dimension i within one window of factor i; which one is found by
/// bipartite matchings, such that its windows do not overlap. That such an assignment exists is observed, not
/// proved: where a few hundred tries do not find one, planning throws std::invalid_argument.
std::vector<Algorithm> window_algorithms();

}  // namespace safnet
