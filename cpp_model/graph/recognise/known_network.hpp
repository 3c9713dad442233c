// known_network - a network under another name: which node and which link of one is which of the other.
//
// Planners ask a Graph for what its family knows of it: dimensions, translations, closed forms. A network
// that was read from a file knows nothing of the kind. If it is recognised, what is planned on the network
// that it is can be carried over, node by node and link by link.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// An isomorphism between a network ("this one", the one that Graph::known_as() belongs to) and a network
/// that is known by its name. The port through which a link leaves is that of the link.
struct KnownNetwork {
  Graph network;                  ///< the one that is known
  std::vector<NodeId> node;       ///< by node of this one: the node of `network`
  std::vector<NodeId> node_here;  ///< by node of `network`: the node of this one
  std::vector<LinkId> link;       ///< by link of this one: the link of `network`
  std::vector<LinkId> link_here;  ///< by link of `network`: the link of this one
  bool same_numbers() const;      ///< nodes and links have the same numbers in both
};

/// The isomorphism that takes node v of `graph` to node[v] of `network`, verified link by link: nullptr if
/// `node` is not a renumbering, or there are not as many links from any node to any other as between their
/// images. Of parallel links the first is the image of the first; the two directions of an edge are an edge
/// again.
std::shared_ptr<const KnownNetwork> known_network(const Graph& graph, const Graph& network,
                                                  std::vector<NodeId> node);

/// The network that the graph is known as, which has dimensions and closed forms; the graph itself if it is
/// known as none. Lives as long as the graph.
const Graph& as_known(const Graph& graph);

/// "the network torus:8x8x8 with its nodes in another order"; empty if the graph is known as none.
std::string known_in_words(const Graph& graph);

}  // namespace safnet
