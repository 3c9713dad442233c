#include "cpp_model/algorithm/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/schedule/forwarding.hpp"
#include "cpp_model/schedule/known_problem.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "cpp_model/schedule/schedule_limits.hpp"
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
  return least_sends_of_a_message(on_known_network(problem)) * problem.messages;
}

namespace {

// The algorithms that apply.
struct Candidates {
  std::size_t count = 0;
  const Algorithm* promising = nullptr;  // promises the fewest steps; of equal ones a policy comes first
  std::uint64_t promised = 0;            // the steps that it promises
  std::vector<const Algorithm*> silent;  // promise no number of steps
  std::string refusals;                  // of planners for large collectives that do not apply
};

Candidates candidates_for(const Problem& problem, bool plans_only) {
  Candidates found;
  std::string reasons;
  const bool routed = problem.graph.has_routers();
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != problem.collective || algorithm.chosen_by_name_only) continue;
    if (routed && !algorithm.knows_routers) continue;  // said once for all, below
    std::string reason = algorithm.why_not(problem);
    if (reason.empty() && plans_only && !algorithm.plan)
      reason = "it has no timetable; expected nodes that decide by themselves, as with --node pifo";
    if (!reason.empty()) {
      if (reasons.size() < 400) reasons += (reasons.empty() ? "" : "; ") + algorithm.name + ": " + reason;
      if (algorithm.plan_seconds)
        found.refusals += fmt::format("; {} was not tried: {}", algorithm.name, reason);
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
  if (!schedule.network.has_unequal_links()) return schedule.last_start();
  std::uint64_t last = 0;  // a send takes several steps
  for (const Send& send : schedule.sends) last = std::max(last, schedule.arrival_slot(send));
  return last;
}

Schedule plan_of(const Algorithm& algorithm, const Problem& problem) {
  const std::uint64_t most = algorithm.plan_seconds ? kMaxFileSends : kMaxPlannedSends;
  if (const std::uint64_t sends = least_sends(problem); sends > most) {
    throw bad_input("{} on {}: {} sends or more; expected at most {}", to_string(problem.collective),
                    one_line(problem.graph.spelling()), sends, most);
  }
  if (algorithm.plan) return algorithm.plan(problem);
  return plan_from_policy(problem, algorithm.policy(problem), algorithm.name);
}

namespace {

// The best so far of the algorithms that apply, and how it was found.
class Choosing {
 public:
  Choosing(const Problem& problem, Choice& best, Candidates found)
      : problem_(problem), best_(best), found_(std::move(found)) {
    best.algorithm = found_.promising;
    if (best.algorithm != nullptr) best.promised = found_.promised;
    // Those that plan several messages themselves are tried before those that repeat the plan of one.
    if (problem.messages > 1) put_first([](const Algorithm& algorithm) { return algorithm.knows_messages; });
  }
  bool is_optimal() const { return best_.algorithm != nullptr && steps() <= best_.bound.steps; }
  std::uint64_t steps() const { return best_.plan ? steps_of(*best_.plan) : found_.promised; }
  const std::string& refusal() const { return refusal_; }

  // Plans with an algorithm that promises nothing; whether it did not refuse.
  bool try_planning(const Algorithm& algorithm) {
    ++tried_;
    try {
      Schedule plan = plan_of(algorithm, problem_);
      if (best_.algorithm == nullptr || steps_of(plan) < steps()) {
        best_.algorithm = &algorithm;
        best_.promised.reset();
        best_.plan = std::move(plan);
      } else {
        others_ += fmt::format("; {} plans {}", algorithm.name, steps_of(plan));
      }
      return true;
    } catch (const std::invalid_argument& error) {  // too large for this one
      refusal_ = error.what();
      return false;
    }
  }

  // All of them, until one meets the lower bound.
  void try_all() {
    is_complete_ = true;
    for (const Algorithm* algorithm : found_.silent) {
      try_planning(*algorithm);
      if (is_optimal()) return;
    }
  }

  // On networks with routers policies are quick to simulate, and mostly better than algorithms with a
  // promise.
  void try_policies() {
    put_first([](const Algorithm& algorithm) { return static_cast<bool>(algorithm.policy); });
    for (const Algorithm* algorithm : found_.silent) {
      if (!algorithm->policy && best_.algorithm != nullptr) return;
      try_planning(*algorithm);
      if (is_optimal()) return;
    }
  }

  // Planners for large collectives that take that long at most; without one, and without any promise, the
  // first algorithm that does not refuse.
  void try_within(double seconds) {
    for (const Algorithm* algorithm : found_.silent) {
      if (!algorithm->plan_seconds || is_optimal()) continue;
      const double estimate = algorithm->plan_seconds(problem_);
      if (estimate <= seconds) {
        try_planning(*algorithm);
      } else {
        found_.refusals += fmt::format("; {} was not tried: it would take about {:.0f} s, {:.0f} allowed",
                                       algorithm->name, estimate, seconds);
      }
    }
    for (const Algorithm* algorithm : found_.silent) {
      if (best_.algorithm != nullptr) return;
      try_planning(*algorithm);
    }
  }

  std::string reason() const {
    const std::string taken =
        fmt::format("{} steps{}, {}", steps(), best_.plan ? " as planned" : "",
                    found_.count == 1 ? std::string("no other algorithm applies")
                                      : fmt::format("the fewest of {} that apply", found_.count));
    const std::size_t untried = is_complete_ ? 0 : found_.silent.size() - tried_;
    return fmt::format("{}{}{}; the lower bound is {}", taken,
                       untried == 0 ? "" : fmt::format(" ({} promise nothing and were not tried)", untried),
                       is_complete_ ? "" : others_ + found_.refusals, best_.bound.steps);
  }

 private:
  template <class Test>
  void put_first(Test test) {
    std::stable_partition(found_.silent.begin(), found_.silent.end(),
                          [&](const Algorithm* algorithm) { return test(*algorithm); });
  }

  const Problem& problem_;
  Choice& best_;
  Candidates found_;
  std::size_t tried_ = 0;
  std::string others_, refusal_;
  bool is_complete_ = false;  // all were tried that could have been better
};

}  // namespace

Choice choose_algorithm(const Problem& problem, bool plans_only, double seconds) {
  check_messages(problem);
  Choice best;
  best.bound = lower_bound(problem);
  Choosing choosing(problem, best, candidates_for(problem, plans_only));
  if (choosing.is_optimal()) {
    best.reason = fmt::format("promises {} steps, which is the lower bound", choosing.steps());
    return best;
  }
  const std::uint64_t sends = least_sends(problem);
  if (sends <= kMostTriedSends) {
    choosing.try_all();
  } else if (problem.graph.has_routers() && sends <= kMostFollowedSends) {
    choosing.try_policies();
  } else {
    choosing.try_within(seconds);
  }
  if (best.algorithm == nullptr) throw std::invalid_argument(choosing.refusal());
  if (sends <= kMostTriedSends) best.bound = tightest_bound(problem, choosing.steps());
  best.reason = choosing.reason();
  return best;
}

void require_forwarding(const Schedule& plan, const std::string& algorithm, std::uint32_t most) {
  const std::uint32_t longest = Forwarding(plan).longest();
  if (longest > most) {
    throw bad_input("--forwarding {}: expected at least {}, the longest chain of forwardings that {} plans",
                    most, longest, algorithm);
  }
}

Choice choose_within_forwarding(const Problem& problem, ChosenFor carrier, std::uint32_t most) {
  check_messages(problem);
  if (const std::uint64_t sends = least_sends(problem); sends > kMostTriedSends) {
    throw bad_input(
        "--forwarding {}: {} on {} takes {} sends or more; expected at most {}, as all algorithms are "
        "planned, or one named by --algorithm",
        most, to_string(problem.collective), one_line(problem.graph.spelling()), sends, kMostTriedSends);
  }
  candidates_for(problem, carrier == ChosenFor::kPlans);  // says why if there are none
  Choice best;
  std::size_t within = 0, beyond = 0;
  std::uint32_t least = 0;  // of the longest chains beyond
  std::string least_of, refusal = "no algorithm applies";
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.chosen_by_name_only || (carrier == ChosenFor::kPlans && !algorithm.plan) ||
        (carrier == ChosenFor::kRouters && !algorithm.policy) ||
        (problem.graph.has_routers() && !algorithm.knows_routers) || !solves(algorithm, problem))
      continue;
    try {
      Schedule plan = plan_of(algorithm, problem);
      const std::uint32_t longest = Forwarding(plan).longest();
      if (longest > most) {
        if (beyond++ == 0 || longest < least) {
          least = longest;
          least_of = algorithm.name;
        }
        continue;
      }
      ++within;
      const auto rank = [](const Schedule& of, const Algorithm& by) {
        return std::pair(steps_of(of), !by.policy);
      };
      if (best.plan && rank(*best.plan, *best.algorithm) <= rank(plan, algorithm)) continue;
      best.algorithm = &algorithm;
      best.plan = std::move(plan);
    } catch (const std::invalid_argument& error) {  // too large for this one
      refusal = error.what();
    }
  }
  if (!best.plan && beyond == 0) throw std::invalid_argument(refusal);
  if (!best.plan) {
    throw bad_input("--forwarding {}: expected at least {}, the shortest of {}, by {}", most, least,
                    counted(beyond, "plan"), least_of);
  }
  best.promised = best.algorithm->closed_form(problem);
  best.bound = tightest_bound(problem, steps_of(*best.plan));
  best.reason = fmt::format(
      "{} steps as planned, the fewest of {} that forward over at most {} in a row, {} forward over more; "
      "the "
      "lower bound is {}",
      steps_of(*best.plan), counted(within, "plan"), counted(most, "link"), beyond, best.bound.steps);
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
  if (problem.messages > 1 && problem.graph.has_unequal_links())
    throw bad_input("--algorithm {}: expected links that are all alike for several messages",
                    kMessagesInTurn);
  if (problem.messages > 1) best.plan = repeat_schedule(problem, *best.plan);
  return best;
}

}  // namespace safnet
