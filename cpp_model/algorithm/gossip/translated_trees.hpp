// translated_trees - trees for a multinode broadcast on a Cayley graph in which all nodes do the same, each
// moved to where it is (translated_sends.hpp): in every step the trees of node 0 use each port at most once.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/tools/translated_sends.hpp"

namespace safnet {

/// Steps that no multinode broadcast of `messages` packets per node can beat on a graph where all nodes look
/// alike: all-port max(eccentricity, ceil(messages (n - 1) / degree)), or more if parallel links stay idle in
/// the first step; one-port messages (n - 1).
std::uint64_t translated_broadcast_bound(const Graph& graph, PortModel ports, std::uint32_t messages);

/// The trees of node 0 for messages 0 ... messages - 1, by step. In every step each port is used at most once
/// (unless all-port: one port in all). The graph must have translations. All-port the hops are found step by
/// step: a matching of ports and nodes, the earliest message first, the leftover ports filled with the next
/// ones. Which nodes come first is tried in several ways until the bound is met; the best is returned.
/// Throws std::invalid_argument if the graph has no translations.
std::vector<TranslatedHop> translated_trees(const Graph& graph, PortModel ports, std::uint32_t messages);

/// The quarter turns of a p x p torus, p >= 3 (Varvarigos and Bertsekas 1994, section 2): the tree of node 0
/// grows by one orbit of the rotation (x, y) -> (-y, x) per step. The four nodes of an orbit are entered
/// through four different ports. Even p: the last step takes the short orbits (p/2, 0), (0, p/2) and (p/2,
/// p/2). So p^2/4 or (p^2 - 1)/4 steps.
std::vector<TranslatedHop> quarter_turn_tree(NodeId side);

}  // namespace safnet
