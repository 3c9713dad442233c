// task - a collective as what must get where: the common form in which lower bounds are proved.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/optimum/gossip.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Every origin has `messages` packets for every destination but itself: one for each of them or, if packets
/// are copied, the same for all. `steps` are to be shown to be too few. Links keep the graph's numbers.
struct Task {
  NodeId nodes = 0, processors = 0;
  std::vector<DirectedLink> links;
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
/// message, together. A reduction is turned round already.
std::optional<Task> task_of(const Problem& problem, CollectiveKind as, NodeId root);

/// The same backwards in time, over links turned round.
Task turned_round(Task task);

/// The task's links as arrays, ordered by the node that they leave.
Wiring wiring_of(const Task& task);

}  // namespace safnet
