// shortest_path_routes - one shortest path for every pair of nodes: dimension by dimension, lowest port
// first, or highest.
//
// In a product the lowest (highest) dimension in which two nodes differ is crossed first (e-cube on
// hypercubes); inside a dimension the lowest (highest) port on a shortest path is taken, so the half-way node
// of an even ring is reached clockwise (counterclockwise). On a graph whose translations keep port numbers
// the choice is the same at every node: it is node-invariant in the sense of thesis Definition 4.3.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Largest network with a route for every pair: the tables grow with its square.
inline constexpr NodeId kMaxRoutedNodes = 4096;

/// Which of the ports that lead nearer is taken.
enum class NextHop : std::uint8_t { kLowestPort, kHighestPort };

class ShortestPathRoutes {
 public:
  /// Throws std::invalid_argument if the graph has more than kMaxRoutedNodes nodes.
  explicit ShortestPathRoutes(const Graph& graph, NextHop choice = NextHop::kLowestPort);
  /// Port of `v` on the way to `destination`; they must differ.
  PortId next_port(NodeId v, NodeId destination) const;
  std::uint32_t distance(NodeId v, NodeId destination) const;
  std::uint32_t longest() const { return longest_; }
  /// Largest number of routes that share one link; n^2 / 4 if n > 512 and there are no translations.
  std::uint64_t largest_link_load() const;

 private:
  struct Dimension {
    NodeId size;
    std::vector<std::uint8_t> port;       // [from][to], within the dimension
    std::vector<std::uint16_t> distance;  // [from][to]
    std::vector<std::uint8_t> degree;     // [from]
  };
  Graph graph_;
  NextHop choice_;
  std::vector<Dimension> dimensions_;
  std::vector<std::uint16_t> digits_;  // [node][dimension]
  std::uint32_t longest_ = 0;
};

}  // namespace safnet
