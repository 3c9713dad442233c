#include "cpp_model/algorithm/fat_tree/fat_tree_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_phases.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_no_wait.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_turning_levels.hpp"
#include "cpp_model/bound/fat_tree_exchange_bound.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// Hops of all packets together, on their shortest ways.
std::uint64_t hops_of_exchange(const FatTree& tree) {
  std::uint64_t hops = 0;
  for (std::uint32_t j = 1; j <= tree.height(); ++j)
    hops += std::uint64_t{tree.leaves()} * (tree.leaves_below(j) - tree.leaves_below(j - 1)) * 2 * j;
  return hops;
}

std::string why_not_planned(const Problem& problem) {
  if (const std::string reason = why_not_all_port_fat_tree(problem); !reason.empty()) return reason;
  return hops_of_exchange(shape_of(problem)) <= kMaxPlannedSends
             ? ""
             : fmt::format("needs a fat tree whose total exchange takes at most {} hops", kMaxPlannedSends);
}

// Leaves up to which the slots of a phase are found one by one.
constexpr NodeId kMostPeeledLeaves = 256;
constexpr NodeId kMostFirstFitLeaves = 128;

std::string why_not_phases(const Problem& problem) {
  if (const std::string reason = why_not_planned(problem); !reason.empty()) return reason;
  const FatTree tree = shape_of(problem);
  for (std::uint32_t j = 1; j <= tree.height() && tree.leaves() > kMostPeeledLeaves; ++j) {
    if (tree.leaves_below(j - 1) % tree.usable_capacity(j) != 0) {
      return fmt::format("needs at most {} leaves, or usable capacities that divide the leaves below",
                         kMostPeeledLeaves);
    }
  }
  return {};
}

std::uint64_t phase_steps(const FatTree& tree) {
  std::uint64_t steps = 2 * tree.height() - 1;
  for (std::uint32_t j = 1; j <= tree.height(); ++j) {
    const std::uint64_t below = tree.leaves_below(j - 1);
    steps += divide_up((tree.arity(j) - 1) * below * below, tree.usable_capacity(j));
  }
  return steps;
}

std::uint64_t full_capacity_steps(const FatTree& tree) {
  const std::vector<std::uint32_t> levels = turning_levels_by_step(tree);
  std::uint64_t last = 0;
  for (std::uint64_t step = 0; step < levels.size(); ++step) {
    if (levels[step] != 0) last = std::max(last, step + 2 * levels[step]);
  }
  return last;
}

// Packets that ever cross one link: no more of them can wait in its places or in its queue.
std::uint64_t most_on_a_link(const FatTree& tree) {
  const std::uint64_t n = tree.leaves();
  std::uint64_t most = n;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t below = tree.leaves_below(i - 1);
    most = std::max(most, divide_up(below * (n - below), tree.capacity(i)));
  }
  return most;
}

Algorithm exchange(std::string name, std::string description, std::string domain) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = "after thesis 6.3.3",
          .description = std::move(description),
          .domain = std::move(domain),
          .why_not = why_not_all_port_fat_tree,
          .knows_routers = true};
}

Algorithm by_routers(std::string name, std::string description, const LeafOrder& order) {
  Algorithm algorithm = exchange(std::move(name), std::move(description), "fat trees, all-port");
  algorithm.policy = [order](const Problem& p) {
    const FatTree tree = shape_of(p);
    Policy policy = personal_policy(tree, order);
    policy.queue_bound = most_on_a_link(tree);
    return policy;
  };
  return algorithm;
}

std::vector<Algorithm> policies() {
  Algorithm digits = by_routers(
      "digit-order",
      "first in, first out at every link; leaf s sends to s + delta digit by digit, the largest delta first",
      leaves_in_digit_order);
  digits.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const FatTree tree = shape_of(p);
    if (!tree.is_uniform() || !tree.has_constant_capacities()) return std::nullopt;
    return fat_tree_exchange_cut_bound(tree);
  };
  Algorithm numbers = by_routers(
      "ascending-order",
      "first in, first out at every link; leaves send to leaf 0 first, then to leaf 1, ...", other_leaves);
  numbers.chosen_by_name_only = true;
  return {digits, numbers};
}

Algorithm timetable(std::string name, std::string description, std::string domain,
                    std::function<std::vector<TimedPacket>(const FatTree&)> packets) {
  Algorithm algorithm = exchange(std::move(name), std::move(description), std::move(domain));
  algorithm.plan = [packets = std::move(packets), name = algorithm.name](const Problem& p) {
    Schedule schedule = empty_schedule(p, name);
    const FatTree tree = shape_of(p);
    add_timed_packets(schedule, tree, packets(tree));
    return schedule;
  };
  return algorithm;
}

std::vector<Algorithm> timetables() {
  Algorithm phases = timetable(
      "fat-tree-phases", "no packet waits: first those that turn at the root, then one level below, ...",
      "fat trees, all-port; at most 256 leaves where usable capacities do not divide the leaves below",
      exchange_in_phases);
  phases.source = "thesis 6.3.3, Fig. 6.11, (6.5)";
  phases.why_not = why_not_phases;
  phases.closed_form = [](const Problem& p) { return phase_steps(shape_of(p)); };

  Algorithm lock_step = timetable("lock-step",
                                  "those that turn at the root one step after the other, in each step others "
                                  "on the ways that they leave free",
                                  "fat trees of capacities 1, all-port", exchange_in_lock_step);
  lock_step.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_planned(p); !reason.empty()) return reason;
    return shape_of(p).has_constant_capacities() ? "" : "needs capacities 1";
  };
  lock_step.closed_form = [](const Problem& p) { return fat_tree_exchange_cut_bound(shape_of(p)); };

  Algorithm full = timetable(
      "full-capacity", "no packet waits and all leaves do the same: turning levels step by step, by search",
      "fat trees whose leaves can all send to the root at once, all-port",
      [](const FatTree& tree) { return exchange_by_turning_levels(tree, turning_levels_by_step(tree)); });
  full.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_planned(p); !reason.empty()) return reason;
    const FatTree tree = shape_of(p);
    for (std::uint32_t j = 1; j <= tree.height(); ++j) {
      if (tree.usable_capacity(j) != tree.leaves_below(j - 1))
        return "needs branches of as many usable links as there are leaves below, 1 at the leaves";
    }
    return {};
  };
  full.closed_form = [](const Problem& p) { return full_capacity_steps(shape_of(p)); };

  Algorithm no_wait = timetable(
      "no-wait",
      "no packet waits: step by step all that find their whole way free; where they are few, by search",
      fmt::format("fat trees of at most {} leaves, all-port", kMostFirstFitLeaves), exchange_without_waiting);
  no_wait.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_phases(p); !reason.empty()) return reason;
    return shape_of(p).leaves() <= kMostFirstFitLeaves
               ? ""
               : fmt::format("needs at most {} leaves", kMostFirstFitLeaves);
  };
  return {lock_step, full, phases, no_wait};
}

}  // namespace

std::vector<Algorithm> fat_tree_exchange_algorithms() {
  std::vector<Algorithm> list = timetables();
  std::ranges::move(policies(), std::back_inserter(list));
  return list;
}

}  // namespace safnet
