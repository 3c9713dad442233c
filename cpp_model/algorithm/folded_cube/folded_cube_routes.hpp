// folded_cube_routes - ways on folded cubes and what a total exchange over them takes: Varvarigos, "Efficient
// routing algorithms for folded-cube networks".
//
// Dimension i < d changes bit i of the address, dimension d (the complementary links) all bits. All d + 1
// together change nothing, so a packet has two ways without detour: the dimensions where origin and
// destination differ, or the complementary link and the dimensions where they do not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/family/folded_cube_address.hpp"
#include "cpp_model/schedule/problem.hpp"

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

/// Empty, or what all-port algorithms for folded cubes need.
std::string why_not_folded_cube(const Problem& problem);

}  // namespace safnet
