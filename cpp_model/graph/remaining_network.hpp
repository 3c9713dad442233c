// remaining_network - a network without some of its links and nodes, which are known to be at fault.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/make_network.hpp"

namespace safnet {

/// The network without what `entries` name. An entry is A:B, a link between two neighbours in both
/// directions; A>B, one from A to B alone; or a node, with all of its links. Of parallel links an entry takes
/// the one with the lowest port at A that is left. Nodes keep their order and their names; where these are
/// only numbers and nodes are missing, node 5 is called node_5 afterwards, whatever its number is. Ports of a
/// node keep their order. If the rest is a network of a family, it is known as that (Graph::known_as()).
/// Throws std::invalid_argument if the rest falls apart.
Graph remaining_network(const Graph& graph, const std::vector<std::string>& entries, std::string spelling,
                        const MakeNetwork& make);

/// The network that a remaining one is a part of, and the number that each node has there.
struct WholeNetwork {
  Graph graph;
  std::vector<NodeId> number;
};
/// By the spelling without(A;...) of a remaining network; nothing for any other.
std::optional<WholeNetwork> whole_network(const Graph& remaining, const MakeNetwork& make);

}  // namespace safnet
