// flow_bound - lower bounds by flows on collectives whose packets are copied on the way: every node gets
// every packet.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// Networks of up to so many nodes are searched for flows.
inline constexpr NodeId kMaxNodesForFlows = 128;

/// Every node v has `packets[v]` packets that must reach all other nodes. The largest of the following; the
/// last two apply to nodes that send one packet at a time.
/// - All packets flow to one node, one per step through each link, or node: covers all cuts around the node.
/// - All-port, packets of one node alone: their quickest flow over time to every other node. Over
///   link-disjoint paths of lengths l, the shortest in total, T steps are enough for the sum of T - l + 1
///   packets (Ford and Fulkerson 1958).
/// - What a set of nodes lacks must be sent by nodes with a link into the set, one packet per step each: the
///   largest, over all sets, of ceil(packets lacking / such nodes), by flow (Hall 1935). In a 3 x 3 mesh the
///   five nodes of one colour lack 8 packets each and have four such neighbours: 10 steps.
/// - The number of nodes that have something to send at most doubles in a step.
LowerBound flow_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets, PortModel ports);

}  // namespace safnet
