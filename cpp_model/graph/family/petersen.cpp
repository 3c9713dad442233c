#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

Graph build_generalized_petersen(const Spelling& spelling) {
  const auto words = spelling.words(2, "N,K such as 5,2");
  const NodeId n = spelling.number(words[0], 3, kMaxNodes / 2);
  return generalized_petersen(n, spelling.number(words[1], 1, (n - 1) / 2));
}

Graph build_petersen(const Spelling&) {
  return generalized_petersen(5, 2)
      .with_spelling("petersen")
      .with_formulas(symmetric_formulas(10, 3, 2, 3 + 2 * 6, "the Moore graph of degree 3 and diameter 2"));
}

// The outer ring of a generalized Petersen graph around its inner nodes.
Layout two_circles(const Graph& graph) {
  const NodeId around = graph.node_count() / 2;
  const double outer = std::max(circle_radius(around), 1.2);
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v)
    layout.nodes.push_back((v < around ? outer : 0.5 * outer) * on_circle(v % around, around));
  return layout;
}

}  // namespace

Graph generalized_petersen(NodeId n, NodeId k) {
  std::vector<std::vector<Endpoint>> ports(2 * n);
  for (NodeId v = 0; v < n; ++v) {
    ports[v] = {{(v + 1) % n, 1}, {(v + n - 1) % n, 0}, {n + v, 2}};
    ports[n + v] = {{n + (v + k) % n, 1}, {n + (v + n - k) % n, 0}, {v, 2}};
  }
  DistanceFormulas formulas;
  formulas.degree = [](NodeId) { return 3U; };
  formulas.source = "two rings and spokes";
  return Graph(fmt::format("generalized-petersen:{},{}", n, k), std::move(ports))
      .with_formulas(std::move(formulas));
}

std::vector<TopologyFamily> petersen_families() {
  return {
      {"generalized-petersen", ":N,K", "generalized-petersen:5,2",
       "outer ring, spokes, inner nodes joined to those K places away", build_generalized_petersen,
       two_circles},
      {"petersen", "", "petersen", "the Petersen graph, generalized-petersen:5,2", build_petersen,
       two_circles},
  };
}

}  // namespace safnet
