#include "cpp_model/algorithm/routed/routed_schedules.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostHopsTwice = 300'000;

}  // namespace

std::uint32_t last_of(std::span<const std::uint32_t> steps) {
  return steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
}

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

void send_packets(Schedule& schedule, const Problem& problem, PacketWays& ways, std::uint64_t goal) {
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

Hops hops_of_trees(NodeId processors, std::span<const CombiningTree> trees, const WayOfEdge& way) {
  Hops hops;
  PacketIndex number = 0;
  std::vector<HopIndex> informed_by(processors);
  for (const CombiningTree& edges : trees) {
    std::fill(informed_by.begin(), informed_by.end(), kNoHop);
    for (const ProcessorInforming& edge : edges) {
      HopIndex after = informed_by[edge.from];
      const std::vector<LinkId> links = way(edge, number);
      for (std::size_t i = links.size(); i-- > 0;) after = hops.add(links[i], after, number);
      informed_by[edge.to] = after;
      ++number;
    }
  }
  return hops;
}

bool combine_too_many(NodeId processors, std::span<const CombiningTree> trees) {
  std::vector<NodeId> parts(processors);
  for (const CombiningTree& edges : trees) {
    std::fill(parts.begin(), parts.end(), 1);
    for (const ProcessorInforming& edge : edges) {
      if (++parts[edge.from] > kMostCombined) return true;
    }
  }
  return false;
}

std::optional<CombiningPlan> plan_trees(const Problem& problem, PacketWays& ways,
                                        std::vector<CombiningTree> trees, std::uint64_t goal) {
  const NodeId processors = problem.graph.processor_count();
  if (combine_too_many(processors, trees)) return std::nullopt;
  CombiningPlan plan;
  plan.trees = std::move(trees);
  plan.hops = hops_of_trees(processors, plan.trees, [&](const ProcessorInforming& edge, PacketIndex) {
    return ways.path(edge.to, edge.from);
  });
  plan.steps = steps_of_hops(problem, plan.hops, goal);
  plan.last = last_of(plan.steps);
  return plan;
}

std::vector<NodeId> roots_in_turn(const Problem& problem) {
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) roots.push_back(m % problem.graph.processor_count());
  return roots;
}

std::vector<PacketIndex> add_combining(Schedule& schedule, std::span<const NodeId> roots,
                                       const CombiningPlan& plan, bool for_all) {
  const NodeId n = schedule.network.processor_count();
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

Schedule combine_everywhere(const Problem& problem, PacketWays& ways, const std::string& algorithm) {
  const NodeId n = problem.graph.processor_count();
  Schedule schedule = empty_schedule(problem, algorithm);
  Problem broadcast = problem;
  broadcast.collective = CollectiveKind::kMultinodeBroadcast;
  send_packets(schedule, problem, ways, lower_bound(broadcast).steps);
  std::vector<PacketIndex> parts(n);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    std::iota(parts.begin(), parts.end(), m * n);
    for (NodeId v = 0; v < n; ++v) schedule.packets.add(v, problem.messages + m, 1, std::span(&v, 1), parts);
  }
  return schedule;
}

Schedule combine_then_broadcast(const Problem& problem, std::span<const NodeId> roots,
                                const CombiningPlan& plan, PacketWays& ways, std::uint64_t goal,
                                const std::string& algorithm) {
  Schedule schedule = empty_schedule(problem, algorithm);
  const std::vector<PacketIndex> results = add_combining(schedule, roots, plan, true);
  Hops hops;
  for (std::size_t r = 0; r < results.size(); ++r) ways.add_multicast(hops, results[r], roots[r]);
  std::vector<std::uint32_t> steps = steps_of_hops(problem, hops, goal);
  for (std::uint32_t& step : steps) step += plan.last;
  add_sends(schedule, hops, steps);
  return schedule;
}

}  // namespace safnet
