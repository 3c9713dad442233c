// fat_tree_one_port_phases - multinode broadcast and total exchange on fat trees, one-port-send, in two
// phases (thesis 6.2.3, Fig. 6.6; 6.2.4, Fig. 6.8).
//
// A router sends all that it can to its parent (phase A) before it sends to its children (phase B). That is
// two ranks: 0 up, 1 down. Of a broadcast packet from below the copy for the parent has rank 0, what is left
// of it rank 1. The children take turns because each packet is copied to them from the left to the right; at
// equal ranks the order of arrival decides. The label is the origin of a broadcast packet, the destination of
// any other.
//
// Or turns are ranks ("parent-first-in-turns"): of the packets that a router has for its children that one
// leaves first before which the fewest came for the same child. A child for which nothing waits misses its
// turn. How many came before a packet depends on what the routers below and above did, so the policy works it
// out step by step; the routers are told one rank per packet, and every packet has a label of its own.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Multinode broadcast and total exchange in two phases (thesis 6.2.3, 6.2.4), one-port-send; the
/// second of the exchange also in turns (Fig. 6.8).
std::vector<Algorithm> fat_tree_phase_algorithms();

}  // namespace safnet
