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

/// The packet that crossed each link last. As long as the link waits for a credit this packet is still in the
/// node behind it: it took the last credit, and had any packet left its place there since, the link would
/// have got the credit and sent the next one. That holds if the link has lost neither packets nor credits.
struct LastPackets {
  /// Of each link, outputs of the node behind it through which the packet has still to leave.
  std::vector<PortSet> onward;
  /// What a line says of the packet of a link and of the outputs by which it waits, if it waits; may be
  /// empty.
  std::function<std::string(LinkId, PortSet waits)> in_words = {};
};

/// A shortest cycle of waits, as positions in `waits`: each wait is on the node of the next, the last on that
/// of the first. Empty if there is no cycle. After 10^8 waits looked at the search stops, with the shortest
/// found so far.
std::vector<std::size_t> shortest_cycle(NodeId node_count, const std::vector<Wait>& waits);

/// "cycle of waiting nodes: 2 -> 3 -> 2", or "cycle of waiting links: 2>3 -> 3>2 -> 2>3" if it is one of
/// links; the middle of a long one is left out.
std::string cycle_in_words(const Graph& graph, const std::vector<Wait>& waits,
                           const std::vector<std::size_t>& cycle, bool of_links = false);

/// The waits of routers, by their own status outputs, in words: at most 20 lines beside the first, which
/// names a shortest cycle if there is one; the waits of the cycle come next, with ports and queues.
///
/// Routers with one queue wait for one thing at a time: who waits in a circle are nodes. Routers with a queue
/// for each output wait for several, and what holds a place behind one link need not have to do with what
/// waits for another. With the `last` packets it is links that wait in a circle: each for a place which a
/// packet holds that waits for the next link. There always is such a circle, unless something was lost.
/// Without the packets it is nodes, which may be in a circle by chance.
std::vector<std::string> explain_waits(const Graph& graph, const std::function<NodeStatus(NodeId)>& status,
                                       const LastPackets* last = nullptr);

}  // namespace safnet
