#include "cpp_model/schedule/known_problem.hpp"

#include <algorithm>

#include "cpp_model/graph/recognise/known_network.hpp"

namespace safnet {

Problem on_known_network(const Problem& problem) {
  const auto known = problem.graph.known_as();
  if (known == nullptr) return problem;
  // What is no node stays as it is, for those to refuse who check it.
  const auto there = [&](NodeId v) { return v < known->node.size() ? known->node[v] : v; };
  Problem result = problem;
  result.graph = known->network;
  result.root = there(problem.root);
  if (problem.collective == CollectiveKind::kMultipath && problem.root < known->node.size())
    result.destination = there(destination_of(problem));
  for (NodeId& v : result.active) v = there(v);
  std::ranges::sort(result.active);
  return result;
}

}  // namespace safnet
