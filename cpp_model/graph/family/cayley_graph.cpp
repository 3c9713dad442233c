#include "cpp_model/graph/family/cayley_graph.hpp"

#include <utility>

namespace safnet {

Translations cyclic_translations(NodeId n) {
  return {[n](NodeId v, NodeId x) { return (v + x) % n; },
          [n](NodeId v, NodeId x) { return (x + n - v) % n; }};
}

Translations exclusive_or_translations() {
  const auto exclusive_or = [](NodeId v, NodeId x) { return v ^ x; };
  return {exclusive_or, exclusive_or};
}

DistanceFormulas symmetric_formulas(NodeId nodes, std::uint32_t degree, std::uint32_t diameter,
                                    std::optional<std::uint64_t> status, std::string source) {
  DistanceFormulas formulas;
  formulas.degree = [degree](NodeId) { return degree; };
  formulas.eccentricity = [diameter](NodeId) { return diameter; };
  formulas.diameter = diameter;
  if (status) {
    formulas.status = [s = *status](NodeId) { return s; };
    formulas.total_status = *status * nodes;
  }
  formulas.source = std::move(source);
  return formulas;
}

}  // namespace safnet
