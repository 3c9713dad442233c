#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

// A root with `arity` children, and so on for `height` levels below it; numbered level by level. Ports to the
// children come first.
Graph complete_tree(std::uint32_t arity, std::uint32_t height) {
  std::vector<std::uint32_t> depth{0};
  std::vector<std::vector<Endpoint>> ports(1);
  for (NodeId v = 0; v < ports.size() && depth[v] < height; ++v) {
    std::vector<Endpoint> children;
    for (std::uint32_t c = 0; c < arity; ++c) {
      // A node that is no leaf has its parent behind its children.
      const PortId to_parent = depth[v] + 1 < height ? arity : 0;
      children.push_back({static_cast<NodeId>(ports.size()), to_parent});
      ports.push_back({{v, c}});
      depth.push_back(depth[v] + 1);
    }
    ports[v].insert(ports[v].begin(), children.begin(), children.end());
  }
  DistanceFormulas formulas;
  formulas.degree = [depth, arity, height](NodeId v) {
    return (depth[v] < height ? arity : 0) + (depth[v] > 0 ? 1 : 0);
  };
  formulas.eccentricity = [depth, arity, height](NodeId v) {
    return arity == 1 ? std::max(depth[v], height - depth[v]) : depth[v] + height;
  };
  formulas.diameter = arity == 1 ? height : 2 * height;
  formulas.source = "levels of the tree";
  return Graph(fmt::format("tree:{},{}", arity, height), std::move(ports)).with_formulas(std::move(formulas));
}

Graph build_tree(const Spelling& spelling) {
  const auto words = spelling.words(2, "ARITY,HEIGHT such as 2,3");
  const std::uint32_t arity = spelling.number(words[0], 1, kMaxDegree - 1);
  const std::uint32_t height = spelling.number(words[1], 1, kMaxNodes - 1);
  std::uint64_t level = 1, nodes = 1;
  for (std::uint32_t h = 0; h < height && nodes <= kMaxNodes; ++h) nodes += level *= arity;
  if (nodes > kMaxNodes)
    throw spelling.wrong(spelling.arguments(), fmt::format("a tree of at most {} nodes", kMaxNodes));
  return complete_tree(arity, height);
}

// Level by level, every node above the middle of its leaves.
Layout tree_layout(const Graph& graph) {
  const NodeId arity = graph.degree(0);
  std::size_t leaves = 1;
  for (std::size_t nodes = 1; nodes < graph.node_count(); nodes += leaves) leaves *= arity;
  const double width = 0.75 * static_cast<double>(leaves);
  Layout layout;
  double y = 0;
  for (std::size_t level = 1; layout.nodes.size() < graph.node_count(); level *= arity, y -= 1.15) {
    for (std::size_t k = 0; k < level; ++k) {
      layout.nodes.push_back({width * (static_cast<double>(k) + 0.5) / static_cast<double>(level), y});
    }
  }
  return layout;
}

}  // namespace

std::vector<TopologyFamily> tree_families() {
  return {{"tree", ":ARITY,HEIGHT", "tree:2,3",
           "complete tree: ARITY children per node, HEIGHT levels below the root", build_tree, tree_layout}};
}

}  // namespace safnet
