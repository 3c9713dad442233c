// unrolled_flow - how many packets can go from where they are to where they are wanted in so many steps, if
// any packet will do: maximum flow through the network unrolled in time.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"

namespace safnet {

/// At most as many packets as `supply` has at each node before step 1 and `wanted` says of each node after
/// the last; links carry one per step. Exact for packets of one origin, or for one destination: any integral
/// flow is a schedule.
std::uint64_t unrolled_flow(const Wiring& wiring, PacketsAtOnce at_once,
                            const std::vector<std::uint64_t>& supply,
                            const std::vector<std::uint64_t>& wanted, std::uint32_t steps);

/// The same where `root` has `messages` packets for every other node.
std::uint64_t scattered(const Wiring& wiring, PacketsAtOnce at_once, NodeId root, std::uint64_t messages,
                        std::uint32_t steps);

}  // namespace safnet
