#include "cpp_model/algorithm/fat_tree/fat_tree_timetable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/fat_tree/combining_trees.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_ways.hpp"
#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/routed/routed_schedules.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostHops = 4'000'000;
constexpr std::uint32_t kMostGrownLeaves = 8192, kMostTrials = 200;

Schedule list_schedule_of(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "list-schedule");
  const FatTree tree = shape_of(problem);
  FatTreeWays ways(problem.graph, tree);
  send_packets(schedule, problem, ways, lower_bound(problem).steps);
  return finished(std::move(schedule));
}

// The quickest trees for results at these leaves.
CombiningPlan best_trees(const Problem& problem, const FatTree& tree, std::span<const NodeId> roots,
                         std::uint64_t goal) {
  std::optional<CombiningPlan> best;
  const auto consider = [&](const std::function<CombiningTree(NodeId)>& tree_for) {
    if (best && best->last <= goal) return;
    std::vector<CombiningTree> trees;
    for (const NodeId root : roots) trees.push_back(tree_for(root));
    FatTreeWays ways(problem.graph, tree);
    std::optional<CombiningPlan> plan = plan_trees(problem, ways, std::move(trees), goal);
    if (plan && (!best || plan->last < best->last)) best = std::move(plan);
  };
  for (std::uint32_t direct = tree.height() + 1; direct-- > 0;) {
    if (direct == 0 && roots.size() > tree.leaves()) break;  // all to the root: for many it is never the best
    consider([&](NodeId root) { return combining_by_levels(tree, root, direct); });
  }
  if (roots.size() > 1) consider([&](NodeId root) { return combining_chain(tree, root); });
  if (std::adjacent_find(roots.begin(), roots.end(), std::not_equal_to<>()) == roots.end()) {
    const std::uint32_t trials = std::clamp(kMostGrownLeaves / tree.leaves(), 1U, kMostTrials);
    CombiningTree quickest;
    std::uint32_t last = kUnreachable;
    for (std::uint32_t seed = 0; seed < trials && last > goal; ++seed) {
      GrownCombiningTree grown =
          grown_combining_tree(problem.graph, tree, problem.ports, roots.front(), seed);
      if (seed == 0) consider([&](NodeId) { return grown.tree; });
      if (grown.last >= last) continue;
      quickest = std::move(grown.tree);
      last = grown.last;
    }
    consider([&](NodeId) { return quickest; });
  }
  if (!best) throw bad_input("combining-leaves: needs arities below {}", kMostCombined);
  return std::move(*best);
}

Schedule combining_schedule(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  const std::vector<NodeId> roots = roots_of(problem);
  Schedule schedule = empty_schedule(problem, "combining-leaves");
  add_combining(schedule, roots, best_trees(problem, tree, roots, lower_bound(problem).steps), false);
  return finished(std::move(schedule));
}

// Each message has a root, is combined there and sent to all from there.
Schedule combine_and_broadcast(const Problem& problem, const FatTree& tree) {
  const std::vector<NodeId> roots = roots_in_turn(problem);
  FatTreeWays ways(problem.graph, tree);
  return combine_then_broadcast(problem, roots, best_trees(problem, tree, roots, 0), ways, 2 * tree.height(),
                                "combining-leaves");
}

// Level by level from the bottom, leaves at the same place in the subtrees of a node exchange what they hold.
Schedule combine_level_by_level(const Problem& problem, const FatTree& tree) {
  const NodeId n = tree.leaves();
  Schedule schedule = empty_schedule(problem, "combining-leaves");
  std::vector<PacketIndex> held(schedule.packets.size());  // by message and leaf
  std::iota(held.begin(), held.end(), PacketIndex{0});
  std::uint32_t before = 0;
  for (std::uint32_t level = 1; level <= tree.height(); ++level) {
    const NodeId below = tree.leaves_below(level - 1), all = tree.leaves_below(level);
    const auto peer = [&](NodeId v, std::uint32_t c) { return v / all * all + (v % all + c * below) % all; };
    FatTreeWays ways(problem.graph, tree);
    Hops hops;
    for (std::uint32_t m = 0; m < problem.messages; ++m) {
      for (NodeId v = 0; v < n; ++v) {
        std::vector<NodeId> peers;
        for (std::uint32_t c = 1; c < tree.arity(level); ++c) peers.push_back(peer(v, c));
        ways.add_paths(hops, held[m * n + v], v, peers);
      }
    }
    std::vector<std::uint32_t> steps = steps_of_hops(problem, hops, 0);
    for (std::uint32_t& step : steps) step += before;
    before = last_of(steps);
    add_sends(schedule, hops, steps);
    for (std::uint32_t m = 0; m < problem.messages; ++m) {
      std::vector<PacketIndex> combined;
      for (NodeId v = 0; v < n; ++v) {
        std::vector<PacketIndex> parts;
        for (std::uint32_t c = 0; c < tree.arity(level); ++c) parts.push_back(held[m * n + peer(v, c)]);
        combined.push_back(schedule.packets.add(
            v, problem.messages * level + m, 1,
            level == tree.height() ? std::span<const NodeId>(&v, 1) : std::span<const NodeId>(), parts));
      }
      std::copy(combined.begin(), combined.end(), held.begin() + m * n);
    }
  }
  return schedule;
}

Schedule combining_allreduce(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  const std::uint64_t bound = lower_bound(problem).steps;
  std::optional<Schedule> best;
  const auto consider = [&](Schedule unsorted) {
    Schedule schedule = finished(std::move(unsorted));
    if (!best || steps_of(schedule) < steps_of(*best)) best = std::move(schedule);
  };
  FatTreeWays ways(problem.graph, tree);
  if (tree.leaves() <= kMostCombined) consider(combine_everywhere(problem, ways, "combining-leaves"));
  if (!best || steps_of(*best) > bound) consider(combine_level_by_level(problem, tree));
  if (steps_of(*best) > bound) consider(combine_and_broadcast(problem, tree));
  return std::move(*best);
}

// An upper bound on the hops of all packets together.
std::uint64_t hops_at_most(const Problem& p, const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), each = 2 * tree.height();
  switch (p.collective) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduction:
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      return p.messages * n * each;
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather:
      return p.messages * n * each * p.active.size();
    case CollectiveKind::kMultinodeBroadcast:
      return p.messages * n * tree.node_count();
    default:
      return p.messages * n * n * each;
  }
}

Algorithm timetable(CollectiveKind kind, bool combines) {
  return {.name = combines ? "combining-leaves" : "list-schedule",
          .collective = kind,
          .source = "beyond the thesis",
          .description = combines ? "leaves combine, in the quickest of several trees of leaves"
                                  : "every packet goes up and down the tree, those with most to come first",
          .domain = fmt::format("fat trees, at most {} hops", kMostHops),
          .why_not = [](const Problem& p) -> std::string {
            const std::optional<FatTree> tree = fat_tree_shape(p.graph);
            if (!tree) return "needs a fat tree";
            if (!p.tree.empty()) return "has no use for --tree";
            if (hops_at_most(p, *tree) > kMostHops) return fmt::format("needs at most {} hops", kMostHops);
            return {};
          },
          .plan = !combines                            ? list_schedule_of
                  : kind == CollectiveKind::kAllreduce ? combining_allreduce
                                                       : combining_schedule,
          .knows_messages = true,
          .knows_routers = true};
}

}  // namespace

std::vector<Algorithm> fat_tree_timetable_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind kind :
       {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
        CollectiveKind::kMultinodeBroadcast, CollectiveKind::kTotalExchange, CollectiveKind::kPartialExchange,
        CollectiveKind::kPartialGather})
    list.push_back(timetable(kind, false));
  for (const CollectiveKind kind :
       {CollectiveKind::kReduction, CollectiveKind::kMultinodeAccumulation, CollectiveKind::kAllreduce})
    list.push_back(timetable(kind, true));
  return list;
}

}  // namespace safnet
