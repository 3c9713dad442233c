// listed_networks - networks given by their edges: as a list, at random, or as a machine has them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// A connected graph without parallel edges: a random spanning tree and random further edges. The same seed
/// gives the same graph everywhere. n - 1 <= edges <= n (n - 1) / 2.
Graph random_graph(NodeId n, std::uint64_t edges, std::uint64_t seed);
/// A full-duplex edge per pair, in the order given; each takes the next free port of its two nodes. Throws
/// std::invalid_argument if the graph is not connected or a node is joined to itself.
Graph graph_of_edges(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& edges);
/// A one-way link per pair, from its first to its second node, in the order given; each takes the next free
/// output and input port. Throws std::invalid_argument if some node cannot be reached from another or a node
/// is joined to itself.
Graph graph_of_links(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& links);
/// NVIDIA's DGX-1: eight processors with six edges each, some of them double, as in dgx1.topology.json.
Graph dgx1();

std::vector<TopologyFamily> listed_families();

}  // namespace safnet
