#include "cpp_model/bound/demand.hpp"

#include <algorithm>
#include <set>

#include "cpp_model/graph/input.hpp"

namespace safnet {

Demand::Demand(NodeId nodes, const std::vector<NodeId>& from, const std::vector<NodeId>& to)
    : is_origin(nodes, 0), is_destination(nodes, 0) {
  const auto mark = [nodes](const std::vector<NodeId>& which, std::vector<std::uint8_t>& marks) {
    std::uint64_t count = 0;
    for (const NodeId v : which) {
      if (v >= nodes) throw bad_input("node {}: expected one from 0 to {}", v, nodes - 1);
      count += marks[v] == 0 ? 1 : 0;
      marks[v] = 1;
    }
    return count;
  };
  origins = mark(from, is_origin);
  destinations = mark(to, is_destination);
  for (NodeId v = 0; v < nodes; ++v) both += is_origin[v] & is_destination[v];
}

std::optional<Demand> demand_of(const Problem& problem) {
  const CollectiveName& name = name_of(problem.collective);
  if (name.handling != Handling::kPersonal) return std::nullopt;
  const auto nodes_of = [&](Parties parties) {
    return some_nodes(parties, problem.graph.processor_count(), problem.root, problem.active).list();
  };
  Demand demand(problem.graph.node_count(), nodes_of(name.from), nodes_of(name.to));
  demand.messages = problem.messages;
  return demand;
}

PacketsAtOnce packets_at_once(PortModel ports, bool backwards) {
  const bool sends_one = ports != PortModel::kAllPort, receives_one = ports == PortModel::kOnePort;
  return backwards ? PacketsAtOnce{receives_one, sends_one} : PacketsAtOnce{sends_one, receives_one};
}

Wiring::Wiring(const Graph& graph) : first{0} {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) target.push_back(graph.peer(v, p).node);
    first.push_back(static_cast<LinkId>(target.size()));
  }
}

Wiring Wiring::reversed() const {
  return Wiring(Groups(nodes(), [this](const auto& put) {
    for (NodeId v = 0; v < nodes(); ++v) {
      for (const NodeId u : targets_of(v)) put(u, v);
    }
  }));
}

Wiring Wiring::both_ways() const {
  const Wiring back = reversed();
  return Wiring(Groups(nodes(), [&](const auto& put) {
    for (const Wiring* way : {this, &back}) {
      for (NodeId v = 0; v < nodes(); ++v) {
        for (const NodeId u : way->targets_of(v)) put(v, u);
      }
    }
  }));
}

void Wiring::spread(std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const {
  for (std::size_t head = 0; head < order.size(); ++head) {
    const NodeId v = order[head];
    for (const NodeId u : targets_of(v)) {
      if (distance[u] != kUnreachable) continue;
      distance[u] = distance[v] + 1;
      order.push_back(u);
    }
  }
}

void Wiring::search(NodeId source, std::vector<NodeId>& order, std::vector<std::uint32_t>& distance) const {
  order.assign(1, source);
  distance.assign(nodes(), kUnreachable);
  distance[source] = 0;
  spread(order, distance);
}

std::vector<std::uint32_t> Wiring::distances_from(NodeId source) const {
  std::vector<NodeId> order;
  std::vector<std::uint32_t> distance;
  search(source, order, distance);
  return distance;
}

std::vector<std::uint32_t> Wiring::distance_from_nearest(const std::vector<std::uint8_t>& marked) const {
  std::vector<std::uint32_t> distance(nodes(), kUnreachable);
  std::vector<NodeId> order;
  for (NodeId v = 0; v < nodes(); ++v) {
    if (marked[v] == 0) continue;
    distance[v] = 0;
    order.push_back(v);
  }
  spread(order, distance);
  return distance;
}

LinkId Wiring::neighbours(NodeId v) const {
  const std::span<const NodeId> targets = targets_of(v);
  return static_cast<LinkId>(std::set<NodeId>(targets.begin(), targets.end()).size());
}

Wiring::Parts Wiring::parts_without(NodeId v) const {
  Parts parts = {.part_of = std::vector<NodeId>(nodes(), kNoNode)};
  std::vector<NodeId>& part = parts.part_of;
  std::vector<NodeId> reached;
  part[v] = 0;  // any number, so that the search does not enter v
  // Every part has a neighbour of v.
  for (const NodeId neighbour : targets_of(v)) {
    if (part[neighbour] != kNoNode) continue;
    part[neighbour] = parts.count;
    reached.assign(1, neighbour);
    while (!reached.empty()) {
      const NodeId at = reached.back();
      reached.pop_back();
      for (const NodeId u : targets_of(at)) {
        if (part[u] != kNoNode) continue;
        part[u] = parts.count;
        reached.push_back(u);
      }
    }
    ++parts.count;
  }
  part[v] = parts.count;
  return parts;
}

DepthFirstTree::DepthFirstTree(const Wiring& wiring)
    : position(wiring.nodes(), kUnreachable),
      end(wiring.nodes()),
      parent(wiring.nodes(), 0),
      low(wiring.nodes()) {
  std::vector<LinkId> next = wiring.first;  // by node: first link not looked at
  const auto enter = [this](NodeId v) {
    position[v] = static_cast<std::uint32_t>(order.size());
    low[position[v]] = position[v];
    order.push_back(v);
  };
  enter(0);
  std::uint32_t at = 0;
  while (true) {
    const NodeId v = order[at];
    if (next[v] < wiring.first[v + 1]) {
      const NodeId u = wiring.target[next[v]++];
      if (position[u] == kUnreachable) {
        enter(u);
        parent[position[u]] = at;
        at = position[u];
      } else {
        low[at] = std::min(low[at], position[u]);
      }
      continue;
    }
    end[at] = static_cast<std::uint32_t>(order.size());
    if (at == 0) break;
    low[parent[at]] = std::min(low[parent[at]], low[at]);
    at = parent[at];
  }
}

}  // namespace safnet
