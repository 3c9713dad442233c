#include "cpp_model/bound/load_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Searches of the whole network are done for all nodes while nodes times links stays below this.
constexpr std::uint64_t kMostDistanceSteps = std::uint64_t{1} << 24;

bool all_to_all(const Graph& graph, const Demand& demand) {
  return demand.origins == graph.node_count() && demand.destinations == graph.node_count();
}

// Are all distances cheap: because a formula gives them, or because there are few?
bool distances_are_cheap(const Graph& graph) {
  for (const Graph& factor : graph.factors()) {
    if (!distances_are_cheap(factor)) return false;
  }
  const std::uint64_t n = graph.node_count();
  return !graph.factors().empty() || graph.translations() || graph.is_tree() ||
         n * (n + graph.link_count()) <= 32 * kMostDistanceSteps;
}

// Calls visit(distance, origin, destination) for every packet, by searches from the origins or, backwards,
// from the destinations. On a large network only for some of the packets: their sum and their maximum are
// still lower bounds.
template <class Visit>
void for_each_distance(const Graph& graph, const Demand& demand, Visit visit) {
  const bool from_origins = demand.origins <= demand.destinations;
  const Wiring wiring = from_origins ? Wiring(graph) : Wiring(graph).reversed();
  const auto& sources = from_origins ? demand.is_origin : demand.is_destination;
  const auto& targets = from_origins ? demand.is_destination : demand.is_origin;
  std::uint64_t left = 2 * kMostDistanceSteps;
  for (NodeId v = 0; v < wiring.nodes() && left != 0; ++v) {
    if (sources[v] == 0) continue;
    left -= std::min(left, wiring.links() + wiring.nodes());
    const std::vector<std::uint32_t> distance = wiring.distances_from(v);
    for (NodeId u = 0; u < wiring.nodes(); ++u) {
      if (targets[u] != 0) visit(distance[u], from_origins ? v : u, from_origins ? u : v);
    }
  }
}

}  // namespace

LowerBound hops_bound(const Graph& graph, const Demand& demand, PortModel ports) {
  std::uint64_t hops = 0;
  const bool all = all_to_all(graph, demand) && distances_are_cheap(graph);
  if (all) {
    hops = graph.total_status();
  } else {
    for_each_distance(graph, demand, [&](std::uint32_t distance, NodeId, NodeId) { hops += distance; });
  }
  hops *= demand.messages;
  const bool of_links = ports == PortModel::kAllPort;
  const std::uint64_t at_once = of_links ? graph.link_count() : graph.node_count();
  BoundWitness witness =
      stated_witness(WitnessKind::kNetwork, {},
                     fmt::format("all packets together need {}, {} {} one each a step", counted(hops, "hop"),
                                 at_once, of_links ? "links carry" : "nodes send"));
  std::string reason = "average status, thesis (4.4)";
  if (of_links) {
    reason = fmt::format("{} hops of {}packets over {} links", hops, all ? "all " : "", at_once);
  } else if (!all || demand.messages != 1) {
    reason = fmt::format("{} hops of packets sent by {} nodes", hops, at_once);
  }
  return {divide_up(hops, at_once), std::move(reason), "", std::move(witness)};
}

LowerBound distance_bound(const Graph& graph, const Demand& demand) {
  if (all_to_all(graph, demand) && distances_are_cheap(graph))
    return {graph.diameter(), "diameter", "", way_between(kNoNode, kNoNode)};
  std::uint32_t furthest = 0;
  NodeId from = 0, to = 0;
  for_each_distance(graph, demand, [&](std::uint32_t distance, NodeId origin, NodeId destination) {
    if (distance <= furthest) return;
    furthest = distance;
    from = origin;
    to = destination;
  });
  return {furthest, "distance from origin to destination", "", way_between(from, to)};
}

LowerBound transfer_bound(const Problem& problem, std::uint64_t packets) {
  const Graph& graph = problem.graph;
  const NodeId destination = destination_of(problem);
  const std::uint64_t at_once = problem.ports == PortModel::kAllPort
                                    ? std::min(graph.degree(problem.root), graph.in_degree(destination))
                                    : 1;
  const std::uint64_t hops = graph.distances_from(problem.root)[destination];
  // One step's worth of packets: only the way counts.
  BoundWitness witness = packets <= at_once ? way_between(problem.root, destination)
                                            : must_leave(problem.root, packets, at_once, 0, hops - 1);
  return {hops - 1 + divide_up(packets, at_once),
          "distance to the destination, and what leaves the root at once", "", std::move(witness)};
}

LowerBound node_bound(const Graph& graph, const Demand& demand, PortModel ports) {
  const Wiring wiring(graph);
  const NodeId n = wiring.nodes();
  // Packets that a node forwards: from each part that the network falls into without it to the other parts.
  // The parts are subtrees of a depth-first search, and the rest of the network.
  const DepthFirstTree tree(graph.has_one_way_links() ? wiring.both_ways() : wiring);
  std::vector<std::uint64_t> origins(n + 1, 0), destinations(n + 1, 0);  // before a position
  for (NodeId i = 0; i < n; ++i) {
    origins[i + 1] = origins[i] + demand.is_origin[tree.order[i]];
    destinations[i + 1] = destinations[i] + demand.is_destination[tree.order[i]];
  }
  std::vector<std::uint64_t> within(n, 0), cut_off_origins(n, 0), cut_off_destinations(n, 0);
  for (std::uint32_t i = 1; i < n; ++i) {
    if (!tree.hangs(i)) continue;
    const NodeId above = tree.order[tree.parent[i]];
    const std::uint64_t from = origins[tree.end[i]] - origins[i];
    const std::uint64_t to = destinations[tree.end[i]] - destinations[i];
    within[above] += from * to;
    cut_off_origins[above] += from;
    cut_off_destinations[above] += to;
  }
  const std::vector<std::uint32_t> from_origin = wiring.distance_from_nearest(demand.is_origin);
  const std::vector<std::uint32_t> to_destination =
      wiring.reversed().distance_from_nearest(demand.is_destination);
  LargestBound best;
  const auto consider = [&best](std::uint64_t packets, std::uint64_t before, std::uint64_t after,
                                const auto& reason, const auto& must, NodeId v) {
    if (packets == 0) return;
    const auto with_steps = [&] {
      if (before + after == 0) return reason();
      return fmt::format("{}, none in the first {} and the last {} steps", reason(), before, after);
    };
    best.consider(packets + before + after, with_steps, [&] { return must(v, packets, 1, before, after); });
  };
  for (NodeId v = 0; v < n; ++v) {
    const std::uint64_t other_origins = demand.origins - demand.is_origin[v];
    const std::uint64_t other_destinations = demand.destinations - demand.is_destination[v];
    const std::uint64_t own = demand.messages * demand.is_origin[v] * other_destinations;
    const std::uint64_t gets = demand.messages * demand.is_destination[v] * other_origins;
    const std::uint64_t forwards = demand.messages * (other_origins * other_destinations - within[v] -
                                                      (other_origins - cut_off_origins[v]) *
                                                          (other_destinations - cut_off_destinations[v]));
    // Lower bounds on the hops from the nearest origin, and to the nearest destination, other than v.
    const std::uint64_t from_other = std::max(from_origin[v], 1U), to_other = std::max(to_destination[v], 1U);
    // v sends nothing before the first packet has reached it; the last one that it sends has a hop less to go
    // than v is away from the nearest destination.
    const auto sends = [&] {
      return forwards == 0 ? fmt::format("{} packets of its own that node {} sends one by one", own, v)
                           : fmt::format(
                                 "node {} sends {} packets of its own and forwards {} between the "
                                 "parts that it joins",
                                 v, own, forwards);
    };
    consider(own + forwards, from_origin[v], to_other - 1, sends, must_leave, v);
    if (ports != PortModel::kOnePort) continue;
    const auto receives = [&] {
      return forwards == 0 ? fmt::format("{} packets that node {} receives one by one", gets, v)
                           : fmt::format(
                                 "node {} receives {} packets for itself and {} that it forwards "
                                 "between the parts that it joins",
                                 v, gets, forwards);
    };
    consider(gets + forwards, from_other - 1, to_destination[v], receives, must_reach, v);
  }
  return best.value();
}

}  // namespace safnet
