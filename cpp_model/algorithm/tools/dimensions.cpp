#include "cpp_model/algorithm/tools/dimensions.hpp"

#include <algorithm>

#include "cpp_model/graph/same_network.hpp"

namespace safnet {

std::vector<Graph> dimensions_of(const Graph& graph) {
  return graph.factors().empty() ? std::vector<Graph>{graph} : graph.factors();
}

std::vector<DimensionCopies> copies_of_dimensions(const Graph& graph) {
  std::vector<DimensionCopies> all;
  std::vector<PortId> first_port(graph.node_count(), 0);  // by node: of the dimension's ports
  NodeId stride = graph.node_count();
  for (const Graph& dimension : dimensions_of(graph)) {
    const NodeId size = dimension.node_count();
    stride /= size;
    DimensionCopies& copies = all.emplace_back(DimensionCopies{dimension, stride, {}});
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const NodeId coordinate = v / stride % size;
      if (coordinate == 0) copies.list.push_back({v, first_port[v]});
      first_port[v] += dimension.degree(coordinate);
    }
  }
  return all;
}

bool all_same(const std::vector<Graph>& networks) {
  return std::all_of(networks.begin(), networks.end(),
                     [&](const Graph& network) { return same_network(network, networks[0]); });
}

std::uint64_t all_hops(const Graph& graph) {
  // Thesis Corollary 5.2: a product's is found dimension by dimension.
  std::uint64_t sum = 0;
  for (const Graph& dimension : dimensions_of(graph)) {
    const std::uint64_t copies = graph.node_count() / dimension.node_count();
    sum += copies * copies * dimension.total_status();
  }
  return sum;
}

}  // namespace safnet
