#include "cpp_model/graph/recognise/recognise.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cpp_model/graph/recognise/family_candidates.hpp"
#include "cpp_model/graph/recognise/isomorphism.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/recognise/named_product.hpp"
#include "cpp_model/graph/recognise/product_factors.hpp"

namespace safnet {
namespace {

// Building a network takes as long as so many visits of its nodes and links.
constexpr std::uint64_t kVisitsOfBuilding = 20;

// The network of a family that is no product, and the number that every node has there.
std::optional<NamedFactor> of_family(const Graph& graph, const MakeNetwork& make, WorkBudget& budget) {
  std::optional<NamedFactor> found;
  const std::uint64_t size = graph.node_count() + graph.link_count();
  const std::vector<NodeId> profile = distance_profile(graph, 0);
  visit_candidates(graph, budget, [&](const FamilyCandidate& candidate) {
    if (!budget.take(kVisitsOfBuilding * size)) return true;
    const Graph network = make(candidate.spelling);
    if (network.link_count() != graph.link_count()) return false;
    std::vector<NodeId> images = candidate.kinds;
    std::erase_if(images, [&](NodeId v) { return distance_profile(network, v) != profile; });
    if (images.empty() && !candidate.kinds.empty()) return false;
    if (auto node = isomorphism(graph, network, images, budget)) found = {network, std::move(*node)};
    return found.has_value() || budget.left() == 0;
  });
  return found;
}

// The product's factor with its nodes numbered as its family numbers them; as it is if it is of none.
NamedFactor named_factor(ProductFactor factor, const MakeNetwork& make, WorkBudget& budget) {
  const auto named = of_family(factor.graph, make, budget);
  if (!named) return {std::move(factor.graph), std::move(factor.coordinate)};
  for (NodeId& at : factor.coordinate) at = named->coordinate[at];
  return {named->graph, std::move(factor.coordinate)};
}

}  // namespace

Graph recognise(const Graph& graph, const MakeNetwork& make, std::uint64_t visits) {
  if (graph.has_routers() || graph.has_unequal_links() || graph.node_count() < 2) return graph;
  WorkBudget budget(visits);
  std::vector<NamedFactor> factors;
  for (ProductFactor& factor : product_factors(graph, budget))
    factors.push_back(named_factor(std::move(factor), make, budget));
  if (factors.empty()) {
    auto whole = of_family(graph, make, budget);
    if (!whole) return graph;
    factors.push_back(std::move(*whole));
  }
  NamedProduct product = named_product(std::move(factors), make);
  auto known = known_network(graph, product.network, std::move(product.node));
  if (known == nullptr) return graph;
  const DistanceFormulas& published = product.network.formulas();
  DistanceFormulas formulas = published;
  const auto renumbered = [&](auto& formula) {
    if (formula) formula = [formula, known](NodeId v) { return formula(known->node[v]); };
  };
  renumbered(formulas.degree);
  renumbered(formulas.eccentricity);
  renumbered(formulas.status);
  return graph.with_formulas(std::move(formulas)).with_known_network(std::move(known));
}

}  // namespace safnet
