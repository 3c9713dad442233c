// line_broadcast - concurrent broadcasts in linear arrays and rings (Varvarigos and Bertsekas, Theorem 2).
//
// A node passes on at once what it receives and puts in a packet of its own where a slot is empty. In an
// array the last node keeps what it gets. In a ring every packet is two halves, which go round in opposite
// directions, p - 1 hops each; or it stays whole and goes both ways, half-way round.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// For pifo_nodes, all-port: what is in transit has rank 0, the node's own packets have rank 1.
std::vector<Algorithm> line_broadcast_algorithms();

}  // namespace safnet
