// translated_broadcast - multinode broadcast on Cayley graphs: one tree per message, which all nodes
// translate.
//
// Node 0 sends its packet down a tree; node v sends its own down the same tree moved to v. If in every step
// each port is used at most once in the trees of node 0 (one-port: one port in all) then no two packets meet
// on a link: the packet of v crosses the link of port p at node u if the tree uses p at the node that v moves
// to u, and only one v does that.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// In step `step` node `from` sends message `message` of node 0 through `port`, and all other nodes do the
/// same translated.
struct TranslatedHop {
  std::uint32_t step = 0;  ///< from 1
  std::uint32_t message = 0;
  NodeId from = 0;
  PortId port = 0;
};

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

/// The sends of all nodes that do the same as node 0 in such hops, each translated, in order of time: packet
/// m n + v is message m of node v, of n nodes.
std::vector<Send> translated_sends(const Graph& graph, std::vector<TranslatedHop> hops);

/// The quarter turns of a p x p torus, p >= 3 (Varvarigos and Bertsekas 1994, section 2): the tree of node 0
/// grows by one orbit of the rotation (x, y) -> (-y, x) per step. The four nodes of an orbit are entered
/// through four different ports. Even p: the last step takes the short orbits (p/2, 0), (0, p/2) and (p/2,
/// p/2). So p^2/4 or (p^2 - 1)/4 steps.
std::vector<TranslatedHop> quarter_turn_tree(NodeId side);

/// - "translated-broadcast" for multinode broadcast, any number of messages, all-port and one-port; backwards
///   for multinode accumulation; for gather the paths to the root alone, and backwards for scatter.
/// - "torus-quarter-turns" for multinode broadcast.
std::vector<Algorithm> translated_broadcast_algorithms();

}  // namespace safnet
