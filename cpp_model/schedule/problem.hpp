// problem - topology, collective, port model: what the user asks an algorithm to solve.
#pragma once

#include <string>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {

/// What the user asks an algorithm to solve.
struct Problem {
  Graph graph;
  CollectiveKind collective = CollectiveKind::kTotalExchange;
  PortModel ports = PortModel::kAllPort;
  NodeId root = 0;
  /// Spanning tree for tree algorithms, a word of make_tree(): "shortest-path", "random:SEED", ... Empty: the
  /// algorithm's own choice.
  std::string tree = {};
  /// Where a multipath transfer leads. kNoNode: the last node that is not the root.
  NodeId destination = kNoNode;
};

/// The destination of a multipath transfer. Throws std::invalid_argument if it does not exist or is the root.
NodeId destination_of(const Problem& problem);

/// What must be delivered. A multipath transfer is of as many packets as there are node-disjoint paths, by
/// Theorem 2.1 of the thesis if the network is a product. Throws std::invalid_argument.
Collective collective_of(const Problem& problem);

}  // namespace safnet
