// fat_tree_turns - total exchange on fat trees, one-port-send, in which the children of a router take turns
// (thesis 6.2.4, Fig. 6.8).
//
// Turns are ranks: of the packets that a router has for its children the one leaves first that had the fewest
// for the same child before it. A child that nothing waits for misses its turn. How many came before a packet
// depends on what the routers below and above did, so the policy works it out step by step; the routers are
// told one rank per packet.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Total exchange in two phases whose second serves the children in turn.
std::vector<Algorithm> fat_tree_turn_algorithms();

}  // namespace safnet
