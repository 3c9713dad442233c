// torus_exchange - total exchange (multinode scattering) with M messages per pair on the n-dimensional k-ary
// torus and on cubes, all-port.
//
// Fragopoulou and Akl, TR 94-363, section 5.5, and what attains its bound for every M: M k^(n+1) / 8 steps
// for even k, M (k^2 - 1) k^(n-1) / 8 for odd k. The functions say what the packets of node 0 do; see
// relative_sends.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/torus/relative_sends.hpp"

namespace safnet {

/// Over the spanning graph BSG: necklace after necklace, the furthest first. Its messages move as a block,
/// one hop in ceil(MP/2n) steps, P being its nodes; those for a node of P < 2n are split over its 2n/P paths.
std::vector<RelativeSend> bsg_exchange(const MultidimensionalTorus& torus, std::uint32_t messages);

/// The same over the spanning tree BST: M steps a hop, and P of the 2n links of a node busy.
std::vector<RelativeSend> bst_exchange(const MultidimensionalTorus& torus, std::uint32_t messages);

/// Messages and links as a bipartite multigraph, an edge for every hop; colours are steps (Koenig 1916), for
/// the hops of a message commute. A digit k/2 goes up or down by the parity of the next higher digit plus
/// the message's number, so that all links are used alike. On single cubes every digit has one link.
std::vector<RelativeSend> koenig_exchange(const TorusNetwork& network, std::uint32_t messages);
/// The steps of that: the larger of a link's uses and the diameter, n floor(k/2). The bound of the paper but
/// for rings of even k with odd M (one dimension, whose half-way messages cannot be shared out) and small
/// cubes.
std::uint64_t koenig_exchange_steps(const TorusNetwork& network, std::uint32_t messages);

/// Rings of even k: ceil(M k^2 / 8) steps for every M. Half of the half-way messages of a pair go up; the odd
/// one goes up from even nodes, down from odd ones. On every link the furthest goes first.
Schedule parity_exchange(const Problem& problem, const std::string& algorithm);

/// "torus-koenig-exchange" (by parity for n = 1, even k, odd M), "torus-bsg-exchange", "torus-bst-exchange".
std::vector<Algorithm> torus_exchange_algorithms();

}  // namespace safnet
