#include "cpp_model/algorithm/routed/shortest_ways.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace safnet {
namespace {

constexpr HopIndex kNotReached = kNoHop - 1;

}  // namespace

ShortestWays::ShortestWays(const Graph& graph)
    : graph_(graph),
      distances_(graph.node_count()),
      packets_(graph.link_count()),
      reached_by_(graph.node_count(), kNotReached),
      is_between_(graph.node_count()),
      least_(graph.node_count()) {
  if (graph.node_count() > kMostShortestWayNodes)
    throw std::logic_error("shortest_ways: too large a network");
}

const std::vector<std::uint16_t>& ShortestWays::distances_from(NodeId node) {
  if (distances_[node].empty()) {
    const std::vector<std::uint32_t> distance = graph_.distances_from(node);
    distances_[node].assign(distance.begin(), distance.end());
  }
  return distances_[node];
}

LinkId ShortestWays::last_link(NodeId origin, NodeId to, const std::vector<HopIndex>* reached) {
  const std::vector<std::uint16_t>& distance = distances_from(origin);
  LinkId best = 0;
  bool found = false, best_reached = false;
  const PortId ports = graph_.in_degree(to);
  for (PortId i = 0; i < ports; ++i) {
    // Different origins begin with different ports, so that equals are not all decided alike.
    const PortId q = (origin + i) % ports;
    const Endpoint from = graph_.feeder(to, q);
    if (distance[from.node] + 1 != distance[to]) continue;
    const LinkId link = graph_.link(from.node, from.port);
    const bool is_reached = reached != nullptr && (*reached)[from.node] != kNotReached;
    if (found && best_reached != is_reached ? best_reached : found && packets_[best] <= packets_[link])
      continue;
    best = link;
    best_reached = is_reached;
    found = true;
  }
  return best;
}

std::vector<LinkId> ShortestWays::path(NodeId from, NodeId to) {
  std::vector<LinkId> links;
  if (from == to) return links;
  // The nodes on shortest ways, those nearest to `to` first.
  std::vector<NodeId> between{to};
  is_between_[to] = true;
  const std::vector<std::uint16_t>& distance = distances_from(from);
  for (std::size_t i = 0; i < between.size() && visits_left_ > 0; ++i) {
    for (PortId q = 0; q < graph_.in_degree(between[i]); ++q) {
      const NodeId u = graph_.feeder(between[i], q).node;
      --visits_left_;
      if (distance[u] + 1 != distance[between[i]] || is_between_[u]) continue;
      is_between_[u] = true;
      between.push_back(u);
    }
  }
  for (const NodeId v : between) is_between_[v] = false;
  const bool may_compare = visits_left_ > 0;
  // The least that the busiest link of a way from `from` has, then the least in all.
  if (may_compare) {
    for (std::size_t i = between.size(); i-- > 0;) {
      const NodeId v = between[i];
      if (v == from) {
        least_[v] = {};
        continue;
      }
      least_[v] = {kUnreachable, 0, 0};
      for (PortId q = 0; q < graph_.in_degree(v); ++q) {
        const Endpoint u = graph_.feeder(v, q);
        if (distance[u.node] + 1 != distance[v]) continue;
        const LinkId link = graph_.link(u.node, u.port);
        const WayLoad with{std::max(least_[u.node].busiest, packets_[link] + 1),
                           least_[u.node].sum + packets_[link], link};
        if (std::pair(with.busiest, with.sum) < std::pair(least_[v].busiest, least_[v].sum)) least_[v] = with;
      }
    }
  }
  while (to != from) {
    links.push_back(may_compare ? least_[to].last : last_link(from, to, nullptr));
    ++packets_[links.back()];
    to = graph_.link_source(links.back());
  }
  std::ranges::reverse(links);
  return links;
}

void ShortestWays::add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                             std::span<const NodeId> destinations) {
  std::vector<NodeId> reached{origin};
  reached_by_[origin] = kNoHop;
  std::vector<LinkId> links;
  for (const NodeId destination : destinations) {
    links.clear();
    for (NodeId here = destination; reached_by_[here] == kNotReached;) {
      links.push_back(last_link(origin, here, &reached_by_));
      here = graph_.link_source(links.back());
    }
    for (std::size_t i = links.size(); i-- > 0;) {
      const NodeId to = graph_.link_target(links[i]);
      reached_by_[to] = hops.add(links[i], reached_by_[graph_.link_source(links[i])], packet);
      reached.push_back(to);
      ++packets_[links[i]];
    }
  }
  for (const NodeId v : reached) reached_by_[v] = kNotReached;
}

void ShortestWays::add_multicast(Hops& hops, PacketIndex packet, NodeId origin) {
  // The nearest come first, so that ways to those further away go on from them.
  std::vector<NodeId> others(graph_.processor_count());
  std::iota(others.begin(), others.end(), NodeId{0});
  std::erase(others, origin);
  const std::vector<std::uint16_t>& distance = distances_from(origin);
  std::ranges::stable_sort(others, {}, [&](NodeId v) { return distance[v]; });
  add_paths(hops, packet, origin, others);
}

}  // namespace safnet
