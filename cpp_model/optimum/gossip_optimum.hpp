// gossip_optimum - the fewest steps of a gossip on a small network, with the proof.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// Limits of the search.
struct GossipBudget {
  /// Conflicts the SAT solver may meet, for every number of steps: this divided by packets, nodes and steps.
  std::uint64_t effort = 40'000'000;
  std::uint64_t shape_effort = 8'000'000;  ///< the same, for each special shape that is looked for
  std::uint64_t most_sends = 250'000;      ///< packets times links times steps: the solver is asked no more
  std::uint64_t most_passed_on = 8'000;    ///< the same, where routers pass copies on
  std::uint32_t random_tries = 200;        ///< at first
  /// More tries if the first and all bounds leave a gap: this divided by packets, links and steps.
  std::uint64_t random_effort = 200'000'000;
};

struct OptimalGossip {
  std::vector<GossipSend> sends;
  std::uint32_t steps = 0;
  LowerBound bound;  ///< `reason`: a bound of gossip_step_bound.hpp, or an exhaustive search
  bool proved() const { return steps == bound.steps; }
};

/// The fewest steps with their proof if the budget suffices, otherwise the best gossip that was found and the
/// best bound that was proved. Deterministic. Where routers pass copies on there is nothing but the
/// exhaustive search: it begins with the bound that is `known`, and `sends` may be empty. Throws
/// std::invalid_argument for routers that copy.
OptimalGossip optimal_gossip(const Gossip& gossip, const GossipBudget& budget = {},
                             const LowerBound& known = {});

}  // namespace safnet
