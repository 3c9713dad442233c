// exact - the integer expressions that the papers' closed forms are made of.
#pragma once

#include <cstdint>

namespace safnet {

/// a / b, rounded up; b > 0.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// ceil((n^2 - 1) / 4): packets that cross from one half of n nodes to the other in a total exchange, and the
/// status of a ring (thesis 4.1, (4.12)).
constexpr std::uint64_t quarter_square(std::uint64_t n) { return divide_up(n * n - 1, 4); }
static_assert(quarter_square(6) == 9 && quarter_square(7) == 12);

/// ceil((n^2 - 1) / 8): steps of an optimal all-port total exchange on a ring (thesis (4.10)).
constexpr std::uint64_t eighth_square(std::uint64_t n) { return divide_up(n * n - 1, 8); }
static_assert(eighth_square(6) == 5 && eighth_square(7) == 6);

}  // namespace safnet
