// unrolled_flow - how many packets can go from where they are to where they are wanted in so many steps, if
// any packet will do: maximum flow through the network unrolled in time.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// At most as many packets as `supply` has at each node before step 1 and `wanted` says of each node after
/// the last; links carry one per step, nodes send and receive one if the gossip says so. Its packets do not
/// count. Exact for packets of one origin, or for one destination: any integral flow is a schedule.
std::uint64_t unrolled_flow(const Gossip& network, const std::vector<std::uint32_t>& supply,
                            const std::vector<std::uint32_t>& wanted, std::uint32_t steps);

/// The fewest steps in which `root` sends `messages` packets of its own to every other node: any links, one
/// port or all. (Gathering is the same on the transposed network.) Throws std::invalid_argument if some node
/// cannot be reached.
std::uint64_t fewest_scatter_steps(const Gossip& network, NodeId root, std::uint32_t messages);

}  // namespace safnet
