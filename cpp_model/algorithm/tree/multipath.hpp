// multipath - one packet over each of several node-disjoint paths (thesis 2.2).
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "disjoint-paths" and, by name only, the construction as printed.
std::vector<Algorithm> multipath_algorithms();

}  // namespace safnet
