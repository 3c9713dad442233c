#include "cpp_model/graph/processor_distance.hpp"

#include <numeric>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

std::uint64_t processor_status(const Graph& graph, NodeId v) {
  if (!graph.has_routers()) return graph.status(v);
  const std::vector<std::uint32_t> distance = graph.distances_from(v);
  return std::accumulate(distance.begin(), distance.begin() + graph.processor_count(), std::uint64_t{0});
}

std::uint64_t total_processor_status(const Graph& graph) {
  if (!graph.has_routers()) return graph.total_status();
  const std::uint64_t n = graph.processor_count();
  if (fat_tree_shape(graph)) return n * processor_status(graph, 0);
  std::uint64_t sum = 0;
  for (NodeId v = 0; v < n; ++v) sum += processor_status(graph, v);
  return sum;
}

}  // namespace safnet
