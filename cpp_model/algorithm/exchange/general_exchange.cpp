#include "cpp_model/algorithm/exchange/general_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/exchange/large_exchange.hpp"
#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/algorithm/tools/many_paths.hpp"
#include "cpp_model/algorithm/tools/translated_sends.hpp"
#include "cpp_model/schedule/schedule_limits.hpp"

namespace safnet {
namespace {

constexpr NodeId kMostListNodes = 4096;
constexpr std::uint64_t kMostListHops = kMaxFileSends;
// Up to here every packet has searches of its own, which takes a minute at most; from here on plan_large()
// plans. In a total exchange searches gain little and take long.
constexpr std::uint64_t kMostSearchedHops = 2'000'000, kMostSearchedExchangeHops = 200'000;
constexpr std::uint64_t kMostMatchedHops = 500'000;                     // one-port: a matching in every step
constexpr std::uint64_t kMostSearchedPackets = std::uint64_t{1} << 15;  // where there are several messages
constexpr double kSearchSeconds = 30;
constexpr NodeId kMostInvariantNodes = 4096;  // a schedule's packets
constexpr std::uint64_t kMostInvariantSends = 20'000'000;

// A timetable, and a lower bound on the steps of any other.
struct Plan {
  TimedHops timed;
  std::uint64_t proven = 0;
};

// Different resources among those of a node's links: how many packets it can send, or receive, in a step.
std::uint64_t packets_per_step(std::span<const LinkId> links, const std::vector<std::uint32_t>& resource) {
  std::vector<std::uint32_t> different;
  for (const LinkId link : links) different.push_back(resource[link]);
  std::sort(different.begin(), different.end());
  return static_cast<std::uint64_t>(std::unique(different.begin(), different.end()) - different.begin());
}

// A lower bound on the steps: packets with k or more hops to go keep their origin busy, and the last of them
// takes k - 1 steps more; likewise at destinations. Second: the hops of all packets' shortest paths.
std::pair<std::uint64_t, std::uint64_t> proven_by_distances(const FlatGraph& graph,
                                                            const Occupancy& occupancy,
                                                            const std::vector<Trip>& trips) {
  std::vector<std::vector<std::uint32_t>> leaving(graph.nodes), coming(graph.nodes);
  std::vector<std::uint32_t> distance;
  std::uint64_t hops = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const auto [from, to, packet] = trips[i];
    if (i == 0 || from != trips[i - 1].from) distance = graph.distances_from(from);
    if (distance[to] == kUnreachable) continue;  // for balanced_paths() to report
    leaving[from].push_back(distance[to]);
    coming[to].push_back(distance[to]);
    hops += distance[to];
  }
  std::uint64_t steps = 0;
  const auto prove = [&](std::vector<std::uint32_t>& distances, std::uint64_t per_step) {
    std::sort(distances.begin(), distances.end(), std::greater<>());
    for (std::size_t i = 0; i < distances.size(); ++i)
      steps = std::max(steps, i / per_step + distances[i]);  // i others are at least as far
  };
  const std::vector<std::uint32_t>& receiving =
      occupancy.receiving.empty() ? occupancy.sending : occupancy.receiving;
  for (NodeId v = 0; v < graph.nodes; ++v) {
    const auto links = [v](const std::vector<std::uint32_t>& first, const std::vector<LinkId>& list) {
      return std::span(list).subspan(first[v], first[v + 1] - first[v]);
    };
    prove(leaving[v], packets_per_step(links(graph.first_out, graph.out), occupancy.sending));
    prove(coming[v], packets_per_step(links(graph.first_in, graph.in), receiving));
  }
  return {steps, hops};
}

Plan plan_trips(const Graph& network, const Occupancy& occupancy, const std::vector<Trip>& trips) {
  const FlatGraph graph(network);
  Plan plan;
  const auto [proven, hops_at_least] = proven_by_distances(graph, occupancy, trips);
  plan.proven = proven;
  const auto try_rules = [&](const Hops& hops) {
    const std::uint64_t goal = std::max(plan.proven, congestion(occupancy, hops));
    const int tries = hops.size() > 200'000 ? 1 : hops.size() > 20'000 ? 2 : 6;
    for (int i = 0; i < tries; ++i) {
      static constexpr HopPriority kOrder[] = {HopPriority::kFurthestFirst, HopPriority::kMostAhead,
                                               HopPriority::kBusiestAhead};
      const ListRule rule{kOrder[i % 3], static_cast<std::uint64_t>(1 + i / 3)};
      TimedHops timed{hops, list_schedule(occupancy, hops, rule)};
      if (plan.timed.steps.empty() || timed.makespan() < plan.timed.makespan()) plan.timed = std::move(timed);
      if (plan.timed.makespan() <= goal) break;
    }
  };
  BalanceEffort effort;
  effort.links_visited = std::clamp<std::uint64_t>(4000 * hops_at_least, 100'000'000, 800'000'000);
  {
    const BalancedPaths paths = balanced_paths(graph, occupancy, trips, effort);
    plan.proven = std::max(plan.proven, paths.proven);
    try_rules(paths.hops);
  }
  // Detours relieve the busiest resources but may be too long. So paths that are all shortest are tried as
  // well, from several seeds.
  effort.shortest_only = true;
  const std::size_t others = plan.timed.hops.size() > 200'000
                                 ? 0
                                 : std::min<std::size_t>(200'000 / (plan.timed.hops.size() + 1), 20);
  for (std::size_t i = 0; i < others && plan.timed.makespan() > plan.proven; ++i) {
    effort.seed = 1 + i;
    try_rules(balanced_paths(graph, occupancy, trips, effort).hops);
  }
  // Goals for negotiate(): first the congestion of the ways, then by bisection between the proven bound, or
  // the last goal that failed, and the steps of the best plan.
  std::uint64_t low = plan.proven;
  std::uint64_t goal = congestion(occupancy, plan.timed.hops);
  for (std::uint64_t tries = 0; tries < 8 && low < plan.timed.makespan(); ++tries) {
    goal = std::clamp<std::uint64_t>(goal, low, plan.timed.makespan() - 1);
    if (graph.nodes > 1024 || occupancy.count * goal > 40'000'000) break;
    effort.links_visited = 40'000'000;
    auto timed = negotiate(graph, occupancy, trips, plan.timed, static_cast<std::uint32_t>(goal), effort);
    if (timed) {
      plan.timed = std::move(*timed);
    } else {
      low = goal + 1;
    }
    goal = (low + plan.timed.makespan()) / 2;
  }
  return plan;
}

std::vector<Trip> trips_of(const PacketList& packets) {
  std::vector<Trip> trips;
  trips.reserve(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p)
    trips.push_back({packets.origin(p), packets.destinations(p).front(), p});
  return trips;
}

// Hops of all packets' shortest paths, or any number above `most`.
std::uint64_t fewest_hops(const Problem& problem, std::uint64_t most);

bool is_large(const Problem& problem) {
  const std::uint64_t most = problem.collective == CollectiveKind::kTotalExchange ? kMostSearchedExchangeHops
                             : problem.ports == PortModel::kOnePort               ? kMostMatchedHops
                                                                                  : kMostSearchedHops;
  return (problem.messages > 1 && packets_of_a_message(problem) * problem.messages > kMostSearchedPackets) ||
         fewest_hops(problem, most) * problem.messages > most;
}

Schedule list_scheduled(const Problem& problem) {
  if (is_large(problem)) return plan_large(problem, "list-scheduling");
  Schedule schedule = empty_schedule(problem, "list-scheduling");
  const Plan plan =
      plan_trips(problem.graph, port_occupancy(problem.graph, problem.ports), trips_of(schedule.packets));
  add_sends(schedule, plan.timed.hops, plan.timed.steps);
  sort_sends(schedule);
  return schedule;
}

// Hops of all packets' shortest paths, or any number above `most`.
std::uint64_t fewest_hops(const Problem& problem, std::uint64_t most) {
  const Graph& graph = problem.graph;
  const bool gathers =
      problem.collective == CollectiveKind::kGather || problem.collective == CollectiveKind::kPartialGather;
  const Graph outward = gathers ? graph.transposed() : graph;
  std::uint64_t hops = 0;
  switch (problem.collective) {
    case CollectiveKind::kTotalExchange:
      for (NodeId v = 0; v < graph.node_count() && hops <= most; ++v) hops += graph.status(v);
      return hops;
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather:
      for (const NodeId v : problem.active) {
        if (v < graph.node_count() && hops <= most) hops += outward.status(v);
      }
      return hops;
    default:
      return outward.status(problem.root);
  }
}

std::string why_no_list(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  if (!problem.tree.empty()) return "has no use for --tree";
  if (n > kMostListNodes) return fmt::format("needs a network of at most {} nodes", kMostListNodes);
  std::uint64_t senders = 1;
  if (problem.collective == CollectiveKind::kTotalExchange) senders = n;
  if (problem.collective == CollectiveKind::kPartialExchange ||
      problem.collective == CollectiveKind::kPartialGather) {
    senders = problem.active.size();
    if (senders == 0) return "needs --active";
  }
  // The number of pairs alone may rule a network out, without looking for paths.
  if (senders * (n - 1) * problem.messages > PacketList::kMaxPackets)
    return fmt::format("needs at most {} packets", PacketList::kMaxPackets);
  if (fewest_hops(problem, kMostListHops) * problem.messages > kMostListHops)
    return fmt::format("needs packets of at most {} hops in all", kMostListHops);
  return {};
}

// What planning was seen to take on a core of 2 GHz, rounded up: searches from all destinations, some of them
// for detours, steps for every hop, and with one port for every link that waits in a step.
double list_seconds(const Problem& problem) {
  if (!is_large(problem)) return kSearchSeconds;
  const std::uint64_t hops = fewest_hops(problem, kMostListHops) * problem.messages;
  const auto all_hops = static_cast<double>(hops);
  const auto nodes = static_cast<double>(problem.graph.node_count());
  const auto links = static_cast<double>(problem.graph.link_count());
  const double detours =
      hops > kMostDetouredHops ? 0 : std::min(150 * nodes * links, static_cast<double>(kMostDetouredLinks));
  const double matching = problem.ports == PortModel::kOnePort ? 60e-9 * all_hops / nodes * links : 0;
  return 0.8e-6 * nodes * links + 35e-9 * detours + 0.6e-6 * all_hops + matching;
}

Schedule node_invariant(const Problem& problem) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  std::vector<Trip> trips;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId d = 1; d < n; ++d) trips.push_back({0, d, m * n + d});
  }
  const Plan plan = plan_trips(graph, translated_occupancy(graph, problem.ports), trips);
  const Hops& hops = plan.timed.hops;
  std::vector<TranslatedHop> translated;
  translated.reserve(hops.size());
  for (HopIndex h = 0; h < hops.size(); ++h) {
    translated.push_back({plan.timed.steps[h], hops.packet[h] / n, graph.link_source(hops.link[h]),
                          graph.link_port(hops.link[h]), hops.packet[h] % n});
  }
  return translated_schedule(problem, "node-invariant", std::move(translated), translations_of(graph));
}

Algorithm node_invariant_algorithm() {
  return {.name = "node-invariant",
          .collective = CollectiveKind::kTotalExchange,
          .source = "thesis 4.4.2, 4.4.3; all-port: beyond chapter 4",
          .description =
              "every node does what node 0 does, translated; a port serves one relative destination per step",
          .domain = fmt::format("Cayley graphs of at most {} nodes", kMostInvariantNodes),
          .why_not = [](const Problem& p) -> std::string {
            if (!p.tree.empty()) return "has no use for --tree";
            const NodeId n = p.graph.node_count();
            if (!p.graph.translations() || n < 2) return "needs a Cayley graph";
            if (n > kMostInvariantNodes)
              return fmt::format("needs a Cayley graph of at most {} nodes", kMostInvariantNodes);
            if (p.graph.status(0) * n * p.messages > kMostInvariantSends)
              return fmt::format("needs packets of at most {} hops in all", kMostInvariantSends);
            return {};
          },
          // One-port: one relative destination after the other, in as many steps as hops (Theorem 4.11).
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            if (p.ports == PortModel::kAllPort) return std::nullopt;
            return p.graph.status(0) * p.messages;
          },
          .plan = node_invariant,
          .knows_messages = true};
}

Algorithm list_algorithm(CollectiveKind kind) {
  return {.name = "list-scheduling",
          .collective = kind,
          .source = kind == CollectiveKind::kTotalExchange ? "beyond thesis chapter 4" : "beyond the thesis",
          .description =
              "ways that share out the work evenly, the longest first; on small networks, where that is too "
              "slow, ways and steps at once",
          .domain = fmt::format("networks of at most {} nodes, {} packets and {} hops in all", kMostListNodes,
                                PacketList::kMaxPackets, kMostListHops),
          .why_not = why_no_list,
          .plan = list_scheduled,
          .knows_messages = true,
          .knows_one_way = true,
          .plan_seconds = list_seconds};
}

}  // namespace

std::uint64_t proven_steps(const Problem& problem) {
  const Schedule schedule = empty_schedule(problem, "");
  return plan_trips(problem.graph, port_occupancy(problem.graph, problem.ports), trips_of(schedule.packets))
      .proven;
}

std::vector<Algorithm> general_exchange_algorithms() {
  std::vector<Algorithm> list{node_invariant_algorithm()};
  for (const CollectiveKind kind :
       {CollectiveKind::kTotalExchange, CollectiveKind::kScatter, CollectiveKind::kGather,
        CollectiveKind::kPartialExchange, CollectiveKind::kPartialGather}) {
    list.push_back(list_algorithm(kind));
  }
  return list;
}

}  // namespace safnet
