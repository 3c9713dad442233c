#include "cpp_model/bound/routed_bound.hpp"

#include <algorithm>

namespace safnet {

LowerBound routed_bound(const Problem& problem) {
  const Graph& graph = problem.graph;
  std::uint32_t farthest = 0;
  const std::vector<std::uint32_t> distance = graph.distances_from(problem.root);
  for (NodeId v = 0; v < graph.processor_count(); ++v) farthest = std::max(farthest, distance[v]);
  return {farthest, "distance to the farthest processor", ""};
}

}  // namespace safnet
