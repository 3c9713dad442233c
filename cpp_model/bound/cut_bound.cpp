#include "cpp_model/bound/cut_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "cpp_model/number/exact.hpp"

namespace safnet {

LowerBound cut_bound(const Graph& graph, const Cut& cut, const Demand& demand) {
  if (cut.from.empty()) return {};
  const Wiring wiring(graph);
  std::vector<std::uint8_t> origins = demand.is_origin, destinations = demand.is_destination;
  for (NodeId v = 0; v < wiring.nodes(); ++v) (cut.from[v] != 0 ? destinations : origins)[v] = 0;
  const std::vector<std::uint32_t> there_after = wiring.distance_from_nearest(origins);
  const std::vector<std::uint32_t> still_to_go = wiring.reversed().distance_from_nearest(destinations);
  std::vector<std::uint32_t> unused;  // by link: steps in which it cannot carry anything useful
  for (NodeId v = 0; v < wiring.nodes(); ++v) {
    if (cut.from[v] == 0) continue;
    for (const NodeId u : wiring.targets_of(v)) {
      if (cut.from[u] == 0) unused.push_back(there_after[v] + still_to_go[u]);
    }
  }
  const std::uint64_t steps = steps_of_late_servers(cut.packets, unused);
  BoundWitness witness = must_cross(cut.from, cut.packets, cut.links);
  if (steps > divide_up(cut.packets, cut.links)) witness.remark = ", and their ways to and from it count";
  return {steps,
          fmt::format("cut of {} {}: {} packets{}{}, thesis (4.1)", counted(cut.links, "link"), cut.where,
                      cut.packets,
                      graph.has_one_way_links() ? " one way"
                      : demand.symmetric()      ? " each way"
                                                : "",
                      steps > divide_up(cut.packets, cut.links) ? ", and their ways to and from it" : ""),
          "", std::move(witness)};
}

LowerBound one_port_cut_bound(const Graph& graph, const Cut& cut, PortModel ports) {
  if (cut.from.empty()) return {};
  const Wiring wiring(graph);
  const NodeId n = wiring.nodes();
  std::uint64_t at_once = 0;
  std::vector<NodeId> sender_to(n, kNoNode), tried(n, kNoNode);
  // Kuhn's algorithm: a sender takes a receiver that is free, or whose present sender finds another.
  const std::function<bool(NodeId, NodeId)> match = [&](NodeId v, NodeId round) {
    for (const NodeId u : wiring.targets_of(v)) {
      if (cut.from[u] != 0) continue;
      if (ports == PortModel::kOnePortSend) return true;
      if (tried[u] == round) continue;
      tried[u] = round;
      if (sender_to[u] == kNoNode || match(sender_to[u], round)) {
        sender_to[u] = v;
        return true;
      }
    }
    return false;
  };
  for (NodeId v = 0; v < n; ++v) at_once += cut.from[v] != 0 && match(v, v) ? 1 : 0;
  return {divide_up(cut.packets, std::max<std::uint64_t>(1, at_once)),
          fmt::format("cut {}: {} packets, {} at a time", cut.where, cut.packets, at_once), "",
          must_cross(cut.from, cut.packets, std::max<std::uint64_t>(1, at_once))};
}

}  // namespace safnet
