// recursive_doubling - allreduces in which nodes send what they have summed up, and go on.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "recursive-doubling" for allreduce: along one dimension of the network after the other, by the best of the
/// plans of allreduce_lines.hpp. On a hypercube in as many steps as it has dimensions, one-port. Several
/// messages follow each other; where nodes may use all ports, message m begins with dimension m modulo their
/// number.
std::vector<Algorithm> recursive_doubling_algorithms();

}  // namespace safnet
