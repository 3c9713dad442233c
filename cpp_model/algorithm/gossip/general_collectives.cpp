#include "cpp_model/algorithm/gossip/general_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/gossip/gossip_plans.hpp"
#include "cpp_model/algorithm/gossip/hamiltonian_cycle.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tree/disjoint_trees.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostLinksForTrees = 300'000'000;

// The links over which multicasts go; turned round for what is run backwards.
FlatGraph outward(const Problem& problem) {
  FlatGraph graph(problem.graph);
  return combines(problem.collective) ? turned_round(std::move(graph)) : graph;
}

Schedule rarest_first_schedule(const Problem& problem) {
  const std::vector<NodeId> roots = roots_of(problem);
  const FlatGraph graph = outward(problem);
  const PortLimits limits = port_limits(problem.ports);
  GossipEffort effort;
  effort.goal = lower_bound(problem).steps;
  const GossipTask task{graph, combines(problem.collective) ? turned_round(limits) : limits, roots};
  Schedule schedule = schedule_of_multicasts(problem, "rarest-first",
                                             plan_gossip(task, roots.size() / problem.messages, effort));
  tighten(schedule);
  return schedule;
}

Algorithm rarest_first_algorithm(CollectiveKind kind) {
  return {
      .name = "rarest-first",
      .collective = kind,
      .source = "beyond the thesis",
      .description =
          std::string("links carry what their targets lack, first what few nodes have or has far to go") +
          (combines(kind) ? "; backwards" : ""),
      .domain = fmt::format("networks of at most {} nodes and {} sends", kMostGossipNodes, kMostGossipSends),
      .why_not =
          [kind](const Problem& p) {
            return why_too_many(
                p, (name_of(kind).has_root ? std::uint64_t{1} : p.graph.node_count()) * p.messages);
          },
      .plan = rarest_first_schedule,
      .knows_messages = true,
      .knows_one_way = true};
}

// As many disjoint trees as make the broadcast (or, backwards, the reduction) shortest: many trees share out
// the messages better, few trees are lower.
std::vector<OutTree> trees_for(const Problem& problem, const FlatGraph& graph) {
  const std::uint32_t most = std::min(fewest_links_cut(graph, problem.root), problem.messages);
  std::vector<OutTree> best;
  for (std::uint64_t count = 1; count <= most; ++count) {
    // An estimate of the links that disjoint_trees() looks at: for every node of a tree it seeks a path per
    // tree.
    const std::uint64_t work = count * count * graph.nodes * (graph.out.size() + count * graph.nodes);
    if (count > 1 && work > kMostLinksForTrees) break;
    std::vector<OutTree> trees = disjoint_trees(graph, problem.root, static_cast<std::uint32_t>(count));
    if (best.empty() || steps_over_trees(trees, problem.messages) < steps_over_trees(best, problem.messages))
      best = std::move(trees);
  }
  return best;
}

Algorithm disjoint_trees_algorithm(CollectiveKind kind) {
  return {.name = "disjoint-trees",
          .collective = kind,
          .source = "Edmonds 1973, branchings without a common link",
          .description = std::string("messages are dealt out to spanning trees that share no link") +
                         (combines(kind) ? "; backwards" : ""),
          .domain = fmt::format("networks of at most {} nodes and {} sends, all-port", kMostGossipNodes,
                                kMostGossipSends),
          .why_not = [](const Problem& p) -> std::string {
            if (p.ports != PortModel::kAllPort) return "needs --ports all";
            if (p.graph.node_count() < 2) return "needs two nodes";
            return why_too_many(p, p.messages);
          },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            return steps_over_trees(trees_for(p, outward(p)), p.messages);
          },
          .plan =
              [](const Problem& p) {
                const FlatGraph graph = outward(p);
                return schedule_of_multicasts(
                    p, "disjoint-trees",
                    broadcast_over_trees(graph, p.root, trees_for(p, graph), p.messages));
              },
          .knows_messages = true,
          .knows_one_way = true};
}

// One-port: the last node gets, or the root sends, one packet per step.
std::optional<std::uint64_t> one_after_the_other(const Problem& p) {
  return std::uint64_t{p.messages} * (p.graph.node_count() - 1);
}

// In every step all packets of a message move one node on round the cycle; the messages follow each other.
Schedule round_the_cycle(const Problem& problem) {
  const FlatGraph graph = outward(problem);
  const std::vector<LinkId> cycle = hamiltonian_cycle(graph);
  const NodeId n = graph.nodes;
  std::vector<Send> sends;
  sends.reserve(std::size_t{problem.messages} * n * (n - 1));
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId step = 0; step + 1 < n; ++step) {
      for (NodeId i = 0; i < n; ++i) {
        const NodeId origin = graph.source[cycle[(i + n - step) % n]];
        sends.push_back({m * (n - 1) + step + 1, cycle[i], m * n + origin});
      }
    }
  }
  return schedule_of_multicasts(problem, "hamiltonian-cycle", std::move(sends));
}

Algorithm cycle_algorithm(CollectiveKind kind) {
  static constexpr NodeId kMostCycleNodes = 1024;
  return {.name = "hamiltonian-cycle",
          .collective = kind,
          .source = "beyond the thesis",
          .description = std::string("every packet goes round a cycle through all nodes") +
                         (combines(kind) ? "; backwards" : ""),
          .domain = fmt::format("one-port, networks of at most {} nodes in which a cycle is found",
                                kMostCycleNodes),
          .why_not = [](const Problem& p) -> std::string {
            if (p.ports == PortModel::kAllPort) return "needs --ports one";
            const NodeId n = p.graph.node_count();
            if (n > kMostCycleNodes)
              return fmt::format("needs a network of at most {} nodes", kMostCycleNodes);
            if (std::string reason = why_too_many(p, std::uint64_t{n} * p.messages); !reason.empty())
              return reason;
            return hamiltonian_cycle(outward(p)).empty() ? "finds no cycle through all nodes" : "";
          },
          .closed_form = one_after_the_other,
          .plan = round_the_cycle,
          .knows_messages = true,
          .knows_one_way = true};
}

// Scatter over a tree of shortest paths, the furthest first; a gather is that backwards.
Schedule furthest_first_tree(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "furthest-first-tree");
  const bool gathers = problem.collective == CollectiveKind::kGather;
  const NodeId n = problem.graph.node_count();
  FlatGraph graph(problem.graph);
  if (gathers) graph = turned_round(std::move(graph));
  const std::vector<std::uint32_t> distance = graph.distances_from(problem.root);
  std::vector<NodeId> order;
  std::vector<LinkId> up(n, 0);  // the link from the parent
  for (NodeId v = 0; v < n; ++v) {
    if (v == problem.root) continue;
    if (distance[v] == kUnreachable)
      throw bad_input("node {} cannot be reached from node {}", v, problem.root);
    order.push_back(v);
    for (const LinkId link : graph.into(v)) {
      if (distance[graph.source[link]] + 1 == distance[v]) up[v] = link;
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
  const std::uint32_t steps = problem.messages * (n - 1);
  std::uint32_t leaves = 0;  // the step in which a packet leaves the root; it never waits after that
  for (const NodeId destination : order) {
    for (std::uint32_t m = 0; m < problem.messages; ++m) {
      const PacketIndex packet = personal_packet(m, destination, problem.root, n);
      std::uint32_t step = ++leaves + distance[destination];
      for (NodeId v = destination; v != problem.root; v = graph.source[up[v]]) {
        --step;
        schedule.sends.push_back({gathers ? steps + 1 - step : step, up[v], packet});
      }
    }
  }
  sort_sends(schedule);
  return schedule;
}

Algorithm furthest_first_algorithm(CollectiveKind kind) {
  return {.name = "furthest-first-tree",
          .collective = kind,
          .source = "thesis 3.3, Theorem 3.6",
          .description = kind == CollectiveKind::kScatter
                             ? "over a tree of shortest paths, the furthest first"
                             : "over a tree of shortest paths, the nearest first",
          .domain = fmt::format("one-port, at most {} sends", kMostGossipSends),
          .why_not = [kind](const Problem& p) -> std::string {
            if (!p.tree.empty()) return "has no use for --tree";
            if (p.ports == PortModel::kAllPort) return "needs --ports one";
            const FlatGraph graph(p.graph);
            const auto distance =
                kind == CollectiveKind::kGather ? graph.distances_to(p.root) : graph.distances_from(p.root);
            if (std::accumulate(distance.begin(), distance.end(), std::uint64_t{0}) * p.messages >
                kMostGossipSends)
              return fmt::format("needs at most {} sends", kMostGossipSends);
            return {};
          },
          .closed_form = one_after_the_other,
          .plan = furthest_first_tree,
          .knows_messages = true,
          .knows_one_way = true};
}

}  // namespace

std::vector<Algorithm> general_collective_algorithms() {
  using enum CollectiveKind;
  std::vector<Algorithm> list;
  for (const auto kind : {kMultinodeBroadcast, kMultinodeAccumulation}) list.push_back(cycle_algorithm(kind));
  for (const auto kind : {kBroadcast, kMultinodeBroadcast, kReduction, kMultinodeAccumulation})
    list.push_back(rarest_first_algorithm(kind));
  for (const auto kind : {kBroadcast, kReduction}) list.push_back(disjoint_trees_algorithm(kind));
  for (const auto kind : {kScatter, kGather}) list.push_back(furthest_first_algorithm(kind));
  return list;
}

}  // namespace safnet
