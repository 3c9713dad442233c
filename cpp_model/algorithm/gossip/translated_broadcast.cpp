#include "cpp_model/algorithm/gossip/translated_broadcast.hpp"

#include <fmt/format.h>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/gossip/translated_trees.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// The broadcast backwards, the last send first, every send the other way: a node combines its own
// contribution for destination d with what it receives from the nodes that it would inform in d's broadcast.
Schedule accumulation_schedule(const Problem& problem, const std::string& name,
                               const std::vector<TranslatedHop>& hops) {
  const Graph& graph = problem.graph;
  const Translations& translations = *graph.translations();
  const NodeId n = graph.node_count();
  const std::uint32_t last = hops.empty() ? 0 : hops.back().step, results = problem.messages * n;
  Schedule schedule = empty_schedule(problem, name);
  schedule.sends.reserve(hops.size() * n);
  std::vector<std::vector<TranslatedHop>> trees(problem.messages);  // last first: children before parents
  for (std::size_t h = hops.size(); h-- > 0;) trees[hops[h].message].push_back(hops[h]);
  HeldParts parts(schedule.packets, n);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId d = 0; d < n; ++d) {
      parts.begin(m * n + d, d, results + m * n + d);
      for (const TranslatedHop& hop : trees[m]) {
        const Endpoint end = graph.peer(hop.from, hop.port);
        const NodeId from = translations.apply(d, end.node);
        const PacketIndex packet = parts.pass(from, translations.apply(d, hop.from));
        schedule.sends.push_back({last + 1 - hop.step, graph.link(from, end.port), packet});
      }
      parts.finish(std::span(&d, 1));
    }
  }
  sort_sends(schedule);
  return schedule;
}

// A gather takes from every node's broadcast tree the path to the root alone; a scatter is that backwards.
Schedule ways_to_root(const Problem& problem, const std::string& name,
                      const std::vector<TranslatedHop>& hops) {
  const Graph& graph = problem.graph;
  const Translations& translations = *graph.translations();
  const NodeId n = graph.node_count();
  std::vector<std::vector<TranslatedHop>> trees(problem.messages);
  for (const TranslatedHop& hop : hops) trees[hop.message].push_back(hop);
  Schedule schedule = empty_schedule(problem, name);
  std::vector<TranslatedHop> informed_by(n);  // by node of node 0's tree
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (const TranslatedHop& hop : trees[m]) informed_by[graph.peer(hop.from, hop.port).node] = hop;
    for (NodeId v = 0; v < n; ++v) {
      if (v == problem.root) continue;
      const PacketIndex packet = personal_packet(m, v, problem.root, n);
      for (NodeId x = translations.invert(v, problem.root); x != 0; x = informed_by[x].from) {
        const TranslatedHop& hop = informed_by[x];
        schedule.sends.push_back({hop.step, graph.link(translations.apply(v, hop.from), hop.port), packet});
      }
    }
  }
  if (problem.collective == CollectiveKind::kScatter)
    turn_round(schedule, hops.empty() ? 0 : hops.back().step);
  sort_sends(schedule);
  return schedule;
}

constexpr std::uint64_t kMaxPromisedHops = std::uint64_t{1} << 20;  // found in a fraction of a second

bool is_personal(const Problem& problem) {
  return problem.collective == CollectiveKind::kScatter || problem.collective == CollectiveKind::kGather;
}

std::string why_not_translated(const Problem& problem) {
  if (!problem.tree.empty()) return "finds its own trees, without --tree";
  if (!problem.graph.translations()) return "needs a Cayley graph";
  const std::uint64_t n = problem.graph.node_count(), m = problem.messages;
  if (is_personal(problem)) {
    if (4 * m * problem.graph.status(0) > kMaxPlannedSends || m * n > PacketList::kMaxPackets)
      return fmt::format("needs a network whose gather takes at most {} sends", kMaxPlannedSends / 4);
    return {};
  }
  if (m * n * (n - 1) > kMaxPlannedSends)
    return fmt::format("needs a network whose multinode broadcast takes at most {} sends", kMaxPlannedSends);
  // The packets are the contributions and at most as many combined ones.
  if (problem.collective == CollectiveKind::kMultinodeAccumulation && 2 * m * n * n > PacketList::kMaxPackets)
    return fmt::format("needs at most {} packets", PacketList::kMaxPackets);
  return {};
}

Schedule plan_translated(const Problem& problem, const std::string& name) {
  const std::vector<TranslatedHop> hops = translated_trees(problem.graph, problem.ports, problem.messages);
  switch (problem.collective) {
    case CollectiveKind::kMultinodeBroadcast:
      return translated_schedule(problem, name, hops, translations_of(problem.graph));
    case CollectiveKind::kMultinodeAccumulation:
      return accumulation_schedule(problem, name, hops);
    default:
      return ways_to_root(problem, name, hops);
  }
}

Algorithm translated_broadcast(CollectiveKind collective, std::string description) {
  return {.name = "translated-broadcast",
          .collective = collective,
          .source = "Bertsekas et al. 1991 for hypercubes; here for any Cayley graph",
          .description = std::move(description),
          .domain = "Cayley graphs",
          .why_not = why_not_translated,
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            if (std::uint64_t{p.messages} * p.graph.node_count() > kMaxPromisedHops) return std::nullopt;
            const std::uint64_t bound = translated_broadcast_bound(p.graph, p.ports, p.messages);
            if (p.ports != PortModel::kAllPort || bound == 0) return bound;
            const std::uint64_t steps = translated_trees(p.graph, p.ports, p.messages).back().step;
            if (is_personal(p) && steps > bound)
              return std::nullopt;  // the root may be done before the others
            return steps;
          },
          .plan = [](const Problem& p) { return plan_translated(p, "translated-broadcast"); },
          .knows_messages = true};
}

NodeId square_torus_side(const Graph& graph) {
  const std::vector<Graph>& factors = graph.factors();
  const bool square = graph.family() == "torus" && factors.size() == 2 &&
                      factors[0].node_count() == factors[1].node_count() && factors[0].node_count() >= 3;
  return square ? factors[0].node_count() : 0;
}

Algorithm torus_quarter_turns() {
  return {.name = "torus-quarter-turns",
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = "Varvarigos and Bertsekas 1994, section 2, on [15]",
          .description = "every node's tree grows by four nodes a step, a quarter turn apart",
          .domain = "p x p tori, p >= 3, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (p.ports != PortModel::kAllPort) return "needs --ports all";
            if (square_torus_side(p.graph) == 0) return "needs a torus of two equal sides of 3 or more";
            return why_not_translated(p);
          },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            return std::uint64_t{p.graph.node_count()} / 4;
          },
          .plan =
              [](const Problem& p) {
                return translated_schedule(p, "torus-quarter-turns",
                                           quarter_turn_tree(square_torus_side(p.graph)),
                                           translations_of(p.graph));
              }};
}

}  // namespace

std::vector<Algorithm> translated_broadcast_algorithms() {
  return {
      translated_broadcast(CollectiveKind::kMultinodeBroadcast,
                           "every node sends down the same tree, moved to it; a port at most once a step"),
      torus_quarter_turns(),
      translated_broadcast(CollectiveKind::kMultinodeAccumulation, "the multinode broadcast backwards"),
      translated_broadcast(CollectiveKind::kGather, "the ways to the root in the multinode broadcast"),
      translated_broadcast(CollectiveKind::kScatter,
                           "the ways to the root in the multinode broadcast, backwards")};
}

}  // namespace safnet
