// Total exchange on rings by rotation in one direction: thesis 4.1.1 and 4.3, on [60].
//
// Every packet travels clockwise, whichever way is shorter. The label is the destination; queues are first
// in, first out, a node's own packets, furthest first, there from the start.
#include "cpp_model/algorithm/exchange/total_exchange.hpp"

namespace safnet {
namespace {

Policy rotation_policy(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  Policy policy;
  policy.label_count = n;
  policy.host_packets = n - 1;
  policy.rank_levels = 2;
  policy.conflict_free = true;
  policy.queue_bound = std::uint64_t{n} * (n - 1) / 2;
  policy.table = [n](NodeId v, Label destination) {
    TableEntry entry;
    if (v == destination) {
      entry.deliver = true;
    } else {
      entry.output_mask = 1;
      entry.rank = priority_rank(PriorityRule::kMessageShift, 1, 1, false);
    }
    return entry;
  };
  policy.injections = [n](NodeId v) {
    std::vector<Injection> packets;
    for (NodeId hops = n - 1; hops > 0; --hops) {
      const NodeId destination = (v + hops) % n;
      packets.push_back({destination, destination, priority_rank(PriorityRule::kMessageShift, 1, 1, true)});
    }
    return packets;
  };
  return policy;
}

}  // namespace

std::vector<Algorithm> rotation_algorithms() {
  Algorithm algorithm;
  algorithm.name = "one-way-rotation";
  algorithm.collective = CollectiveKind::kTotalExchange;
  algorithm.source = "thesis 4.1.1, 4.3, on [60]";
  algorithm.description = "all packets clockwise around the ring, whichever way is shorter";
  algorithm.domain = "rings";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (!p.tree.empty()) return "has no use for --tree";
    return ring_length(p.graph) == 0 ? "needs a ring" : "";
  };
  algorithm.policy = rotation_policy;
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const std::uint64_t n = p.graph.node_count();
    return n * (n - 1) / 2;
  };
  algorithm.chosen_by_name_only = true;
  return {algorithm};
}

}  // namespace safnet
