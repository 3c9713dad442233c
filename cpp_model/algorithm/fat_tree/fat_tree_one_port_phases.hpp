// fat_tree_one_port_phases - multinode broadcast and total exchange on fat trees, one-port-send, in two
// phases (thesis 6.2.3, Fig. 6.6; 6.2.4, Fig. 6.8).
//
// A router sends all that it can to its parent (phase A) before it sends to its children (phase B). That is
// two ranks: 0 up, 1 down. Of a broadcast packet from below the copy for the parent has rank 0, what is left
// of it rank 1. The children take turns because each packet is copied to them from the left to the right; at
// equal ranks the order of arrival decides. The label is the origin of a broadcast packet, the destination of
// any other.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// Multinode broadcast and total exchange in two phases (thesis 6.2.3, 6.2.4), one-port-send.
std::vector<Algorithm> fat_tree_phase_algorithms();

/// Steps of the total exchange in two phases: Theorem 6.6, with what it leaves out. A node of level i < h
/// sends N_i (2n - N_(i-1) - N_i) packets from step i + 1 on, the last of them i hops from its leaf; the root
/// n (n - N_(h-1)).
std::uint64_t fat_tree_one_port_exchange_steps(const FatTree& tree);

}  // namespace safnet
