// shuffled_network - a network with its nodes and ports in another order, as a file might list it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/port_numbering.hpp"

namespace safnet {

/// Ends of its edges, each once, or of its one-way links.
inline std::vector<std::pair<NodeId, NodeId>> edges_of(const Graph& graph) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      if (graph.has_one_way_links() || graph.peer(v, p).node > v)
        edges.emplace_back(v, graph.peer(v, p).node);
    }
  }
  return edges;
}

/// The network of these edges, or one-way links.
inline Graph network_of(NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& edges, LinkPairs pairs) {
  PortNumbering ports(nodes, pairs);
  for (const auto& [u, v] : edges) ports.connect(u, v);
  return std::move(ports).graph("from a list");
}

/// Node v becomes node numbers[v], and ports are numbered as a list of the edges in a random order would.
inline Graph shuffled_network(const Graph& graph, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto shuffle = [&](auto& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
  };
  std::vector<NodeId> numbers(graph.node_count());
  std::iota(numbers.begin(), numbers.end(), NodeId{0});
  shuffle(numbers);
  auto edges = edges_of(graph);
  shuffle(edges);
  for (auto& [u, v] : edges) {
    u = numbers[u];
    v = numbers[v];
    if (!graph.has_one_way_links() && random() % 2 != 0) std::swap(u, v);
  }
  return network_of(graph.node_count(), edges,
                    graph.has_one_way_links() ? LinkPairs::kNotAll : LinkPairs::kAll);
}

}  // namespace safnet
