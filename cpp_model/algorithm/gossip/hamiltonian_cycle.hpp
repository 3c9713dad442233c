// hamiltonian_cycle - a cycle through all nodes, for one-port multinode broadcast: everything goes round.
#pragma once

#include <vector>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"

namespace safnet {

/// Links of a cycle that passes every node once, in order from node 0, or none: there is none, or none was
/// found in kMostCycleVisits visits of nodes. Depth-first, nodes with the fewest ways on first (Warnsdorff
/// 1823), again and again with other decisions between equals.
std::vector<LinkId> hamiltonian_cycle(const FlatGraph& graph);
inline constexpr std::uint64_t kMostCycleVisits = 100'000;

}  // namespace safnet
