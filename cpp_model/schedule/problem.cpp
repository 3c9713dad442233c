#include "cpp_model/schedule/problem.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cpp_model/graph/disjoint_paths.hpp"

namespace safnet {

NodeId destination_of(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  if (problem.destination == kNoNode) return problem.root == n - 1 ? n - 2 : n - 1;
  if (problem.destination >= n || problem.destination == problem.root) {
    throw std::invalid_argument(
        fmt::format("destination {}: expected a node from 0 to {} other than the root, {}",
                    problem.destination, n - 1, problem.root));
  }
  return problem.destination;
}

Collective collective_of(const Problem& problem) {
  const Graph& graph = problem.graph;
  if (problem.collective != CollectiveKind::kMultipath)
    return Collective(problem.collective, graph.node_count(), problem.root);
  const NodeId destination = destination_of(problem);
  const std::size_t paths = graph.factors().empty()
                                ? node_disjoint_paths(graph, problem.root, destination).size()
                                : promised_paths(graph, problem.root, destination);
  return Collective::multipath(graph.node_count(), problem.root, destination,
                               static_cast<std::uint32_t>(paths));
}

}  // namespace safnet
