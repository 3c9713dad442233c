// task - a collective as what must get where: the common form in which lower bounds are proved.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/optimum/gossip.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Every origin has `messages` packets for every destination but itself: one for each of them or, if packets
/// are copied, the same for all. `steps` are to be shown to be too few. Links keep the graph's numbers.
///
/// Where links differ a step is a cycle, and `busy` and `crossing` say for how many of them a packet keeps
/// each link busy and after how many it has arrived; otherwise both are 1 everywhere.
struct Task {
  NodeId nodes = 0, processors = 0;
  std::vector<DirectedLink> links;
  std::vector<std::uint32_t> busy, crossing;  ///< by link
  bool alike = true;                          ///< every packet crosses every link in one step
  bool sends_one = false, receives_one = false;
  bool copied = false;
  bool combined = false;  ///< copied packets are results read backwards in time: only processors copy them
  /// Links carry any number of packets in a step, as those that are parts of one sum.
  bool together = false;
  std::vector<NodeId> origins, destinations;
  std::uint64_t messages = 1, steps = 0;
};

/// Nothing for a collective that is not one of MPI's. `as` and `root` say how an allreduce is seen: as
/// kBroadcast from that node or as kReduction to it, or as kAllreduce: what all nodes contribute to one
/// message, together. A reduction is turned round already. `times`: of the packets over the problem's links;
/// null if a step is a packet's time on any link.
std::optional<Task> task_of(const Problem& problem, CollectiveKind as, NodeId root,
                            const LinkTimes* times = nullptr);

/// The same backwards in time, over links turned round.
Task turned_round(Task task);

/// Steps until something of any of the nodes in `from` can be at each node, if nothing else is on the way; or
/// `backwards`, until something of each node can be at the nearest of them. kNoWay where no way leads. Only
/// ways within the nodes that are marked in `within`, if there are marks.
std::vector<std::uint64_t> soonest(const Task& task, const std::vector<NodeId>& from, bool backwards = false,
                                   const std::vector<std::uint8_t>& within = {});

/// The task's links as arrays, ordered by the node that they leave.
Wiring wiring_of(const Task& task);

}  // namespace safnet
