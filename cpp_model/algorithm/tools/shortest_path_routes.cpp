#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {

ShortestPathRoutes::ShortestPathRoutes(const Graph& graph, NextHop choice) : graph_(graph), choice_(choice) {
  if (graph.node_count() > kMaxRoutedNodes) {
    throw bad_input("topology {}: total exchange is limited to {} nodes, this has {}", graph.spelling(),
                    kMaxRoutedNodes, graph.node_count());
  }
  for (const Graph& factor : dimensions_of(graph)) {
    Dimension dimension;
    dimension.size = factor.node_count();
    const std::size_t size = dimension.size;
    dimension.port.resize(size * size);
    dimension.distance.resize(size * size);
    std::uint32_t longest = 0;
    for (NodeId to = 0; to < size; ++to) {
      const auto distance = factor.distances_to(to);
      for (NodeId from = 0; from < size; ++from) {
        dimension.distance[from * size + to] = static_cast<std::uint16_t>(distance[from]);
        longest = std::max(longest, distance[from]);
        if (from == to) continue;
        for (PortId i = 0; i < factor.degree(from); ++i) {
          const PortId p = choice == NextHop::kLowestPort ? i : factor.degree(from) - 1 - i;
          if (distance[factor.peer(from, p).node] + 1 != distance[from]) continue;
          dimension.port[from * size + to] = static_cast<std::uint8_t>(p);
          break;
        }
      }
    }
    for (NodeId v = 0; v < size; ++v) dimension.degree.push_back(static_cast<std::uint8_t>(factor.degree(v)));
    longest_ += longest;
    dimensions_.push_back(std::move(dimension));
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (const NodeId c : graph.coordinates(v)) digits_.push_back(static_cast<std::uint16_t>(c));
  }
}

PortId ShortestPathRoutes::next_port(NodeId v, NodeId destination) const {
  const std::size_t k = dimensions_.size();
  const std::uint16_t* from = &digits_[v * k];
  const std::uint16_t* to = &digits_[destination * k];
  PortId before = 0;
  std::optional<PortId> port;
  for (std::size_t i = 0; i < k; ++i) {
    const Dimension& dimension = dimensions_[i];
    if (from[i] != to[i]) {
      port = before + dimension.port[std::size_t{from[i]} * dimension.size + to[i]];
      if (choice_ == NextHop::kLowestPort) return *port;
    }
    before += dimension.degree[from[i]];
  }
  if (port) return *port;
  throw std::logic_error("shortest_path_routes: no route from a node to itself");
}

std::uint32_t ShortestPathRoutes::distance(NodeId v, NodeId destination) const {
  const std::size_t k = dimensions_.size();
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const Dimension& dimension = dimensions_[i];
    sum +=
        dimension.distance[std::size_t{digits_[v * k + i]} * dimension.size + digits_[destination * k + i]];
  }
  return sum;
}

std::uint64_t ShortestPathRoutes::largest_link_load() const {
  const NodeId n = graph_.node_count();
  const bool symmetric = graph_.translations().has_value();
  if (!symmetric && n > 512)
    return std::uint64_t{n} * n / 4;  // with two-way links no link carries more; capped anyway
  // By symmetry the routes of one node, counted per port, are the routes over each link with that port.
  std::vector<std::uint64_t> load(symmetric ? graph_.max_degree() : std::size_t{n} * graph_.max_degree());
  for (NodeId source = 0; source < (symmetric ? 1 : n); ++source) {
    for (NodeId destination = 0; destination < n; ++destination) {
      for (NodeId v = source; v != destination;) {
        const PortId p = next_port(v, destination);
        ++load[symmetric ? p : std::size_t{v} * graph_.max_degree() + p];
        v = graph_.peer(v, p).node;
      }
    }
  }
  return *std::max_element(load.begin(), load.end());
}

}  // namespace safnet
