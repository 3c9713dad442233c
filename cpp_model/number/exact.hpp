// exact - the integer expressions that closed forms, field widths and bounds are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

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

/// C(n, k), exact as long as the result times k is below 2^64.
constexpr std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
  return value;
}
static_assert(binomial(5, 2) == 10 && binomial(4, 0) == 1);

/// counts[i], how many things have the number i, becomes how many have i or a larger number.
inline void add_from_the_end(std::vector<std::uint64_t>& counts) {
  std::partial_sum(counts.rbegin(), counts.rend(), counts.rbegin());
}

/// Steps to serve parties one after the other, one in each step, if party i takes parties[i] steps more once
/// it is served: those that take longest are served first.
inline std::uint64_t steps_one_by_one(std::vector<std::uint64_t> parties) {
  std::sort(parties.begin(), parties.end(), std::greater<>());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < parties.size(); ++i) steps = std::max(steps, i + 1 + parties[i]);
  return steps;
}

/// Steps for `packets` packets if server i takes one per step, except in `unused[i]` steps: the
/// smallest T for which the sum of max(0, T - unused[i]) is `packets` or more. At least one server.
inline std::uint64_t steps_of_late_servers(std::uint64_t packets, std::vector<std::uint32_t> unused) {
  std::sort(unused.begin(), unused.end());
  std::uint64_t sum = 0, steps = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < unused.size(); ++i) {
    sum += unused[i];
    steps = std::min(steps, divide_up(packets + sum, i + 1));  // if the first i + 1 serve
  }
  return steps;
}

}  // namespace safnet
