// torus_collectives - all-port broadcast and scatter of M messages on the multidimensional torus, and both
// backwards.
//
// Fragopoulou and Akl, TR 94-363, sections 5.2 and 5.4, as published, and what attains the bounds where that
// does not. On tori of equal sides k >= 3 and on doubled cubes (k = 2); N = k^n nodes, D = n floor(k/2).
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/torus/torus_necklaces.hpp"

namespace safnet {

/// Steps of a broadcast down the BST: message m leaves through all ports in step m + 1 (section 5.2).
/// M + D - 1.
std::uint64_t bst_broadcast_steps(const MultidimensionalTorus& torus, std::uint64_t messages);

/// Steps of a broadcast down 2n trees without a common link, message m down tree m mod 2n: ceil(M/2n) + depth
/// - 1, with the depth of rotatable_tree_depth().
std::uint64_t disjoint_trees_broadcast_steps(const MultidimensionalTorus& torus, std::uint64_t messages);

/// Steps that no broadcast beats: the last message does not leave the root before step ceil(M/2n).
/// ceil(M/2n) + D - 1.
std::uint64_t torus_broadcast_bound(const MultidimensionalTorus& torus, std::uint64_t messages);

/// Steps of the scatter down the BSG as published (section 5.4), necklace by necklace, the furthest first: a
/// necklace of period P takes ceil(M P/2n). The sum is ceil(M (N-1)/2n) if M P/2n is whole for every P.
std::uint64_t bsg_scatter_steps(const MultidimensionalTorus& torus, std::uint64_t messages);

/// Steps that no scatter beats, attained for every M: the largest d - 1 + ceil(M F(d)/2n), with F(d) nodes d
/// or more hops away. For k >= 3 that is d = 1: ceil(M (N-1)/2n).
std::uint64_t torus_scatter_bound(const MultidimensionalTorus& torus, std::uint64_t messages);

/// The planner of the reversed collective: gather from scatter, reduction from broadcast, multinode
/// accumulation from multinode broadcast.
Algorithm backwards(const Algorithm& forwards, CollectiveKind collective);

/// Broadcast and reduction: torus-bst, torus-disjoint-trees. Scatter: torus-balanced-scatter (gather too),
/// torus-bsg-scatter, torus-bsg-scatter-nearest-first, torus-bst-scatter, and by name only
/// torus-bst-scatter-as-published, torus-bst-scatter-as-printed (see ParentRule), torus-bsg-scatter-routed,
/// torus-bsg-scatter-routed-as-printed (see RoutingRule; where k > 3 packets get stuck on the way).
///
/// torus-balanced-scatter deals the packets out to the ports in turn, necklace by necklace, the furthest
/// first: packet x of that order leaves in step floor(x/2n) + 1 through port i = x mod 2n for node
/// R^i(generator), down subtree i of the BSG. A necklace's M P packets take M P ports in a row, and since P
/// divides 2n every node gets M of them. No port waits, for any M.
std::vector<Algorithm> torus_collective_algorithms();

}  // namespace safnet
