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
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostHops = 4'000'000, kMostHopsTwice = 300'000;
constexpr std::uint32_t kMostGrownLeaves = 8192, kMostTrials = 200;
constexpr NodeId kMostParts = 255;  // that a tdm_node combines

std::uint32_t last_of(std::span<const std::uint32_t> steps) {
  return steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
}

// The steps of hops by the best of several rules; stops at the first that takes `goal` steps or fewer.
std::vector<std::uint32_t> steps_of_hops(const Problem& problem, const Hops& hops, std::uint64_t goal) {
  const Occupancy occupancy = port_occupancy(problem.graph, problem.ports);
  std::vector<std::uint32_t> best;
  std::uint64_t hops_left = kMostHopsTwice;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    for (const HopPriority priority :
         {HopPriority::kMostAhead, HopPriority::kFurthestFirst, HopPriority::kBusiestAhead}) {
      std::vector<std::uint32_t> steps = list_schedule(occupancy, hops, {priority, seed});
      if (best.empty() || last_of(steps) < last_of(best)) best = std::move(steps);
      if (last_of(best) <= goal || hops.size() > hops_left) return best;
      hops_left -= hops.size();
    }
  }
  return best;
}

Schedule finished(Schedule schedule) {
  sort_sends(schedule);
  tighten(schedule);
  return schedule;
}

// Adds the sends of all packets, each to its one destination or to all other leaves.
void send_packets(Schedule& schedule, const Problem& problem, const FatTree& tree, std::uint64_t goal) {
  FatTreeWays ways(problem.graph, tree);
  Hops hops;
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    const NodeId origin = schedule.packets.origin(p);
    const auto destinations = schedule.packets.destinations(p);
    if (destinations.size() == 1) {
      ways.add_path(hops, p, origin, destinations.front());
    } else {
      ways.add_multicast(hops, p, origin);
    }
  }
  add_sends(schedule, hops, steps_of_hops(problem, hops, goal));
}

Schedule list_schedule_of(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "list-schedule");
  send_packets(schedule, problem, shape_of(problem), lower_bound(problem).steps);
  return finished(std::move(schedule));
}

// A tree per result, and when its hops are made.
struct CombiningPlan {
  std::vector<CombiningTree> trees;
  Hops hops;  // of a tree's edges one after the other, each from its end on; `packet`: number of the edge
  std::vector<std::uint32_t> steps;
  std::uint32_t last = 0;
};

std::optional<CombiningPlan> plan_trees(const Problem& problem, const FatTree& tree,
                                        std::vector<CombiningTree> trees, std::uint64_t goal) {
  CombiningPlan plan;
  plan.trees = std::move(trees);
  FatTreeWays ways(problem.graph, tree);
  PacketIndex edge = 0;
  std::vector<HopIndex> informed_by(tree.leaves());
  std::vector<NodeId> parts(tree.leaves());
  for (const CombiningTree& edges : plan.trees) {
    std::fill(parts.begin(), parts.end(), 1);
    std::fill(informed_by.begin(), informed_by.end(), kNoHop);
    for (const LeafInforming& informing : edges) {
      if (++parts[informing.from] > kMostParts) return std::nullopt;
      HopIndex after = informed_by[informing.from];
      const std::vector<LinkId> links = ways.path(informing.to, informing.from);
      for (std::size_t i = links.size(); i-- > 0;) after = plan.hops.add(links[i], after, edge);
      informed_by[informing.to] = after;
      ++edge;
    }
  }
  plan.steps = steps_of_hops(problem, plan.hops, goal);
  plan.last = last_of(plan.steps);
  return plan;
}

// The quickest trees for results at these leaves.
CombiningPlan best_trees(const Problem& problem, const FatTree& tree, std::span<const NodeId> roots,
                         std::uint64_t goal) {
  std::optional<CombiningPlan> best;
  const auto consider = [&](const std::function<CombiningTree(NodeId)>& tree_for) {
    if (best && best->last <= goal) return;
    std::vector<CombiningTree> trees;
    for (const NodeId root : roots) trees.push_back(tree_for(root));
    std::optional<CombiningPlan> plan = plan_trees(problem, tree, std::move(trees), goal);
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
  if (!best) throw bad_input("combining-leaves: needs arities below {}", kMostParts);
  return std::move(*best);
}

// Adds the packets that leaves combine and send, and the results, whose destinations are their roots or all
// leaves. Returns the results.
std::vector<PacketIndex> add_combining(Schedule& schedule, const FatTree& tree, std::span<const NodeId> roots,
                                       const CombiningPlan& plan, bool for_all) {
  const NodeId n = tree.leaves();
  const auto results = static_cast<std::uint32_t>(roots.size());
  std::vector<NodeId> everyone(n);
  std::iota(everyone.begin(), everyone.end(), NodeId{0});
  std::vector<PacketIndex> packet_of_edge, result;
  std::vector<std::vector<PacketIndex>> parts(n);
  for (std::uint32_t r = 0; r < results; ++r) {
    for (NodeId v = 0; v < n; ++v) parts[v].assign(1, r * n + v);
    const CombiningTree& edges = plan.trees[r];
    const std::size_t first = packet_of_edge.size();
    packet_of_edge.resize(first + edges.size());
    for (std::size_t e = edges.size(); e-- > 0;) {
      const std::vector<PacketIndex>& held = parts[edges[e].to];
      const PacketIndex packet =
          held.size() == 1 ? held.front() : schedule.packets.add(edges[e].to, results + r, 1, {}, held);
      packet_of_edge[first + e] = packet;
      parts[edges[e].from].push_back(packet);
    }
    result.push_back(schedule.packets.add(roots[r], results + r, 1,
                                          for_all ? std::span<const NodeId>(everyone) : roots.subspan(r, 1),
                                          parts[roots[r]]));
  }
  for (HopIndex h = 0; h < plan.hops.size(); ++h) {
    schedule.sends.push_back(
        {plan.last + 1 - plan.steps[h], plan.hops.link[h], packet_of_edge[plan.hops.packet[h]]});
  }
  return result;
}

Schedule combining_schedule(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    if (problem.collective == CollectiveKind::kReduction) {
      roots.push_back(problem.root);
    } else {
      for (NodeId v = 0; v < tree.leaves(); ++v) roots.push_back(v);
    }
  }
  Schedule schedule = empty_schedule(problem, "combining-leaves");
  add_combining(schedule, tree, roots, best_trees(problem, tree, roots, lower_bound(problem).steps), false);
  return finished(std::move(schedule));
}

// Every leaf gets every packet and combines them.
Schedule combine_everywhere(const Problem& problem, const FatTree& tree) {
  const NodeId n = tree.leaves();
  Schedule schedule = empty_schedule(problem, "combining-leaves");
  Problem broadcast = problem;
  broadcast.collective = CollectiveKind::kMultinodeBroadcast;
  send_packets(schedule, problem, tree, lower_bound(broadcast).steps);
  std::vector<PacketIndex> parts(n);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    std::iota(parts.begin(), parts.end(), m * n);
    for (NodeId v = 0; v < n; ++v) schedule.packets.add(v, problem.messages + m, 1, std::span(&v, 1), parts);
  }
  return schedule;
}

// Each message has a root, is combined there and sent to all from there.
Schedule combine_then_broadcast(const Problem& problem, const FatTree& tree) {
  Schedule schedule = empty_schedule(problem, "combining-leaves");
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) roots.push_back(m % tree.leaves());
  const CombiningPlan plan = best_trees(problem, tree, roots, 0);
  const std::vector<PacketIndex> results = add_combining(schedule, tree, roots, plan, true);
  FatTreeWays ways(problem.graph, tree);
  Hops hops;
  for (std::size_t r = 0; r < results.size(); ++r) ways.add_multicast(hops, results[r], roots[r]);
  std::vector<std::uint32_t> steps = steps_of_hops(problem, hops, 2 * tree.height());
  for (std::uint32_t& step : steps) step += plan.last;
  add_sends(schedule, hops, steps);
  return schedule;
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
  if (tree.leaves() <= kMostParts) consider(combine_everywhere(problem, tree));
  if (!best || steps_of(*best) > bound) consider(combine_level_by_level(problem, tree));
  if (steps_of(*best) > bound) consider(combine_then_broadcast(problem, tree));
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
