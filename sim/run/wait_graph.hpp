// wait_graph - who waits for whom in a network that no longer moves, and who waits in a circle.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/machine.hpp"

namespace safnet {

/// A packet that `node` has to send through `port` waits for a credit or a grant of node `on`.
struct Wait {
  NodeId node = 0;
  PortId port = 0;
  NodeId on = 0;
  bool for_grant = false;  ///< for a grant, otherwise for a credit
};

/// A shortest cycle of waits, as positions in `waits`: each wait is on the node of the next, the last on that
/// of the first. Empty if there is no cycle. After 10^8 waits looked at the search stops, with the shortest
/// found so far.
std::vector<std::size_t> shortest_cycle(NodeId node_count, const std::vector<Wait>& waits);

/// "cycle of waiting nodes: 2 -> 3 -> 2"; the middle of a long one is left out.
std::string cycle_in_words(const Graph& graph, const std::vector<Wait>& waits,
                           const std::vector<std::size_t>& cycle);

/// The waits of routers, by their own status outputs, in words: at most 20 lines beside the first, which
/// names a shortest cycle if there is one; the waits of the cycle come next, with ports and queues.
std::vector<std::string> explain_waits(const Graph& graph, const std::function<NodeStatus(NodeId)>& status);

}  // namespace safnet
