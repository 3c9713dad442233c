#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// The edges to the complements have a colour of their own. The axes of four dimensions keep links as far away
// as possible from the nodes that they pass.
Layout folded_cube_layout(const Graph& graph) {
  const std::uint32_t d = graph.max_degree() - 1;
  Layout layout;
  layout.nodes = cube_corners(d == 4 ? std::vector<Point>{{2.2, 0}, {0, 2.2}, {1.13, 0.93}, {1.5, -0.24}}
                                     : cube_axes(d));
  layout.line = [d](NodeId, PortId p) { return Line{.special = p == d}; };
  return layout;
}

// The hypercube with two parallel edges for each of its edges, wired as a torus of rings of two nodes: ports
// 2 i and 2 i + 1 both change coordinate i.
Graph doubled_cube(std::uint32_t d) {
  // A ring of two nodes with both its edges.
  const Graph dimension =
      cayley_graph(
          "doubled-cube:1", 2, {1, 0}, [](NodeId v, PortId) { return 1 - v; }, cyclic_translations(2))
          .with_formulas(symmetric_formulas(2, 2, 1, 1, "one bit per dimension"));
  return cartesian_product(std::vector<Graph>(d, dimension), fmt::format("doubled-cube:{}", d));
}

}  // namespace

Graph folded_cube(std::uint32_t d) {
  const NodeId nodes = NodeId{1} << d;
  std::vector<PortId> inverse(d + 1);
  std::iota(inverse.begin(), inverse.end(), PortId{0});
  std::uint64_t status = 0;
  for (std::uint64_t weight = 1; weight <= d; ++weight)
    status += binomial(d, weight) * std::min(weight, d + 1 - weight);
  const auto name = [d](NodeId v) { return fmt::format("b{:0{}b}", v, d); };
  return cayley_graph(
             fmt::format("folded-cube:{}", d), nodes, inverse,
             [&](NodeId v, PortId p) { return p == d ? v ^ (nodes - 1) : v ^ (NodeId{1} << (d - 1 - p)); },
             exclusive_or_translations())
      .with_formulas(symmetric_formulas(nodes, d + 1, (d + 1) / 2, status, "the nearer of two complements"))
      .with_node_names(name);
}

std::vector<TopologyFamily> folded_cube_families() {
  return {
      {"folded-cube", ":D", "folded-cube:3", "hypercube with every node joined to its complement",
       [](const Spelling& s) { return folded_cube(s.number(2, 16)); }, folded_cube_layout},
      {"doubled-cube", ":D", "doubled-cube:3", "hypercube with every edge twice: a torus of sides 2",
       [](const Spelling& s) { return doubled_cube(s.number(1, 16)); }},
  };
}

}  // namespace safnet
