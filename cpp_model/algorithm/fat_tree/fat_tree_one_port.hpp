// fat_tree_one_port - collectives on fat trees whose nodes send one packet at a time (thesis 6.2): broadcast,
// scatter, gather, multinode broadcast, total exchange.
//
// All are rules of ordinary routers: which of its packets a node sends first. A router sends to its parent
// before it sends to its children; the published algorithms of 6.2.3 and 6.2.4 call that phases A and B.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// From one leaf, or to it (thesis 6.2.1, 6.2.2); scatter and gather also with all ports.
std::vector<Algorithm> fat_tree_single_source_algorithms();

/// Multinode broadcast and total exchange in two phases (thesis 6.2.3, 6.2.4), one-port-send.
std::vector<Algorithm> fat_tree_phase_algorithms();
/// Total exchange in two phases whose second serves the children in turn (thesis 6.2.4, Fig. 6.8).
std::vector<Algorithm> fat_tree_turn_algorithms();

/// Steps of the total exchange in two phases: Theorem 6.6, with what it leaves out. A node of level i < h
/// sends N_i (2n - N_(i-1) - N_i) packets from step i + 1 on, the last of them i hops from its leaf; the root
/// n (n - N_(h-1)).
std::uint64_t fat_tree_one_port_exchange_steps(const FatTree& tree);

}  // namespace safnet
