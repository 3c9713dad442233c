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
  /// Spanning tree for tree algorithms: "shortest-path", "depth-first", "product" or "random:SEED". Empty:
  /// the algorithm's own choice.
  std::string tree = {};
};

}  // namespace safnet
