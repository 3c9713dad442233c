// product_factors - the networks that a network is the cartesian product of.
#pragma once

#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/work_budget.hpp"

namespace safnet {

/// A factor of a product, and the coordinate that every node of the product has in it.
struct ProductFactor {
  Graph graph;
  std::vector<NodeId> coordinate;  ///< by node of the product: a node of `graph`
};

/// The prime factors of a connected network, which are unique (G. Sabidussi, 1960); none if it is prime
/// itself, or if the budget ends before it is known. Nodes that differ in one coordinate have as many links
/// to each other, in each direction, as their coordinates have in the factor; others have none. This is
/// verified before it is returned.
///
/// Edges of different factors span squares, and opposite edges of a square belong to the same factor. So
/// edges that must belong together are joined: those of a node that span no square or several, opposite edges
/// of squares (W. Imrich, J. Zerovnik, Factoring Cartesian-product graphs, 1994), and, only if the classes
/// are no product yet, those that Djokovic's relation joins, which looks at distances (T. Feder, Product
/// graph representations, 1992).
std::vector<ProductFactor> product_factors(const Graph& graph, WorkBudget& budget);

}  // namespace safnet
