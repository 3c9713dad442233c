// problem - topology, collective, port model: what the user asks an algorithm to solve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

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
  /// The nodes that take part in a partial collective, ascending, each once; in a concurrent broadcast as
  /// often as they have packets.
  std::vector<NodeId> active = {};
  /// M: packets where the collective has one; 1 to kMaxMessages.
  std::uint32_t messages = 1;
  /// Of a concurrent broadcast: packets that each packet is split into; all must reach all other nodes.
  std::uint32_t pieces = 1;
};
inline constexpr std::uint32_t kMaxMessages = 65535;

/// The destination of a multipath transfer. Throws std::invalid_argument if it does not exist or is the root.
NodeId destination_of(const Problem& problem);

/// What must be delivered. A multipath transfer is of as many packets as there are node-disjoint paths, by
/// Theorem 2.1 of the thesis if the network is a product, times M. Throws std::invalid_argument.
Collective collective_of(const Problem& problem);

/// Throws std::invalid_argument if the root is not a node that processes.
void check_root(const Graph& graph, NodeId root);
inline void check_root(const Problem& problem) { check_root(problem.graph, problem.root); }

/// Throws std::invalid_argument if M is out of range, or so many messages are too many for so large a
/// network, however they are run.
void check_messages(const Problem& problem);

/// The packets of a planned collective on n processors, each of one flit, message by message (m = 0 ... M-1),
/// within a message in this order and with these tags:
/// - broadcast: one packet, tag m, for all other nodes;
/// - scatter: one per destination d, ascending: origin root, tag d + m n;
/// - gather: one per origin, ascending: tag root + m n, destination root;
/// - total exchange: one per ordered pair, by origin, then destination d: tag d + m n;
/// - partial exchange: the same with active origins; partial gather: the same with active destinations;
/// - multinode broadcast: one per node, ascending: tag m, for all other nodes;
/// - concurrent broadcast: all of a node together, by node: tags 0, 1, ..., for all other nodes;
/// - reduction, allreduce: one per node, ascending: tag m, no destination;
/// - multinode accumulation: one per destination d and node v, by d, then v: origin v, tag d + m n, no
///   destination.
/// The results of the last two items are for the planner to add: for every m, and d, a combined packet that
/// holds one packet of each node, parts of parts counted, and is delivered at the root, at d or at every
/// node. An allreduce may have several such packets for different nodes. Throws std::invalid_argument if
/// there is nothing that could be planned so (multipath, what scan_nodes do), or an active node does not
/// exist, is not in order, or there is none, or M is out of range.
PacketList collective_packets(const Problem& problem);

/// How many packets collective_packets() lists for one message, on so many nodes of which some are active;
/// nothing for a collective that is not planned.
std::optional<std::uint64_t> packets_of_a_message(CollectiveKind collective, std::uint64_t nodes,
                                                  std::uint64_t active);
/// How many packets of one message the problem has. Throws std::invalid_argument like collective_packets().
std::uint64_t packets_of_a_message(const Problem& problem);

/// Empty if every one of the problem's packets is in the schedule, by name and destinations, in any order;
/// otherwise one line that says which is not. A broadcast's packet may be split into packets for some of the
/// destinations each, if their tags modulo M are its tag.
std::string why_not_packets_of(const Problem& problem, const Schedule& schedule);

/// The nodes that a schedule's packets show to be active in a collective of some nodes, ascending; in a
/// concurrent broadcast in the order of its packets, as often as they have some.
std::vector<NodeId> active_nodes_of(const Schedule& schedule, CollectiveKind collective);

/// The problem that a schedule solves: its collective on its network, with the active nodes and the number of
/// messages that its packets show. Throws std::invalid_argument if it does not say which collective it is.
Problem problem_solved_by(const Schedule& schedule);

/// An empty schedule of steps for the problem: network, port model, packets, collective and root are set.
Schedule empty_schedule(const Problem& problem, const std::string& algorithm);

}  // namespace safnet
