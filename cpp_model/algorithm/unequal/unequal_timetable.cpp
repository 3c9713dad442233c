#include "cpp_model/algorithm/unequal/unequal_timetable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/unequal/timed_gossip.hpp"
#include "cpp_model/algorithm/unequal/timed_hops.hpp"
#include "cpp_model/algorithm/unequal/timed_routers.hpp"
#include "cpp_model/bound/lower_bound.hpp"

namespace safnet {
namespace {

constexpr NodeId kMostNodes = 1024;
constexpr std::uint64_t kMostSends = 2'000'000;
constexpr std::uint64_t kSeeds = 8;
constexpr std::uint64_t kMostSendsTried = 400'000;  // in all tries together
constexpr const char* kPersonalName = "timed-list-scheduling";
constexpr const char* kGossipName = "timed-rarest-first";

std::string why_not_unequal(const Problem& problem) {
  if (!problem.graph.has_unequal_links()) return "needs links that are not all alike";
  if (!problem.tree.empty()) return "has no use for --tree";
  if (problem.graph.node_count() > kMostNodes)
    return fmt::format("needs a network of at most {} nodes", kMostNodes);
  if (problem.graph.processor_count() < 2) return "needs two nodes that process";
  const std::uint64_t n = problem.graph.node_count(), messages = problem.messages;
  const bool has_root = name_of(problem.collective).has_root;
  if (messages * n * (has_root || problem.collective == CollectiveKind::kAllreduce ? 1 : n) > kMostSends)
    return fmt::format("needs at most {} packets", kMostSends);
  return {};
}

// Tries several seeds until the bound is met or the sends that may be tried are used up.
template <class Try>
void try_seeds(std::uint64_t sends_each, Try attempt) {
  std::uint64_t left = kMostSendsTried;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (attempt(seed) || sends_each >= left) return;
    left -= sends_each;
  }
}

Schedule personal_timetable(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, kPersonalName);
  std::vector<Trip> trips;
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
    trips.push_back({schedule.packets.origin(p), schedule.packets.destinations(p).front(), p});
  const LinkTimes times(problem.graph);
  const Hops hops = timed_paths(problem.graph, times, problem.ports, trips);
  const std::uint64_t bound = lower_bound(problem).steps;
  std::vector<std::uint32_t> best;
  try_seeds(hops.size(), [&](std::uint64_t seed) {
    std::vector<std::uint32_t> starts = timed_list_schedule(problem.graph, times, problem.ports, hops, seed);
    if (best.empty() || last_arrival(times, hops, starts) < last_arrival(times, hops, best))
      best = std::move(starts);
    return last_arrival(times, hops, best) <= bound;
  });
  add_sends(schedule, hops, best);
  sort_sends(schedule);
  return schedule;
}

// The shortest of several multicasts from the origins; `goal`: that is enough.
std::vector<Send> multicasts(const Graph& graph, PortModel ports, std::span<const NodeId> origins,
                             std::uint64_t goal) {
  const LinkTimes times(graph);
  const auto slowest = *std::ranges::max_element(times.crossing);
  std::vector<Send> best;
  try_seeds(3 * origins.size() * graph.node_count(), [&](std::uint64_t seed) {
    for (const std::uint32_t patience : {0U, slowest / 2, slowest}) {
      std::vector<Send> sends = timed_gossip(graph, times, ports, origins, {seed, patience});
      if (graph.has_routers()) sends = without_idle_routers(graph, times, ports, sends, origins.size());
      if (best.empty() || last_arrival(times, sends) < last_arrival(times, best)) best = std::move(sends);
      if (last_arrival(times, best) <= goal) return true;
    }
    return false;
  });
  return best;
}

// Multicasts over the links turned round, in the numbers of the links of `graph`: what is combined runs
// backwards.
std::vector<Send> multicasts_backwards(const Graph& graph, PortModel ports, std::span<const NodeId> origins,
                                       std::uint64_t goal) {
  const Graph back = graph.transposed();
  std::vector<Send> sends = multicasts(back, ports, origins, goal);
  for (Send& send : sends) {
    // Output p of a node of the transpose is input p of the node.
    const Endpoint from = graph.feeder(back.link_source(send.link), back.link_port(send.link));
    send.link = graph.link(from.node, from.port);
  }
  return sends;
}

// One-port-send: backwards in time a node sends any number of packets and receives one. It is planned as if
// it could do one of both.
PortModel backwards(PortModel ports) {
  return ports == PortModel::kOnePortSend ? PortModel::kOnePort : ports;
}

Schedule gossip_timetable(const Problem& problem) {
  const std::vector<NodeId> roots = roots_of(problem);
  const std::uint64_t bound = lower_bound(problem).steps;
  if (problem.graph.has_routers() && combines(problem.collective)) {
    Schedule schedule = empty_schedule(problem, kGossipName);
    const LinkTimes times(problem.graph);
    add_combining(schedule, roots,
                  timed_combining_plan(problem, times, backwards(problem.ports), roots, bound), false);
    sort_sends(schedule);
    return schedule;
  }
  return schedule_of_multicasts(
      problem, kGossipName,
      combines(problem.collective)
          ? multicasts_backwards(problem.graph, backwards(problem.ports), roots, bound)
          : multicasts(problem.graph, problem.ports, roots, bound));
}

// The processors from and to which the furthest of all others is nearest, the best first.
std::vector<NodeId> most_central_in_time(const Graph& graph) {
  const LinkTimes times(graph);
  const NodeId n = graph.processor_count();
  std::vector<std::uint64_t> reach(n);
  std::vector<NodeId> order(n);
  for (NodeId v = 0; v < n; ++v) {
    order[v] = v;
    for (const bool back : {false, true}) {
      const std::vector<std::uint64_t> cycles = times_from(graph, times, v, back);
      reach[v] += *std::max_element(cycles.begin(), cycles.begin() + n);
    }
  }
  std::ranges::stable_sort(order, {}, [&](NodeId v) { return reach[v]; });
  return order;
}

// Every message is combined at a root of its own, and sent to all from there.
Schedule allreduce_timetable(const Problem& problem) {
  const std::vector<NodeId> central = most_central_in_time(problem.graph);
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) roots.push_back(central[m % central.size()]);
  Schedule schedule = empty_schedule(problem, kGossipName);
  const LinkTimes times(problem.graph);
  const PortModel ports = backwards(problem.ports);
  const std::vector<PacketIndex> results =
      problem.graph.has_routers()
          ? add_combining(schedule, roots, timed_combining_plan(problem, times, ports, roots, 0), true)
          : add_reductions(schedule, roots, multicasts_backwards(problem.graph, ports, roots, 0), true);
  const std::uint32_t reduced = last_arrival(times, schedule.sends);
  for (const Send& send : multicasts(problem.graph, problem.ports, roots, 0))
    schedule.sends.push_back({reduced + send.start, send.link, results[send.packet]});
  sort_sends(schedule);
  return schedule;
}

Algorithm unequal_timetable(CollectiveKind kind) {
  const bool personal = name_of(kind).handling == Handling::kPersonal;
  return {.name = personal ? kPersonalName : kGossipName,
          .collective = kind,
          .source = "beyond the thesis",
          .description = personal ? "ways that share out the time of slow links; the packets with most to "
                                    "come first"
                                  : "links carry what their targets lack, if no other brings it sooner",
          .domain =
              fmt::format("networks of at most {} nodes whose links differ in latency or width", kMostNodes),
          .why_not = why_not_unequal,
          .plan = personal                             ? personal_timetable
                  : kind == CollectiveKind::kAllreduce ? allreduce_timetable
                                                       : gossip_timetable,
          .knows_messages = true,
          .knows_one_way = true,
          .knows_routers = true,
          .knows_unequal_links = true};
}

}  // namespace

std::vector<Algorithm> unequal_timetable_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind kind :
       {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
        CollectiveKind::kMultinodeBroadcast, CollectiveKind::kTotalExchange, CollectiveKind::kPartialExchange,
        CollectiveKind::kPartialGather, CollectiveKind::kReduction, CollectiveKind::kMultinodeAccumulation,
        CollectiveKind::kAllreduce})
    list.push_back(unequal_timetable(kind));
  return list;
}

}  // namespace safnet
