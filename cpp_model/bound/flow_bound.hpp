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

/// Every node v has `packets[v]` packets that must reach all other nodes. The largest of these; the last two
/// for nodes that send one packet at a time.
/// - A flow of all packets to one node, at the pace of the links, or nodes, that it passes: all cuts around
///   every node at once.
/// - All-port, packets of one node alone: their quickest flow over time to every other. Paths without a
///   common link that are shortest in all, of lengths l: T steps are enough for the sum of T - l + 1 packets
///   (Ford and Fulkerson 1958).
/// - What a set of nodes must get is sent by neighbours, one packet a step each: the largest of
///   ceil(sum of what the set's nodes lack / nodes with a link into it), by flow (Hall 1935). The five nodes
///   of one colour of a 3 x 3 mesh get 8 packets each from four: 10 steps.
/// - Nodes that have something to send double in a step at most.
LowerBound flow_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets, PortModel ports);

}  // namespace safnet
