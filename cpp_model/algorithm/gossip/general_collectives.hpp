// general_collectives - MPI's collectives other than exchanges on any network, for any number of messages.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "rarest-first" for broadcast, multinode broadcast and, backwards, reduction and multinode accumulation
///   (rarest_first.hpp).
/// - "disjoint-trees" for broadcast and reduction, all-port (disjoint_trees.hpp).
/// - "hamiltonian-cycle" for multinode broadcast and multinode accumulation with one-port nodes, where a
///   cycle through all nodes is found: everything goes round it, M (n - 1) steps, the optimum.
/// - "furthest-first-tree" for scatter and gather of one-port nodes: over a tree of shortest paths, one
///   packet after the other, M (n - 1) steps, the optimum (thesis 3.3).
std::vector<Algorithm> general_collective_algorithms();

}  // namespace safnet
