#include "cpp_model/bound/load_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cpp_model/bound/exact.hpp"

namespace safnet {
namespace {

// Searches of the whole network are done for all nodes while nodes times links stays below this.
constexpr std::uint64_t kMaxSearched = std::uint64_t{1} << 24;

bool all_to_all(const Graph& graph, const Demand& demand) {
  return demand.origins == graph.node_count() && demand.destinations == graph.node_count();
}

// Calls visit(distance from an origin to a destination) for every packet; distances are the same both ways.
template <class Visit>
void for_each_distance(const Graph& graph, const Demand& demand, Visit visit) {
  const Wiring wiring(graph);
  const bool from_origins = demand.origins <= demand.destinations;
  const auto& sources = from_origins ? demand.is_origin : demand.is_destination;
  const auto& targets = from_origins ? demand.is_destination : demand.is_origin;
  std::uint64_t left = 2 * kMaxSearched;
  std::vector<NodeId> order;
  std::vector<std::uint32_t> distance;
  for (NodeId v = 0; v < wiring.nodes() && left != 0; ++v) {
    if (sources[v] == 0) continue;
    left -= std::min(left, wiring.links() + wiring.nodes());
    wiring.search(v, order, distance);
    for (NodeId u = 0; u < wiring.nodes(); ++u) {
      if (targets[u] != 0) visit(distance[u]);
    }
  }
}

}  // namespace

LowerBound hops_bound(const Graph& graph, const Demand& demand, PortModel ports) {
  std::uint64_t hops = 0;
  if (all_to_all(graph, demand)) {
    hops = graph.total_status();
  } else {
    for_each_distance(graph, demand, [&](std::uint32_t distance) { hops += distance; });
  }
  if (ports == PortModel::kAllPort)
    return {divide_up(hops, graph.link_count()),
            fmt::format("{} hops of all packets over {} links", hops, graph.link_count())};
  const std::uint64_t steps = divide_up(hops, graph.node_count());
  if (all_to_all(graph, demand)) return {steps, "average status, thesis (4.4)"};
  return {steps, fmt::format("{} hops of all packets sent by {} nodes", hops, graph.node_count())};
}

LowerBound distance_bound(const Graph& graph, const Demand& demand) {
  if (all_to_all(graph, demand)) return {graph.diameter(), "diameter"};
  std::uint32_t furthest = 0;
  for_each_distance(graph, demand, [&](std::uint32_t distance) { furthest = std::max(furthest, distance); });
  return {furthest, "distance from origin to destination"};
}

LowerBound node_bound(const Graph& graph, const Demand& demand, PortModel ports) {
  const Wiring wiring(graph);
  const NodeId n = wiring.nodes();
  // A node of a Cayley graph is no cut node, except that of ring:2 and the like, where all are leaves.
  const bool may_forward = !graph.translations() && std::uint64_t{n} * wiring.links() <= kMaxSearched;
  LowerBound best;
  std::vector<std::uint64_t> origins, destinations;
  for (NodeId v = 0; v < n; ++v) {
    const std::uint64_t own = demand.is_origin[v] * (demand.destinations - demand.is_destination[v]);
    const std::uint64_t gets = demand.is_destination[v] * (demand.origins - demand.is_origin[v]);
    std::uint64_t forwards = 0;
    if (may_forward && wiring.degree(v) > 1) {
      NodeId parts = 0;
      const std::vector<NodeId> part = wiring.parts_without(v, parts);
      if (parts > 1) {
        origins.assign(parts + 1, 0);
        destinations.assign(parts + 1, 0);
        for (NodeId u = 0; u < n; ++u) {
          origins[part[u]] += demand.is_origin[u];
          destinations[part[u]] += demand.is_destination[u];
        }
        forwards = (demand.origins - demand.is_origin[v]) * (demand.destinations - demand.is_destination[v]);
        for (NodeId i = 0; i < parts; ++i) forwards -= origins[i] * destinations[i];
      }
    }
    if (own + forwards > best.steps) {
      best.steps = own + forwards;
      best.reason = forwards == 0
                        ? fmt::format("{} packets of its own that node {} sends one by one", own, v)
                        : fmt::format(
                              "node {} sends {} packets of its own and forwards {} between the parts "
                              "that it joins",
                              v, own, forwards);
    }
    if (ports == PortModel::kOnePort && gets + forwards > best.steps) {
      best.steps = gets + forwards;
      best.reason = forwards == 0 ? fmt::format("{} packets that node {} receives one by one", gets, v)
                                  : fmt::format(
                                        "node {} receives {} packets for itself and {} that it "
                                        "forwards between the parts that it joins",
                                        v, gets, forwards);
    }
  }
  return best;
}

}  // namespace safnet
