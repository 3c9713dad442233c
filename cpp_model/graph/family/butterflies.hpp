// butterflies - networks of words and positions: cube-connected cycles and wrapped butterflies.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// A hypercube, d >= 3, with a ring of d nodes in place of every corner. Node (w, i) is number w d + i;
/// ports: (w, i + 1), (w, i - 1), (w with bit i changed, i).
Graph cube_connected_cycles(std::uint32_t d);
/// The butterfly, d >= 3, with its first and last column made one. Node (w, i) is number w d + i; ports:
/// (w, i + 1), (w with bit i changed, i + 1), (w, i - 1), (w with bit i - 1 changed, i - 1).
Graph wrapped_butterfly(std::uint32_t d);

std::vector<TopologyFamily> butterfly_families();

}  // namespace safnet
