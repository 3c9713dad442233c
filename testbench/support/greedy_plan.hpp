// greedy_plan - valid schedules for tests, by the simplest rule there is: every packet along shortest paths,
// each hop in the first step in which link and ports are free.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "cpp_model/schedule/problem.hpp"

namespace safnet::testbench {

inline Schedule greedy_plan(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "greedy");
  const Graph& graph = problem.graph;
  std::set<std::tuple<int, std::uint32_t, std::uint32_t>> busy;  // 0 link, 1 sender, 2 receiver; number; step
  const auto free = [&](NodeId from, LinkId link, NodeId to, std::uint32_t step) {
    if (busy.count({0, link, step}) != 0) return false;
    if (problem.ports != PortModel::kAllPort && busy.count({1, from, step}) != 0) return false;
    return problem.ports != PortModel::kOnePort || busy.count({2, to, step}) == 0;
  };
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    std::vector<std::uint32_t> has(graph.node_count(), 0);  // first step to send it on; 0: not there
    has[schedule.packets.origin(p)] = 1;
    for (const NodeId destination : schedule.packets.destinations(p)) {
      const std::vector<std::uint32_t> left = graph.distances_from(destination);
      // From the nearest node that has it, step by step.
      NodeId at = schedule.packets.origin(p);
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        if (has[v] != 0 && left[v] < left[at]) at = v;
      }
      while (at != destination) {
        PortId port = 0;
        while (left[graph.peer(at, port).node] >= left[at]) ++port;
        const NodeId to = graph.peer(at, port).node;
        const LinkId link = graph.link(at, port);
        std::uint32_t step = has[at];
        while (!free(at, link, to, step)) ++step;
        busy.insert({0, link, step});
        busy.insert({1, at, step});
        busy.insert({2, to, step});
        schedule.sends.push_back({step, link, p});
        has[to] = step + 1;
        at = to;
      }
    }
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet::testbench
