// parity_ring - total exchange on even rings, all-port, by parity: thesis 4.3.2, Theorem 4.6.
//
// Only the packets for the opposite node have a choice of direction. Even nodes send theirs clockwise, odd
// nodes counterclockwise; that balances the directions, which no rule that treats all nodes alike can do. The
// label is the destination, plus the number of nodes for packets that travel counterclockwise.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// The rules of priority_rules.hpp with the packets for the opposite node sent clockwise by even nodes and
/// counterclockwise by odd ones.
std::vector<Algorithm> parity_ring_algorithms();

}  // namespace safnet
