#include "cpp_model/algorithm/routed/routed_timetable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/routed/processor_trees.hpp"
#include "cpp_model/algorithm/routed/routed_schedules.hpp"
#include "cpp_model/algorithm/routed/shortest_ways.hpp"
#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostHops = 4'000'000;
constexpr std::uint64_t kMostLinksVisited = 20'000'000;  // by the search for ways
constexpr NodeId kMostGrown = 256;                       // processors of a tree that is grown step by step
constexpr const char* kCombining = "combining-processors";

std::string why_not_routed(const Problem& problem) {
  if (!problem.graph.has_routers()) return "needs nodes that only route";
  if (fat_tree_shape(problem.graph)) return "is not for fat trees, which have algorithms of their own";
  if (!problem.tree.empty()) return "has no use for --tree";
  if (problem.graph.node_count() > kMostShortestWayNodes)
    return fmt::format("needs at most {} nodes", kMostShortestWayNodes);
  return {};
}

// An upper bound on the hops of all packets together.
std::uint64_t hops_at_most(const Problem& p) {
  const std::uint64_t n = p.graph.processor_count();
  const std::uint64_t furthest =
      p.graph.has_one_way_links() ? p.graph.diameter() : 2 * p.graph.eccentricity(0);
  switch (p.collective) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduction:
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      return p.messages * n * furthest;
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather:
      return p.messages * n * furthest * p.active.size();
    case CollectiveKind::kMultinodeBroadcast:
      return p.messages * n * p.graph.node_count();
    default:
      return p.messages * n * n * furthest;
  }
}

// Personal packets, over shortest ways that share out the work among links or, with one port, nodes.
void send_personal(Schedule& schedule, const Problem& problem, std::uint64_t goal) {
  std::vector<Trip> trips;
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
    trips.push_back({schedule.packets.origin(p), schedule.packets.destinations(p).front(), p});
  const BalanceEffort effort{.shortest_only = true, .links_visited = kMostLinksVisited};
  const BalancedPaths paths =
      balanced_paths(FlatGraph(problem.graph), port_occupancy(problem.graph, problem.ports), trips, effort);
  add_sends(schedule, paths.hops, steps_of_hops(problem, paths.hops, goal));
}

Schedule shortest_way_schedule(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "shortest-ways");
  const std::uint64_t goal = lower_bound(problem).steps;
  if (name_of(problem.collective).handling == Handling::kPersonal) {
    send_personal(schedule, problem, goal);
  } else {
    ShortestWays ways(problem.graph);
    send_packets(schedule, problem, ways, goal);
  }
  return finished(std::move(schedule));
}

// Whether a processor sends on what another one had. A tdm_node cannot do that with packets that it combines.
bool passes_processors(const Schedule& schedule) {
  return std::ranges::any_of(schedule.sends, [&](const Send& send) {
    const NodeId from = schedule.network.link_source(send.link);
    return from < schedule.network.processor_count() && from != schedule.packets.origin(send.packet);
  });
}

// The quickest trees for results at these processors.
CombiningPlan best_trees(const Problem& problem, std::span<const NodeId> roots, std::uint64_t goal) {
  const NodeId n = problem.graph.processor_count();
  std::optional<CombiningPlan> best;
  const auto consider = [&](const std::function<CombiningTree(NodeId)>& tree_for) {
    if (best && best->last <= goal) return;
    std::vector<CombiningTree> trees;
    for (const NodeId root : roots) trees.push_back(tree_for(root));
    ShortestWays ways(problem.graph);
    std::optional<CombiningPlan> plan = plan_trees(problem, ways, std::move(trees), goal);
    if (plan && (!best || plan->last < best->last)) best = std::move(plan);
  };
  consider([&](NodeId root) { return halved_processors(n, root); });
  consider([&](NodeId root) { return star_of_processors(n, root); });
  if (roots.size() > 1) consider([&](NodeId root) { return chain_of_processors(n, root); });
  const bool one_root = std::ranges::adjacent_find(roots, std::not_equal_to<>()) == roots.end();
  if (one_root && n <= kMostGrown) {
    for (const bool nearest_first : {true, false}) {
      const CombiningTree grown = grown_from_root(problem, roots.front(), nearest_first);
      consider([&](NodeId) { return grown; });
    }
  }
  return std::move(*best);  // halves are never refused: none combines more than 16 packets and its own
}

Schedule combining_schedule(const Problem& problem) {
  const std::vector<NodeId> roots = roots_of(problem);
  Schedule schedule = empty_schedule(problem, kCombining);
  add_combining(schedule, roots, best_trees(problem, roots, lower_bound(problem).steps), false);
  return finished(std::move(schedule));
}

Schedule combining_allreduce(const Problem& problem) {
  ShortestWays ways(problem.graph);
  std::optional<Schedule> best;
  if (problem.graph.processor_count() <= kMostCombined) {
    Schedule everywhere = combine_everywhere(problem, ways, kCombining);
    if (!passes_processors(everywhere)) best = finished(std::move(everywhere));
  }
  if (best && steps_of(*best) <= lower_bound(problem).steps) return std::move(*best);
  const std::vector<NodeId> roots = roots_in_turn(problem);
  Schedule other =
      finished(combine_then_broadcast(problem, roots, best_trees(problem, roots, 0), ways, 0, kCombining));
  return best && steps_of(*best) <= steps_of(other) ? std::move(*best) : other;
}

Algorithm timetable(CollectiveKind kind, bool combines) {
  return {.name = combines ? kCombining : "shortest-ways",
          .collective = kind,
          .source = "beyond the thesis",
          .description = combines ? "processors combine, in the quickest of several trees of processors"
                                  : "packets take shortest ways, those with most to come first",
          .domain = fmt::format("networks with routers that are no fat trees, at most {} hops", kMostHops),
          .why_not = [](const Problem& p) -> std::string {
            if (std::string reason = why_not_routed(p); !reason.empty()) return reason;
            return hops_at_most(p) > kMostHops ? fmt::format("needs at most {} hops", kMostHops) : "";
          },
          .plan = !combines                            ? shortest_way_schedule
                  : kind == CollectiveKind::kAllreduce ? combining_allreduce
                                                       : combining_schedule,
          .knows_messages = true,
          .knows_one_way = true,
          .knows_routers = true};
}

// By node and processor: the port towards that processor.
struct RoutingTable {
  std::vector<std::uint8_t> port;
  std::vector<std::uint16_t> distance;
  std::uint64_t largest_load = 1;  // packets of a total exchange over one link
};

// Of several ports that lead nearer to a processor a node takes the one that got the fewest processors so
// far, and behind which the last link has the fewest nodes so far: both ends share out what they send and
// get.
std::shared_ptr<const RoutingTable> routing_table(const Graph& graph) {
  const NodeId nodes = graph.node_count(), processors = graph.processor_count();
  auto table = std::make_shared<RoutingTable>();
  table->port.resize(std::size_t{nodes} * processors);
  table->distance.resize(std::size_t{nodes} * processors);
  std::vector<std::uint64_t> chosen(graph.link_count()), load(graph.link_count());
  std::vector<std::uint64_t> from(
      graph.link_count());  // nodes whose packets for one processor come over it last
  std::vector<std::uint64_t> passing(nodes);
  std::vector<LinkId> last(nodes);
  std::vector<NodeId> nearest_first(nodes);
  for (NodeId to = 0; to < processors; ++to) {
    const std::vector<std::uint32_t> distance = graph.distances_to(to);
    std::iota(nearest_first.begin(), nearest_first.end(), NodeId{0});
    std::ranges::stable_sort(nearest_first, {}, [&](NodeId v) { return distance[v]; });
    for (const NodeId v : nearest_first) {
      const std::size_t entry = std::size_t{v} * processors + to;
      table->distance[entry] = static_cast<std::uint16_t>(distance[v]);
      if (v == to) continue;
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      PortId best = 0;
      for (PortId p = 0; p < graph.degree(v); ++p) {
        const NodeId next = graph.peer(v, p).node;
        if (distance[next] + 1 != distance[v]) continue;
        const LinkId link = graph.link(v, p);
        const std::uint64_t cost = chosen[link] + from[next == to ? link : last[next]];
        if (cost >= least) continue;
        least = cost;
        best = p;
      }
      const NodeId next = graph.peer(v, best).node;
      last[v] = next == to ? graph.link(v, best) : last[next];
      table->port[entry] = static_cast<std::uint8_t>(best);
      ++chosen[graph.link(v, best)];
      if (v < processors) ++from[last[v]];
    }
    for (PortId q = 0; q < graph.in_degree(to); ++q) {
      const Endpoint end = graph.feeder(to, q);
      from[graph.link(end.node, end.port)] = 0;
    }
    std::ranges::fill(passing, 0);
    for (auto v = nearest_first.rbegin(); *v != to; ++v) {
      const PortId port = table->port[std::size_t{*v} * processors + to];
      passing[*v] += *v < processors ? 1 : 0;
      load[graph.link(*v, port)] += passing[*v];
      passing[graph.peer(*v, port).node] += passing[*v];
    }
  }
  table->largest_load = std::max<std::uint64_t>(1, *std::ranges::max_element(load));
  return table;
}

Policy exchange_policy(const Problem& problem) {
  const auto routes = routing_table(problem.graph);
  const NodeId processors = problem.graph.processor_count();
  Policy policy;
  policy.label_count = processors;
  policy.rank_levels = 2;
  policy.host_packets = processors - 1;
  policy.queue_bound = routes->largest_load;
  policy.table = [routes, processors](NodeId v, Label to) {
    TableEntry entry;
    if (v == to) {
      entry.deliver = true;
    } else {
      entry.output_mask = port_bit(routes->port[std::size_t{v} * processors + to]);
    }
    return entry;
  };
  // The furthest first; of those at one distance the next numbers first, so that all send to different ones.
  policy.injections = [routes, processors](NodeId v) {
    std::vector<Injection> packets;
    if (v >= processors) return packets;
    for (NodeId k = 1; k < processors; ++k) {
      const NodeId to = (v + k) % processors;
      packets.push_back({to, to, 1});
    }
    std::ranges::stable_sort(packets, std::greater<>(), [&](const Injection& packet) {
      return routes->distance[std::size_t{v} * processors + packet.label];
    });
    return packets;
  };
  return policy;
}

}  // namespace

std::vector<Algorithm> routed_timetable_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind kind :
       {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
        CollectiveKind::kMultinodeBroadcast, CollectiveKind::kTotalExchange, CollectiveKind::kPartialExchange,
        CollectiveKind::kPartialGather})
    list.push_back(timetable(kind, false));
  for (const CollectiveKind kind :
       {CollectiveKind::kReduction, CollectiveKind::kMultinodeAccumulation, CollectiveKind::kAllreduce})
    list.push_back(timetable(kind, true));
  list.push_back({.name = "any-shortest-way",
                  .collective = CollectiveKind::kTotalExchange,
                  .source = "beyond the thesis",
                  .description = "routers send packets along shortest ways, those in transit first",
                  .domain = "networks with routers that are no fat trees",
                  .why_not = why_not_routed,
                  .policy = exchange_policy,
                  .knows_one_way = true,
                  .knows_routers = true});
  return list;
}

}  // namespace safnet
