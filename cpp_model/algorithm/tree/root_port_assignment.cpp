#include "cpp_model/algorithm/tree/root_port_assignment.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/number/exact.hpp"

namespace safnet {

RootPortAssignment::RootPortAssignment(const Graph& graph, NodeId root)
    : root_(root), branches_(graph.degree(root)), nearest_(graph.distances_from(root)) {
  const NodeId n = graph.node_count();
  for (PortId p = 0; p < branches_.size(); ++p) {
    Branch& branch = branches_[p];
    branch.distance.assign(n, kUnreachable);
    branch.enter.assign(n, 0);
    branch.size.assign(n, 0);
    branch.size[root] = 1;
    branch.children.resize(n);
    std::vector<NodeId> parent(n, kNoNode);
    std::vector<PortId> parent_port(n, 0);
    std::vector<NodeId> order{graph.peer(root, p).node};
    branch.distance[order[0]] = 1;
    parent[order[0]] = root;
    parent_port[order[0]] = p;
    for (std::size_t head = 0; head < order.size(); ++head) {
      const NodeId v = order[head];
      for (PortId q = 0; q < graph.degree(v); ++q) {
        const NodeId u = graph.peer(v, q).node;
        if (u == root || branch.distance[u] != kUnreachable) continue;
        branch.distance[u] = branch.distance[v] + 1;
        parent[u] = v;
        parent_port[u] = q;
        order.push_back(u);
      }
    }
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
      branch.size[*v] += 1;
      branch.size[parent[*v]] += branch.size[*v];
    }
    std::vector<std::uint32_t> next(n, 1);  // number of the next child
    for (const NodeId v : order) {
      const NodeId above = parent[v];
      branch.enter[v] = branch.enter[above] + next[above];
      next[above] += branch.size[v];
      branch.children[above].push_back({branch.enter[v], parent_port[v]});
    }
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
  const Branch& branch = branches_[branch_of_[destination]];
  const std::uint32_t number = branch.enter[destination];
  if (number <= branch.enter[v] || number >= branch.enter[v] + branch.size[v]) return std::nullopt;
  const auto after =
      std::upper_bound(branch.children[v].begin(), branch.children[v].end(), number,
                       [](std::uint32_t wanted, const Branch::Child& child) { return wanted < child.enter; });
  return std::prev(after)->port;
}

std::uint32_t RootPortAssignment::hops(NodeId v, NodeId destination) const {
  const Branch& branch = branches_[branch_of_[destination]];
  return branch.distance[destination] - (v == root_ ? 0 : branch.distance[v]);
}

}  // namespace safnet
