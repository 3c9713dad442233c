#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// The extended ring with rho = floor(n/2): every node adjacent to every other.
Graph complete_graph(NodeId n) {
  return extended_ring(n, n / 2)
      .with_spelling(fmt::format("complete:{}", n))
      .with_formulas(symmetric_formulas(n, n - 1, 1, n - 1, "thesis 2.3, (4.11)"));
}

// 2^d nodes, one bit of the address per dimension; dimension 0 is the highest bit.
Graph hypercube(std::uint32_t d) {
  const NodeId nodes = NodeId{1} << d;
  return cartesian_product(std::vector<Graph>(d, linear_array(2)), fmt::format("hypercube:{}", d))
      .with_translations(exclusive_or_translations())
      .with_formulas(symmetric_formulas(nodes, d, d, std::uint64_t{d} * nodes / 2, "thesis 2.3, 5.2"));
}

// The product of `factor(size)` for every size in "4x3x2"; sizes are at least 2.
Graph product_of_sizes(const Spelling& spelling, const std::string& family, Graph (*factor)(NodeId)) {
  std::vector<NodeId> sizes;
  spelling.factors(
      [&](const std::string& word) { return sizes.emplace_back(spelling.number(word, 2, kMaxNodes)); });
  std::vector<Graph> factors;
  for (const NodeId size : sizes) factors.push_back(factor(size));
  return cartesian_product(factors, fmt::format("{}:{}", family, fmt::join(sizes, "x")));
}

Graph build_generalized_hypercube(const Spelling& spelling) {
  for (const std::string& word : split(spelling.arguments(), 'x')) spelling.number(word, 2, kMaxDegree + 1);
  return product_of_sizes(spelling, "generalized-hypercube", complete_graph);
}

Graph build_hypercycle(const Spelling& spelling) {
  std::vector<std::pair<NodeId, NodeId>> rings;  // nodes, and how far edges reach
  spelling.factors([&](const std::string& word) {
    const std::vector<std::string> parts = split(word, '/');
    if (parts.size() != 2) throw spelling.wrong(word, "N/RHO such as 8/2");
    const NodeId n = spelling.number(parts[0], 2, kMaxNodes);
    const NodeId rho = spelling.number(parts[1], 1, std::min<NodeId>(n / 2, kMaxDegree / 2));
    rings.emplace_back(n, rho);
    return n;
  });
  std::vector<Graph> factors;
  std::vector<std::string> canonical;
  for (const auto& [n, rho] : rings) {
    factors.push_back(extended_ring(n, rho));
    canonical.push_back(fmt::format("{}/{}", n, rho));
  }
  return cartesian_product(factors, fmt::format("hypercycle:{}", fmt::join(canonical, "x")));
}

// The numbers here and in cube_corners() keep links as far away as possible from the nodes that they pass.
// Four dimensions are a cube within a cube.
Layout hypercube_layout(const Graph& graph) {
  const auto d = static_cast<std::uint32_t>(graph.factors().size());
  Layout layout;
  layout.nodes = cube_corners(cube_axes(d));
  for (std::size_t w = 0; d == 4 && w < layout.nodes.size(); ++w) {
    const auto sign = [&](unsigned bit) { return (w >> bit & 1) != 0 ? 0.5 : -0.5; };
    const double size = (w & 8) != 0 ? 1.27 : 3;
    layout.nodes[w] = size * Point{sign(1) + 0.59 * sign(2), sign(0) + 0.25 * sign(2)};
  }
  return layout;
}

}  // namespace

std::vector<TopologyFamily> product_families() {
  return {
      {"mesh", ":AxBx...", "mesh:4x3x2", "product of linear arrays",
       [](const Spelling& s) { return product_of_sizes(s, "mesh", linear_array); }},
      {"torus", ":AxBx...", "torus:4x4", "product of rings",
       [](const Spelling& s) { return product_of_sizes(s, "torus", ring); }},
      {"hypercube", ":D", "hypercube:4", "2^D nodes, one bit of the address per dimension",
       [](const Spelling& s) { return hypercube(s.number(1, 16)); }, hypercube_layout},
      {"hypercycle", ":N/RHOxN/RHO...", "hypercycle:3/1x6/2", "product of extended rings", build_hypercycle},
      {"complete", ":N", "complete:8", "every node joined to every other",
       [](const Spelling& s) { return complete_graph(s.number(2, kMaxDegree + 1)); }, circle_layout,
       TopologyFamily::Order::kCircle},
      {"generalized-hypercube", ":AxBx...", "generalized-hypercube:3x4", "product of complete graphs",
       build_generalized_hypercube},
  };
}

}  // namespace safnet
