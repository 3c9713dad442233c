#include "cpp_model/graph/description.hpp"

#include "cpp_model/graph/distance_count.hpp"
#include "cpp_model/graph/family/fat_tree_bisection.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// Visits of links and nodes in a search: a few seconds.
constexpr std::uint64_t kMaxVisits = 600'000'000;

// The narrowest node of the hardware that has enough ports.
PortId radix_class(PortId degree) {
  PortId radix = 4;
  while (radix < degree) radix = radix == 64 ? 96 : radix == 96 ? 128 : 2 * radix;
  return radix;
}

// Edges between the lower and the upper half of each dimension of even size, where the numbers of its nodes
// are places in a row or on a circle.
std::vector<HalvingCut> cuts_of(const Graph& graph) {
  std::vector<Graph> dimensions = graph.factors();
  if (dimensions.empty()) dimensions.push_back(graph);
  std::vector<HalvingCut> cuts;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const Graph& dimension = dimensions[i];
    const NodeId size = dimension.node_count();
    if (size % 2 != 0 || order_of_nodes(dimension) == TopologyFamily::Order::kNone) continue;
    std::uint64_t crossing = 0;
    for (LinkId l = 0; l < dimension.link(size / 2, 0); ++l)
      crossing += dimension.link_target(l) >= size / 2 ? 1 : 0;
    cuts.push_back({i, size, crossing * (graph.node_count() / size)});
  }
  return cuts;
}

// Pairs of processors at each distance, ordered; nothing if that takes more than kMaxVisits.
std::optional<std::vector<std::uint64_t>> count_processor_distances(const Graph& graph) {
  const NodeId processors = graph.processor_count();
  if (processors * (graph.node_count() + graph.link_count()) > kMaxVisits) return std::nullopt;
  std::vector<std::uint64_t> pairs(1);
  for (NodeId v = 0; v < processors; ++v) {
    const std::vector<std::uint32_t> distance = graph.distances_from(v);
    for (NodeId u = 0; u < processors; ++u) {
      if (distance[u] >= pairs.size()) pairs.resize(distance[u] + 1);
      ++pairs[distance[u]];
    }
  }
  return pairs;
}

// What is known of a fat tree: distances between its leaves, and how they are parted.
void describe_tree(NetworkDescription& d, const FatTree& tree) {
  d.bisection = leaf_bisection_width(tree);
  d.diameter.published = 2 * tree.height();
  d.status.published = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i)
    *d.status.published += std::uint64_t{2} * i * (tree.leaves_below(i) - tree.leaves_below(i - 1));
  d.total_status.published = *d.status.published * tree.leaves();
}

}  // namespace

NetworkDescription describe_network(const Graph& graph) {
  const Graph& shape = as_known(graph);  // with its dimensions
  NetworkDescription result{.graph = graph,
                            .radix = radix_class(graph.max_degree()),
                            .degree = {},
                            .diameter = {},
                            .status = {},
                            .total_status = {},
                            .cuts = cuts_of(shape),
                            .tree = fat_tree_shape(graph),
                            .bisection = {},
                            .pairs = {}};
  const DistanceFormulas& formulas = graph.formulas();
  // The degree shown is node 0's, or that of the first node whose degree is not what the formula says.
  for (NodeId v = 0; v < graph.node_count() && result.degree.agrees(); ++v) {
    if (v > 0 && (!formulas.degree || formulas.degree(v) == graph.degree(v))) continue;
    result.degree.found = graph.degree(v);
    if (formulas.degree) result.degree.published = formulas.degree(v);
  }
  result.status.found = processor_status(graph, 0);
  if (result.tree) {
    describe_tree(result, *result.tree);
  } else if (!graph.has_routers()) {
    if (formulas.status) result.status.published = formulas.status(0);
    result.diameter.published = formulas.diameter;
    result.total_status.published = formulas.total_status;
  }
  result.pairs = graph.has_routers() ? count_processor_distances(graph) : count_distances(shape, kMaxVisits);
  if (!result.pairs) return result;
  result.diameter.found = result.pairs->size() - 1;
  result.total_status.found = 0;
  for (std::size_t d = 0; d < result.pairs->size(); ++d)
    *result.total_status.found += d * result.pairs->at(d);
  if (!graph.has_one_way_links()) {
    for (std::uint64_t& count : *result.pairs) count /= 2;
  }
  return result;
}

}  // namespace safnet
