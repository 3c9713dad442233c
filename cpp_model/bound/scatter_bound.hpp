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
/// - distance and links: a packet for a node `far` or more hops away that leaves the root over the link to v
///   must do so early enough to get from v to the nearest of those nodes;
/// - the same for each part that the network falls into without the root (in trees: thesis Theorem 3.7);
/// - the same for links from nodes `near` hops away to those one further, of use from step near + 1 on.
///
/// With Intake::kOnePort it is gathering (backwards) where nodes send one packet per step and the root
/// receives any number. `messages`: packets for each node.
LowerBound scatter_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t messages = 1);

/// The optimum: the fewest steps, from `at_least` on, in which the maximum flow through the network unrolled
/// in time brings all packets to their nodes. (Packets of one origin are interchangeable, so any integral
/// flow is a schedule.) Stops after `max_work` units, links plus nodes times steps; the steps refuted by then
/// are a bound. 0 steps if `at_least` is enough.
LowerBound scatter_flow_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t at_least,
                              std::uint64_t messages = 1, std::uint64_t max_work = std::uint64_t{1} << 17);

}  // namespace safnet
