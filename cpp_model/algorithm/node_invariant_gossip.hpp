// node_invariant_gossip - multinode broadcast on Cayley graphs: every node does what node 0 does, translated.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// `messages` packets of every node for all others; packet m*n + v is message m of node v. A schedule of this
/// kind (thesis 4.4.2) is a broadcast from node 0 in which no two sends of a step leave through ports of the
/// same number, or, with one-port nodes, any order of the n - 1 sends of a tree: messages * (n - 1) steps,
/// the optimum. All-port: as close to ceil(messages * (n - 1) / degree) as a few attempts come. Sends in
/// order of time. The graph must have translations.
std::vector<Send> node_invariant_gossip(const Graph& graph, PortModel ports, std::uint32_t messages);

}  // namespace safnet
