// cayley_graph - what families of Cayley graphs have in common.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Translations of the integers modulo n.
inline Translations cyclic_translations(NodeId n) {
  return {[n](NodeId v, NodeId x) { return (v + x) % n; },
          [n](NodeId v, NodeId x) { return (x + n - v) % n; }};
}
/// Translations of addresses that are added bit by bit.
inline Translations exclusive_or_translations() {
  const auto exclusive_or = [](NodeId v, NodeId x) { return v ^ x; };
  return {exclusive_or, exclusive_or};
}

/// The same numbers at every node, as on all graphs that look alike from every node.
inline DistanceFormulas symmetric_formulas(NodeId nodes, std::uint32_t degree, std::uint32_t diameter,
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

/// A Cayley graph: `neighbour(v, p)` multiplies v by generator p on the right, `inverse[p]` is the port that
/// leads back.
template <class Neighbour>
Graph cayley_graph(std::string spelling, NodeId nodes, const std::vector<PortId>& inverse,
                   Neighbour neighbour, Translations translations) {
  std::vector<std::vector<Endpoint>> ports(nodes);
  for (NodeId v = 0; v < nodes; ++v) {
    for (PortId p = 0; p < inverse.size(); ++p) ports[v].push_back({neighbour(v, p), inverse[p]});
  }
  return Graph(std::move(spelling), std::move(ports)).with_translations(std::move(translations));
}

}  // namespace safnet
