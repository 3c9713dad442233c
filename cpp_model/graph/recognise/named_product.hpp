// named_product - the name of a product whose factors have names.
#pragma once

#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/make_network.hpp"

namespace safnet {

/// A factor as its family builds it, and the coordinate that every node of the product has in it.
struct NamedFactor {
  Graph graph;
  std::vector<NodeId> coordinate;  ///< by node of the product
};

/// The network that a product of one or more networks is known as, and for every node its number there.
struct NamedProduct {
  Graph network;
  std::vector<NodeId> node;
};

/// Of prime factors: hypercube, mesh, torus, generalized hypercube, hypercycle or doubled cube, if they are
/// all of its kind, otherwise product(A,B,...); a single factor is itself. Large factors come first. Two
/// edges are the ring of four nodes where that makes a torus, or is all there is. `make`: see MakeNetwork.
NamedProduct named_product(std::vector<NamedFactor> factors, const MakeNetwork& make);

}  // namespace safnet
