// dimensions - networks dimension by dimension, and the packets of total exchanges on them.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The dimensions of a graph: its factors, or itself.
std::vector<Graph> dimensions_of(const Graph& graph);
/// The same nodes, ports and links, whatever they are called.
bool same_network(const Graph& a, const Graph& b);
/// Number of a packet in a total exchange of n nodes: see collective_packets().
inline PacketIndex exchange_packet(NodeId origin, NodeId destination, NodeId n) {
  return origin * (n - 1) + destination - (destination > origin ? 1 : 0);
}

/// The sum over all pairs of nodes of their distance: hops that every planner of shortest paths makes.
std::uint64_t all_hops(const Graph& graph);

}  // namespace safnet
