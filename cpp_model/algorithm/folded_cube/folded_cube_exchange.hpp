// folded_cube_exchange - total exchange on folded cubes, by timetables that are the same at all nodes and by
// routers: Varvarigos, section 4.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// A symmetric greedy scheme of section 4: in every step a set of packets that no further one could join.
enum class GreedyRule : std::uint8_t {
  kFurthestFirst,  ///< packets with the most hops to go choose first
  kClosestFirst,
  kAnyOrder,        ///< packets in the order of a random permutation, the same in all steps
  kPortsInTurn,     ///< the dimensions choose, each the packet with the most hops to go
  kPortsInTurnAny,  ///< the dimensions choose, any packet
};
/// Steps of a total exchange by that rule on d dimensions; the seed is that of the packets' order.
std::uint32_t greedy_matching_steps(std::uint32_t d, GreedyRule rule, std::uint64_t seed);

/// - "folded-cube-exchange": Lemma 2, by colouring; (7) rounded up.
/// - "folded-cube-exchange-as-printed": with the highest half of the middle destinations.
/// - "folded-cube-greedy-matching": a maximal matching in every step.
/// By routers, up to 12 dimensions because of their tables: "folded-cube-greedy", the packets that wait for a
/// port leave furthest first; (7) rounded up, for all d that were tried. "folded-cube-greedy-...": other
/// orders of the dimensions, and other ranks.
std::vector<Algorithm> folded_cube_exchange_algorithms();

}  // namespace safnet
