// unrolled_flow - how many interchangeable packets can go in so many steps from the nodes that have them to
// the nodes that want them: maximum flow through the network unrolled in time.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"

namespace safnet {

/// The most packets that can be delivered: node v has `supply[v]` before step 1 and takes up to `wanted[v]`
/// after the last; each link carries one per step. Exact for packets of one origin or for one destination:
/// any integral flow is then a schedule.
std::uint64_t unrolled_flow(const Wiring& wiring, PacketsAtOnce at_once,
                            const std::vector<std::uint64_t>& supply,
                            const std::vector<std::uint64_t>& wanted, std::uint32_t steps);

/// The same where `root` has `messages` packets for every other node.
std::uint64_t scattered(const Wiring& wiring, PacketsAtOnce at_once, NodeId root, std::uint64_t messages,
                        std::uint32_t steps);

}  // namespace safnet
