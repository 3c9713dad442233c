// poisson_arrivals - packets that arrive at the nodes of a network as independent Poisson processes.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/number/rational.hpp"
#include "cpp_model/traffic/random_numbers.hpp"

namespace safnet {

/// Arrivals do not wait for clock edges: their times are in ticks, 2^16 to a cycle. Tick 0 is the beginning
/// of cycle 1.
inline constexpr unsigned kTickBits = 16;

struct Arrival {
  std::uint64_t tick = 0;
  NodeId node = 0;
};

/// The most packets of a run, and the most cycles in which that many may be expected to arrive.
inline constexpr std::uint64_t kMostArrivals = 5'000'000;
inline constexpr std::uint64_t kMostArrivalCycles = 1'000'000'000;

/// Throws std::invalid_argument if there are no packets, too many, or if they take too long.
void check_arrivals(NodeId nodes, const Rational& rate, std::uint64_t packets);

/// The first `packets` arrivals at `nodes` nodes with `rate` packets each per cycle, in order of time. The
/// same everywhere for the same seed. Throws like check_arrivals().
std::vector<Arrival> poisson_arrivals(NodeId nodes, const Rational& rate, std::uint64_t packets,
                                      std::uint64_t seed);

/// A number from the exponential distribution of mean 1, in parts of 2^24: by comparisons of random numbers
/// alone (von Neumann 1951), as logarithms differ between machines.
std::uint64_t exponential_number(RandomNumbers& random);

}  // namespace safnet
