// unequal_networks - random networks whose links differ in latency and width, and plans for them.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "testbench/support/random_network.hpp"

namespace safnet::testbench {

/// The graph with latencies from 0 to `most_latency` and 1 to `most_cycles` cycles for a flit; half of the
/// links keep to no latency and one cycle.
inline Graph with_random_timing(const Graph& graph, Dice& dice, std::uint32_t most_latency,
                                std::uint32_t most_cycles) {
  std::vector<LinkTiming> timing(graph.link_count());
  for (LinkTiming& of_link : timing) {
    if (dice.one_in(2)) continue;
    of_link = {static_cast<std::uint16_t>(dice.below(most_latency + 1)),
               static_cast<std::uint16_t>(dice.between(1, most_cycles))};
  }
  timing.back().latency = 1;  // so that they differ
  return graph.with_link_timing(std::move(timing));
}

/// What the first planner that applies makes of the problem.
inline Schedule planned(const Problem& problem) { return find_planner(problem, "").plan(problem); }

}  // namespace safnet::testbench
