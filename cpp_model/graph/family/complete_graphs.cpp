#include "cpp_model/graph/family/complete_graphs.hpp"

#include <fmt/format.h>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/products.hpp"
#include "cpp_model/graph/family/rings.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

Graph build_complete(const Spelling& spelling) { return complete_graph(spelling.number(2, kMaxDegree + 1)); }

Graph build_generalized_hypercube(const Spelling& spelling) {
  for (const std::string& word : split(spelling.arguments(), 'x')) spelling.number(word, 2, kMaxDegree + 1);
  return product_of_sizes(spelling, "generalized-hypercube", complete_graph);
}

}  // namespace

Graph complete_graph(NodeId n) {
  return extended_ring(n, n / 2)
      .with_spelling(fmt::format("complete:{}", n))
      .with_formulas(symmetric_formulas(n, n - 1, 1, n - 1, "thesis 2.3, (4.11)"));
}

std::vector<TopologyFamily> complete_families() {
  return {
      {"complete", ":N", "complete:8", "every node joined to every other", build_complete, circle_layout,
       TopologyFamily::Order::kCircle},
      {"generalized-hypercube", ":AxBx...", "generalized-hypercube:3x4", "product of complete graphs",
       build_generalized_hypercube},
  };
}

}  // namespace safnet
