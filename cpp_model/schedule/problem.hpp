// problem - topology, collective, port model: what the user asks an algorithm to solve.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What the user asks an algorithm to solve.
struct Problem {
  Graph graph;
  CollectiveKind collective = CollectiveKind::kTotalExchange;
  PortModel ports = PortModel::kAllPort;
  NodeId root = 0;
  /// Spanning tree for tree algorithms, a word of make_tree(): "shortest-path", "random:SEED", ... Empty: the
  /// algorithm's own choice.
  std::string tree = {};
  /// Where a multipath transfer leads. kNoNode: the last node that is not the root.
  NodeId destination = kNoNode;
  /// The nodes that take part in a partial collective, ascending, each once.
  std::vector<NodeId> active = {};
};

/// The destination of a multipath transfer. Throws std::invalid_argument if it does not exist or is the root.
NodeId destination_of(const Problem& problem);

/// What must be delivered. A multipath transfer is of as many packets as there are node-disjoint paths, by
/// Theorem 2.1 of the thesis if the network is a product. Throws std::invalid_argument.
Collective collective_of(const Problem& problem);

/// The packets of a planned collective, each of one flit, in this order and with these tags:
/// broadcast          one packet, tag 0, for all other nodes
/// scatter            one per destination d, ascending: origin root, tag d
/// gather             one per origin, ascending: tag root, destination root
/// total exchange     one per ordered pair: by origin, then destination d; tag d
/// partial exchange   the same with active origins; partial gather: the same with active destinations
/// reduction          one per node, ascending: origin v, tag 0, no destination. What they combine into is the
///                    planner's to add; the last, at the root, must have the root as its destination
/// Throws std::invalid_argument if there is nothing that could be planned so (multipath), or an active node
/// does not exist, is not in order, or there is none.
PacketList collective_packets(const Problem& problem);

/// An empty schedule of steps for the problem: network, port model, packets, collective and root are set.
Schedule empty_schedule(const Problem& problem, const std::string& algorithm);

}  // namespace safnet
