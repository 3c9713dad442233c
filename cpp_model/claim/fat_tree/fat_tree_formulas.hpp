// fat_tree_formulas - the closed forms of thesis chapter 6 that several claims expect, with arities that
// differ.
#pragma once

#include <cstdint>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// k_1 + ... + k_level.
std::uint64_t sum_of_arities(const FatTree& tree, std::uint32_t level);

/// Steps of one-port-send collectives (6.2). Broadcast: the sum of all arities + h - 1.
std::uint64_t one_port_broadcast_steps(const FatTree& tree);
/// Multinode broadcast: k n + (k + 1)(h - 2) + 1 if arities are equal.
std::uint64_t one_port_multinode_broadcast_steps(const FatTree& tree);
/// Total exchange: n^2 5/8 + 2h - 3 if all arities are 2, n^2 (k - 1)/k + 2h - 1 if all are k >= 3.
std::uint64_t one_port_exchange_steps(const FatTree& tree);

}  // namespace safnet
