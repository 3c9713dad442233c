#include "cpp_model/algorithm/tree/root_port_assignment.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/number/exact.hpp"

namespace safnet {

RootPortAssignment::RootPortAssignment(const Graph& graph, NodeId root)
    : root_(root), nearest_(graph.distances_from(root)) {
  const NodeId n = graph.node_count();
  for (PortId p = 0; p < graph.degree(root); ++p) {
    std::vector<std::uint32_t> distance(n, kUnreachable);
    std::vector<NodeId> parent(n, kNoNode);
    std::vector<PortId> parent_port(n, 0);
    std::vector<NodeId> order{graph.peer(root, p).node};
    distance[order[0]] = 1;
    parent[order[0]] = root;
    parent_port[order[0]] = p;
    for (std::size_t head = 0; head < order.size(); ++head) {
      const NodeId v = order[head];
      for (PortId q = 0; q < graph.degree(v); ++q) {
        const NodeId u = graph.peer(v, q).node;
        if (u == root || distance[u] != kUnreachable) continue;
        distance[u] = distance[v] + 1;
        parent[u] = v;
        parent_port[u] = q;
        order.push_back(u);
      }
    }
    branches_.push_back({std::move(distance), RoutedTree(root, order, parent, parent_port)});
  }

  // The smallest share for which all can be given out, with as short detours as possible. Far nodes first:
  // they are the harder to place.
  std::vector<NodeId> destinations(n);
  std::iota(destinations.begin(), destinations.end(), NodeId{0});
  destinations.erase(destinations.begin() + static_cast<std::ptrdiff_t>(root));
  std::stable_sort(destinations.begin(), destinations.end(),
                   [&](NodeId a, NodeId b) { return nearest_[a] > nearest_[b]; });
  const auto ports = static_cast<std::uint32_t>(branches_.size());
  for (share_ = static_cast<std::uint32_t>(divide_up(n - 1, ports));; ++share_) {
    for (const std::uint32_t detour : {0U, 1U, 2U, 4U, n}) {
      branch_of_.assign(n, 0);
      given_.assign(ports, {});
      const bool all = std::all_of(destinations.begin(), destinations.end(), [&](NodeId d) {
        std::vector<bool> asked(ports, false);
        return give(d, detour, asked);
      });
      if (!all) continue;
      for (const NodeId d : destinations) longest_ = std::max(longest_, branches_[branch_of_[d]].distance[d]);
      return;
    }
  }
}

bool RootPortAssignment::give(NodeId destination, std::uint32_t detour, std::vector<bool>& asked) {
  for (PortId p = 0; p < branches_.size(); ++p) {
    const std::uint32_t distance = branches_[p].distance[destination];
    if (asked[p] || distance == kUnreachable || distance > nearest_[destination] + detour) continue;
    asked[p] = true;
    if (given_[p].size() < share_) {
      given_[p].push_back(destination);
      branch_of_[destination] = p;
      return true;
    }
    for (NodeId& other : given_[p]) {
      const NodeId moved = other;
      if (!give(moved, detour, asked)) continue;
      // `other` may have been overwritten only through branches other than p.
      other = destination;
      branch_of_[destination] = p;
      return true;
    }
  }
  return false;
}

std::optional<PortId> RootPortAssignment::next_port(NodeId v, NodeId destination) const {
  if (destination == root_ || v == destination) return std::nullopt;
  return branches_[branch_of_[destination]].tree.port_towards(v, destination);
}

std::uint32_t RootPortAssignment::hops(NodeId v, NodeId destination) const {
  const Branch& branch = branches_[branch_of_[destination]];
  return branch.distance[destination] - (v == root_ ? 0 : branch.distance[v]);
}

}  // namespace safnet
