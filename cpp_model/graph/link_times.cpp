#include "cpp_model/graph/link_times.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace safnet {

LinkTimes::LinkTimes(const Graph& graph, std::uint32_t flits, std::uint32_t link_latency) {
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const LinkTiming timing = graph.timing(link);
    busy.push_back(flits * timing.cycles_per_flit);
    crossing.push_back(busy.back() + link_latency + timing.latency);
  }
}

std::vector<std::uint64_t> times_from(const Graph& graph, const LinkTimes& times, NodeId node,
                                      bool backwards) {
  std::vector<std::uint64_t> time(graph.node_count(), kNoWay);
  using Reached = std::pair<std::uint64_t, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  time[node] = 0;
  open.emplace(0, node);
  while (!open.empty()) {
    const auto [at, v] = open.top();
    open.pop();
    if (at != time[v]) continue;
    const PortId ports = backwards ? graph.in_degree(v) : graph.degree(v);
    for (PortId p = 0; p < ports; ++p) {
      const Endpoint end = backwards ? graph.feeder(v, p) : graph.peer(v, p);
      const LinkId link = backwards ? graph.link(end.node, end.port) : graph.link(v, p);
      const std::uint64_t there = at + times.crossing[link];
      if (there >= time[end.node]) continue;
      time[end.node] = there;
      open.emplace(there, end.node);
    }
  }
  return time;
}

}  // namespace safnet
