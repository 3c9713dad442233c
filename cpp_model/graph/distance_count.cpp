#include "cpp_model/graph/distance_count.hpp"

#include <algorithm>
#include <utility>

namespace safnet {
namespace {

using Counts = std::vector<std::uint64_t>;

void add_distances(const Graph& graph, NodeId from, std::uint64_t times, Counts& counts) {
  for (const std::uint32_t distance : graph.distances_from(from)) {
    if (distance >= counts.size()) counts.resize(distance + 1);
    counts[distance] += times;
  }
}

// The distance in a product is the sum of the distances in its factors.
Counts product(const Counts& a, const Counts& b) {
  Counts counts(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) counts[i + j] += a[i] * b[j];
  }
  return counts;
}

// Branches are merged below the node that they meet at. A branch is kept as the number of its nodes per
// level, the deepest level first, so that it grows at its end.
Counts count_in_tree(const Graph& tree) {
  const NodeId nodes = tree.node_count();
  const std::vector<std::uint32_t> depth = tree.distances_from(0);
  std::vector<NodeId> order(nodes);
  for (NodeId v = 0; v < nodes; ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return depth[a] > depth[b]; });
  std::vector<Counts> branch(nodes);
  Counts counts(std::size_t{2} * depth[order.front()] + 1);
  counts[0] = nodes;
  for (const NodeId v : order) {
    branch[v].push_back(1);  // v itself, above what has been merged into it
    for (std::size_t below = 1; below < branch[v].size(); ++below)
      counts[below] += 2 * branch[v][branch[v].size() - 1 - below];
    if (v == 0) break;
    NodeId parent = 0;
    for (PortId p = 0; p < tree.degree(v); ++p) {
      if (depth[tree.peer(v, p).node] < depth[v]) parent = tree.peer(v, p).node;
    }
    Counts& merged = branch[parent];
    Counts arriving = std::exchange(branch[v], {});
    if (merged.size() < arriving.size()) merged.swap(arriving);
    // Level i from the top of one branch is i + 1 below the parent.
    for (std::size_t i = 0; i < arriving.size(); ++i) {
      const std::uint64_t pairs = 2 * arriving[arriving.size() - 1 - i];
      for (std::size_t j = 0; j < merged.size(); ++j)
        counts[i + j + 2] += pairs * merged[merged.size() - 1 - j];
    }
    for (std::size_t i = 0; i < arriving.size(); ++i)
      merged[merged.size() - 1 - i] += arriving[arriving.size() - 1 - i];
  }
  while (counts.back() == 0) counts.pop_back();
  return counts;
}

}  // namespace

std::optional<Counts> count_distances(const Graph& graph, std::uint64_t max_visits) {
  if (!graph.factors().empty()) {
    Counts counts{1};
    for (const Graph& factor : graph.factors()) {
      const std::optional<Counts> of_factor = count_distances(factor, max_visits);
      if (!of_factor) return std::nullopt;
      counts = product(counts, *of_factor);
    }
    return counts;
  }
  Counts counts;
  if (graph.translations()) {
    add_distances(graph, 0, graph.node_count(), counts);
    return counts;
  }
  if (graph.is_tree()) return count_in_tree(graph);
  if ((graph.link_count() + graph.node_count()) * graph.node_count() > max_visits) return std::nullopt;
  for (NodeId v = 0; v < graph.node_count(); ++v) add_distances(graph, v, 1, counts);
  return counts;
}

}  // namespace safnet
