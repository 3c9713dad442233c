// family_candidates - which networks of the families a network may be, by its number of nodes and their
// links.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/work_budget.hpp"

namespace safnet {

struct FamilyCandidate {
  std::string spelling;
  /// Nodes of which one can be any given node of the network that is compared with it: one for every kind of
  /// node that the family has. Empty: any node can be.
  std::vector<NodeId> kinds = {};
};

/// Nodes at distance 0, 1, ... from a node.
std::vector<NodeId> distance_profile(const Graph& graph, NodeId v);

/// Calls `is_it` with every network of a family that is no product of smaller ones and may be this graph,
/// until it returns true or the budget ends. Circulants are compared by their distances first; of those with
/// very many possible offsets only the ones with offset 1, or the extended ring, are asked about.
void visit_candidates(const Graph& graph, WorkBudget& budget,
                      const std::function<bool(const FamilyCandidate&)>& is_it);

}  // namespace safnet
