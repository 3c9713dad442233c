// translated_sends - timetables in which all nodes do what node 0 does, moved to where they are.
//
// If in every step node 0's packets use each port at most once, wherever they are, no two packets of any
// nodes meet on a link: the packet of v crosses the link of port p at node u if a packet of node 0 uses p at
// the node that v moves to u, and only one v does that.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// In step `step` message `message` of node 0 leaves node `from` through `port`, and those of all other nodes
/// do the same translated.
struct TranslatedHop {
  std::uint32_t step = 0;  ///< from 1
  std::uint32_t message = 0;
  NodeId from = 0;
  PortId port = 0;
  NodeId destination = 0;  ///< of a total exchange; not used in a multinode broadcast
};

/// Where the translation that takes node 0 to v takes x.
using Translate = std::function<NodeId(NodeId v, NodeId x)>;
/// The translations of a Cayley graph.
Translate translations_of(const Graph& graph);

/// The schedule of a multinode broadcast, or a total exchange, as the problem says, in which all nodes do
/// what node 0 does in these hops.
Schedule translated_schedule(const Problem& problem, const std::string& algorithm,
                             std::vector<TranslatedHop> hops, const Translate& translate);
/// The sends of such a multinode broadcast, in order of time: packet m n + v is message m of node v, of n
/// nodes.
std::vector<Send> translated_sends(const Graph& graph, std::vector<TranslatedHop> hops);

}  // namespace safnet
