// dimensions - networks dimension by dimension, and how the packets of exchanges are numbered.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The dimensions of a graph: its factors, or itself.
std::vector<Graph> dimensions_of(const Graph& graph);

/// Where the copies of a dimension are in a network.
struct DimensionCopies {
  struct Copy {
    NodeId base = 0;        ///< its node 0
    PortId first_port = 0;  ///< of all its nodes, for the ports of the dimension
  };
  Graph dimension;
  NodeId stride = 1;
  std::vector<Copy> list;

  NodeId node(const Copy& copy, NodeId i) const { return copy.base + i * stride; }
  /// What the link from port `port` of the dimension's node `at` is in a copy.
  LinkId link(const Graph& network, const Copy& copy, NodeId at, PortId port) const {
    return network.link(node(copy, at), copy.first_port + port);
  }
};
/// Of every dimension, the copies in the order of their nodes 0.
std::vector<DimensionCopies> copies_of_dimensions(const Graph& graph);

bool all_same(const std::vector<Graph>& networks);
/// Number of a packet in a total exchange of n nodes: see collective_packets().
inline PacketIndex exchange_packet(NodeId origin, NodeId destination, NodeId n) {
  return origin * (n - 1) + destination - (destination > origin ? 1 : 0);
}
/// Number of the packet for another node in a scatter, or of it in a gather.
inline PacketIndex personal_packet(std::uint32_t message, NodeId other, NodeId root, NodeId n) {
  return message * (n - 1) + other - (other > root ? 1 : 0);
}

/// The sum over all pairs of nodes of their distance: hops that every planner of shortest paths makes.
std::uint64_t all_hops(const Graph& graph);

}  // namespace safnet
