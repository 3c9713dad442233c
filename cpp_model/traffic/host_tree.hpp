// host_tree - which hosts pass packets on to which, where a collective is done by software alone.
//
// The network carries single packets from host to host and neither copies nor combines them. A broadcast goes
// down the tree, a reduction up: a host sends to another one only what it has got itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

struct HostTree {
  std::string name = {};  ///< as below
  NodeId root = 0;
  std::vector<NodeId> parent;                 ///< by processor; kNoNode for the root
  std::vector<std::vector<NodeId>> children;  ///< by processor, in the order in which it serves them
};

/// Names of trees:
/// - "separate": the root sends to every other host itself, the furthest first;
/// - "halving": whoever has the packets sends them into the half of its hosts that it is not in; hosts are
///   halved in the order of their numbers, so that messages of a round on a mesh, routed dimension by
///   dimension, share no link (McKinley, Xu, Esfahanian, Ni: unicast-based multicast, 1994, "U-mesh");
/// - "chain": through all hosts, one after the other; on products back and forth along the dimensions, from
///   neighbour to neighbour on meshes, elsewhere in the order of their numbers; from a root in the middle
///   both ways.
std::span<const std::string> host_tree_names();

/// Throws std::invalid_argument for a name that is none, or a root that does not process.
HostTree make_host_tree(const std::string& name, const Graph& graph, NodeId root);

}  // namespace safnet
