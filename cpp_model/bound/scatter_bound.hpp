// scatter_bound - how soon one node's personal packets can be everywhere, thesis 3.3; gathering is the same
// backwards in time.
#pragma once

#include <cstdint>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// What a node other than the root can take in per step: a packet over every link, or one in all.
enum class Intake : std::uint8_t { kAllPorts, kOnePort };

/// All-port scatter from `root` (gather: with the wiring turned round): the largest of
/// - thesis (3.3), ceil((n - 1) / degree), and the eccentricity;
/// - distance and cut: the packets for the nodes `far` or more hops away leave the root through a link
/// towards
///   node v before the last steps, which they need to get from v to the nearest of those nodes;
/// - the same for each part that the network falls into without the root (thesis Theorem 3.7 if it is a
/// tree);
/// - the same for the links from the nodes `near` hops away to those one further, first used in step
///   near + 1.
/// With Intake::kOnePort it is gathering (backwards) where nodes send one packet per step and the root
/// receives any number. `messages`: packets for each node.
LowerBound scatter_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t messages = 1);

/// The optimum itself: the fewest steps, from `at_least` on, for which the maximum flow through the network
/// unrolled in time reaches all nodes. (Packets of one origin may change places: any integral flow is a
/// schedule.) Stops when it has looked at `max_work` links and nodes, once per step each; what it
/// has by then is a bound. 0 steps if `at_least` is enough.
LowerBound scatter_flow_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t at_least,
                              std::uint64_t messages = 1, std::uint64_t max_work = std::uint64_t{1} << 17);

}  // namespace safnet
