#include "cpp_model/algorithm/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "cpp_model/transform/repeat_messages.hpp"

namespace safnet {
namespace {

// Links crossed if every packet takes a shortest path; a broadcast crosses one per processor at least.
std::uint64_t least_sends_of_a_message(const Problem& problem) {
  const bool gathers =
      problem.collective == CollectiveKind::kGather || problem.collective == CollectiveKind::kPartialGather;
  const Graph graph = gathers ? problem.graph.transposed() : problem.graph;  // distances to the root
  const std::uint64_t n = graph.processor_count();
  switch (problem.collective) {
    case CollectiveKind::kTotalExchange:
      return total_processor_status(graph);
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      return processor_status(graph, problem.root);
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather: {
      std::uint64_t sum = 0;
      for (const NodeId v : problem.active) sum += processor_status(graph, v);
      return sum;
    }
    case CollectiveKind::kMultinodeBroadcast:
    case CollectiveKind::kMultinodeAccumulation:
      return n * (n - 1);
    case CollectiveKind::kAllreduce:
      return 2 * (n - 1);
    default:
      return n;
  }
}

}  // namespace

std::uint64_t least_sends(const Problem& problem) {
  return least_sends_of_a_message(problem) * problem.messages;
}

namespace {

// The algorithms that apply.
struct Candidates {
  std::size_t count = 0;
  const Algorithm* promising = nullptr;  // promises the fewest steps; of equal ones a policy comes first
  std::uint64_t promised = 0;            // the steps that it promises
  std::vector<const Algorithm*> silent;  // promise no number of steps
};

Candidates candidates_for(const Problem& problem, bool plans_only) {
  Candidates found;
  std::string reasons;
  const bool routed = problem.graph.has_routers();
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != problem.collective || algorithm.chosen_by_name_only) continue;
    if (plans_only && !algorithm.plan) continue;
    if (routed && !algorithm.knows_routers) continue;  // said once for all, below
    if (const std::string reason = algorithm.why_not(problem); !reason.empty()) {
      if (reasons.size() < 400) reasons += (reasons.empty() ? "" : "; ") + algorithm.name + ": " + reason;
      continue;
    }
    ++found.count;
    const auto promised = algorithm.closed_form(problem);
    if (!promised) {
      found.silent.push_back(&algorithm);
    } else if (found.promising == nullptr || *promised < found.promised ||
               (*promised == found.promised && algorithm.policy && !found.promising->policy)) {
      found.promising = &algorithm;
      found.promised = *promised;
    }
  }
  if (found.count != 0) return found;
  if (routed)
    reasons +=
        reasons.empty() ? "all need nodes that all process" : "; all others need nodes that all process";
  throw bad_input("{} on {}, {}: no algorithm applies{}{}", to_string(problem.collective),
                  one_line(problem.graph.spelling()), in_words(problem.ports), reasons.empty() ? "" : ": ",
                  reasons);
}

bool solves(const Algorithm& algorithm, const Problem& problem) {
  return algorithm.collective == problem.collective && algorithm.why_not(problem).empty();
}

}  // namespace

bool some_policy_applies(const Problem& problem) {
  return std::ranges::any_of(algorithms(), [&](const Algorithm& algorithm) {
    return algorithm.policy && solves(algorithm, problem);
  });
}

bool some_algorithm_applies(const Problem& problem) {
  return std::ranges::any_of(algorithms(), [&](const Algorithm& algorithm) {
    return !algorithm.chosen_by_name_only && solves(algorithm, problem);
  });
}

std::uint64_t steps_of(const Schedule& schedule) {
  return schedule.sends.empty() ? 0 : schedule.sends.back().start;
}

Schedule plan_of(const Algorithm& algorithm, const Problem& problem) {
  if (const std::uint64_t sends = least_sends(problem); sends > kMaxPlannedSends) {
    throw bad_input("{} on {}: {} sends or more; expected at most {}", to_string(problem.collective),
                    one_line(problem.graph.spelling()), sends, kMaxPlannedSends);
  }
  if (algorithm.plan) return algorithm.plan(problem);
  return plan_from_policy(problem, algorithm.policy(problem), algorithm.name);
}

Choice choose_algorithm(const Problem& problem, bool plans_only) {
  check_messages(problem);
  Choice best;
  best.bound = lower_bound(problem);
  const std::uint64_t bound = best.bound.steps;
  auto [looked_at, promising, best_steps, silent] = candidates_for(problem, plans_only);
  best.algorithm = promising;
  if (promising != nullptr) best.promised = best_steps;
  if (best.algorithm != nullptr && best_steps <= bound) {
    best.reason = fmt::format("promises {} steps, which is the lower bound", best_steps);
    return best;
  }
  // Those that plan several messages themselves are tried before those that repeat the plan of one.
  if (problem.messages > 1) {
    std::stable_partition(silent.begin(), silent.end(),
                          [](const Algorithm* algorithm) { return algorithm->knows_messages; });
  }
  const bool may_try = least_sends(problem) <= kMostTriedSends;
  // On networks with routers policies are quick to simulate, and mostly better than algorithms with a
  // promise.
  const bool may_follow = problem.graph.has_routers() && least_sends(problem) <= kMostFollowedSends;
  if (may_follow && !may_try) {
    std::stable_partition(silent.begin(), silent.end(),
                          [](const Algorithm* algorithm) { return static_cast<bool>(algorithm->policy); });
  }
  std::size_t tried = 0;
  std::string refusal;
  for (const Algorithm* algorithm : silent) {
    if (!may_try && best.algorithm != nullptr && !(may_follow && algorithm->policy)) break;
    ++tried;
    try {
      Schedule plan = plan_of(*algorithm, problem);
      const std::uint64_t steps = steps_of(plan);
      if (best.algorithm == nullptr || steps < best_steps) {
        best.algorithm = algorithm;
        best.promised.reset();
        best.plan = std::move(plan);
        best_steps = steps;
      }
    } catch (const std::invalid_argument& error) {  // too large for this one
      refusal = error.what();
      continue;
    }
    if (best_steps <= bound || !(may_try || may_follow)) break;
  }
  if (best.algorithm == nullptr) throw std::invalid_argument(refusal);
  if (may_try) best.bound = tightest_bound(problem, best_steps);
  const std::size_t untried = may_try ? 0 : silent.size() - tried;
  best.reason = fmt::format(
      "{} steps{}, {}{}; the lower bound is {}", best_steps, best.plan ? " as planned" : "",
      looked_at == 1 ? std::string("no other algorithm applies")
                     : fmt::format("the fewest of {} that apply", looked_at),
      untried == 0 ? "" : fmt::format(" ({} promise nothing and were not tried)", untried), best.bound.steps);
  return best;
}

Choice choose_in_turn(const Problem& problem) {
  check_messages(problem);
  Problem once = problem;
  once.messages = 1;
  if (const std::uint64_t sends = least_sends(once); sends > kMostTriedInTurn) {
    throw bad_input(
        "--algorithm {}: {} on {} takes {} sends or more for a message; expected at most {}, as all "
        "algorithms are tried",
        kMessagesInTurn, to_string(problem.collective), one_line(problem.graph.spelling()), sends,
        kMostTriedInTurn);
  }
  Choice best;
  std::uint64_t best_steps = 0;
  std::uint32_t best_transit = 0;
  std::size_t tried = 0;
  std::string refusal = "no algorithm applies";
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.chosen_by_name_only || !algorithm.plan || algorithm.pieces || !solves(algorithm, once))
      continue;
    try {
      Schedule plan = plan_of(algorithm, once);
      const std::uint64_t steps = steps_of(plan);
      const std::uint32_t transit = most_in_transit(plan);
      ++tried;
      if (best.plan && std::pair(best_steps, best_transit) <= std::pair(steps, transit)) continue;
      best.algorithm = &algorithm;
      best.plan = std::move(plan);
      best_steps = steps;
      best_transit = transit;
    } catch (const std::invalid_argument& error) {  // too large for this one
      refusal = error.what();
    }
  }
  if (!best.plan) {
    throw bad_input("--algorithm {}: {} on {}, {}: {}", kMessagesInTurn, to_string(problem.collective),
                    one_line(problem.graph.spelling()), in_words(problem.ports), refusal);
  }
  best.bound = problem.messages == 1 ? tightest_bound(problem, best_steps) : lower_bound(problem);
  best.reason = fmt::format(
      "for one message {} steps, and at most {} in transit at a node; of {} the fewest steps, and then the "
      "fewest "
      "packets in transit",
      best_steps, counted(best_transit, "packet"), counted(tried, "plan"));
  if (problem.messages > 1) best.plan = repeat_schedule(problem, *best.plan);
  return best;
}

}  // namespace safnet
