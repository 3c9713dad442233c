#include "cpp_model/claim/torus/torus_definitions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

TorusDefinitions::TorusDefinitions(std::uint32_t dimensions, std::uint32_t side) : n(dimensions), k(side) {
  for (std::uint32_t i = 0; i < n; ++i) nodes *= k;
  // Definition 4: the largest binary correspondent, then the largest digits, v_{n-1} first, in the order 0 <
  // 1 < k-1 < 2 < k-2 < ...
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order(nodes);
  distance.assign(nodes, 0);
  for (NodeId v = 0; v < nodes; ++v) {
    for (std::uint32_t i = n; i-- > 0;) {
      const std::uint32_t value = digit(v, i), hops = std::min(value, k - value);
      const std::uint32_t rank = 2 * hops - (value != 0 && 2 * value <= k ? 1 : 0);
      order[v] = {2 * order[v].first + (value != 0 ? 1 : 0), (k + 1) * order[v].second + rank};
      distance[v] += hops;
    }
  }
  period.assign(nodes, 0);
  displacement.assign(nodes, 0);
  generator.assign(nodes, 0);
  for (NodeId v = 0; v < nodes; ++v) {
    if (period[v] != 0) continue;
    std::vector<NodeId> necklace{v};
    for (NodeId u = rotate(v); u != v; u = rotate(u)) necklace.push_back(u);
    const auto largest = std::ranges::max_element(necklace, {}, [&](NodeId u) { return order[u]; });
    std::ranges::rotate(necklace, largest);
    for (std::uint32_t i = 0; i < necklace.size(); ++i) {
      period[necklace[i]] = static_cast<std::uint32_t>(necklace.size());
      displacement[necklace[i]] = i;
      generator[necklace[i]] = necklace[0];
    }
    if (v != 0) generators.push_back(necklace[0]);
  }
}

std::uint32_t TorusDefinitions::digit(NodeId v, std::uint32_t i) const {
  for (; i > 0; --i) v /= k;
  return v % k;
}

NodeId TorusDefinitions::rotate(NodeId v) const { return v / k + (k - v % k) % k * (nodes / k); }

NodeId TorusDefinitions::lowered(NodeId v, std::uint32_t i, ParentRule rule) const {
  const std::uint32_t value = digit(v, i);
  const bool down = rule == ParentRule::kAsPrinted ? value <= k / 2 : 2 * value < k;
  NodeId weight = 1;
  for (std::uint32_t j = 0; j < i; ++j) weight *= k;
  return down ? v - weight : value + 1 == k ? v - value * weight : v + weight;
}

NodeId TorusDefinitions::parent_of_generator(NodeId v, ParentRule rule) const {
  std::vector<std::uint32_t> nonzero;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (digit(v, i) != 0) nonzero.push_back(i);
  }
  const NodeId parent = lowered(v, nonzero[0], rule);
  const bool repair = rule == ParentRule::kRepaired && k % 2 == 0 && parent != 0 && !is_full(parent);
  return repair && nonzero.size() > 1 ? lowered(v, nonzero[1], rule) : parent;
}

TorusTree tree_of(const TorusDefinitions& torus, ParentRule rule) {
  TorusTree tree{std::vector<NodeId>(torus.nodes, 0), std::vector<NodeId>(torus.nodes, 0)};
  for (const NodeId g : torus.generators) {
    NodeId v = g, parent = torus.parent_of_generator(g, rule);
    for (std::uint32_t i = 0; i < torus.period[g]; ++i) {
      tree.parent[v] = parent;
      v = torus.rotate(v);
      parent = torus.rotate(parent);
    }
  }
  for (NodeId v = 1; v < torus.nodes; ++v) {
    NodeId u = v;
    while (tree.parent[u] != 0) u = tree.parent[u];
    tree.behind[v] = u;
  }
  return tree;
}

TorusTree seen_tree(const RunOutcome& outcome) {
  const NodeId nodes = outcome.graph->node_count();
  TorusTree tree{std::vector<NodeId>(nodes, 0), std::vector<NodeId>(nodes, 0)};
  std::map<PacketId, NodeId> destination;
  for (const Delivery& delivery : outcome.trace->deliveries) destination[delivery.packet] = delivery.node;
  for (const Transfer& transfer : outcome.trace->transfers) {
    const auto found = destination.find(transfer.packet);
    if (found == destination.end()) continue;
    const NodeId v = found->second, next = outcome.graph->peer(transfer.from, transfer.port).node;
    if (transfer.from == 0) tree.behind[v] = next;
    if (next == v) tree.parent[v] = transfer.from;
  }
  return tree;
}

std::uint64_t largest_subtree(const TorusTree& tree) {
  std::map<NodeId, std::uint64_t> sizes;
  for (NodeId v = 1; v < tree.behind.size(); ++v) ++sizes[tree.behind[v]];
  return std::ranges::max_element(sizes, {}, [](const auto& size) { return size.second; })->second;
}

}  // namespace safnet
