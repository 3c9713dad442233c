// folded_cube - routes on folded cubes, and the collectives published for them: Varvarigos,
// "Efficient routing algorithms for folded-cube networks".
//
// Dimension i < d changes bit i of the address, dimension d (the complementary links) all bits. All d + 1
// together change nothing, so a packet has two ways without detour: the dimensions where origin and
// destination differ, or the complementary link and the dimensions where they do not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/family/folded_cube_address.hpp"

namespace safnet {

/// Section 4, (7), in halves of a step: 2^d - C(d, ceil(d/2)). No total exchange takes fewer steps.
std::uint64_t folded_cube_exchange_half_steps(std::uint32_t d);
/// The same in steps, rounded up: a fraction is left if and only if d = 2^k - 1.
std::uint64_t folded_cube_exchange_steps(std::uint32_t d);

/// d odd: which half of the destinations (d + 1)/2 bits away are reached without the complementary link.
enum class MiddleHalf : std::uint8_t {
  kBalanced,  ///< one in which every bit differs in as many destinations as any other, or one more
  kHighest,   ///< the highest addresses: "two disjoint sets of equal cardinality", nothing else
};
/// Routing tags (section 4) by relative destination r = 0 ... 2^d - 1: bit i is set if the packet takes
/// dimension i. Bits up to d. The half is rounded down.
std::vector<std::uint32_t> folded_cube_routing_tags(std::uint32_t d, MiddleHalf half);
/// The critical sum of Lemma 2: the largest row or column sum of the matrix whose rows are the tags.
std::uint64_t critical_sum(std::uint32_t d, const std::vector<std::uint32_t>& tags);

/// A symmetric greedy scheme of section 4: in every step a set of packets that no further one could join.
enum class GreedyRule : std::uint8_t {
  kFurthestFirst,  ///< packets with the most hops to go choose first
  kClosestFirst,
  kAnyOrder,        ///< packets in the order of a random permutation, the same in all steps
  kPortsInTurn,     ///< the dimensions choose, each the packet with the most hops to go
  kPortsInTurnAny,  ///< the dimensions choose, any packet
};
/// Steps that it takes for a total exchange.
std::uint32_t greedy_matching_steps(std::uint32_t d, GreedyRule rule, std::uint64_t seed);

/// Total exchange:
/// - "folded-cube-exchange": Lemma 2, by colouring; (7) rounded up.
/// - "folded-cube-exchange-as-printed": with the highest half of the middle destinations.
/// - "folded-cube-greedy-matching": a maximal matching in every step.
/// - "folded-cube-greedy": by routers. A packet's dimensions are taken in an order fixed beforehand, for a
///   router's tables know no other; what waits for a port leaves by rank, furthest first. (7) rounded up, for
///   all d that were tried. "folded-cube-greedy-...": other orders and ranks.
/// Multinode broadcast, gather and scatter:
/// - "folded-cube-classes-as-published": section 3, a hypercube's algorithm on each of d + 1 hypercubes.
std::vector<Algorithm> folded_cube_algorithms();

}  // namespace safnet
