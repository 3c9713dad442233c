// flow_scatter - the exact optimum of all-port scatter on any network, as a flow over time.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"

namespace safnet {

/// Steps that no all-port scatter (or gather, on the transpose) can beat, from distances and cuts. The
/// packets for the nodes d or more hops away cross the link from a to b after step h(a), the hops from the
/// root to a, and not in the last r(b) steps, the hops from b to the nearest of those nodes; so in T steps it
/// carries at most T - h(a) - r(b) of them. The packets for any set X of these nodes are at most as many as
/// the links of a cut between the root and X carry together. The bound is the smallest T for which that holds
/// for all d, X and cuts, by maximum flow; d = 1 and X all other nodes give ceil((n - 1)/degree), thesis
/// (3.3). Every other node gets `messages` packets.
std::uint64_t scatter_bound(const Graph& graph, NodeId root, std::uint32_t messages = 1);

/// Largest time-expanded network that is searched: links times steps of scatter_bound().
inline constexpr std::uint64_t kMaxLinkSteps = std::uint64_t{1} << 21;
/// Most packets, if there are several messages.
inline constexpr std::uint64_t kMaxPackets = std::uint64_t{1} << 14;

/// An all-port scatter in as few steps as there can be. In T steps all packets arrive if and only if n - 1
/// units flow through T copies of the network, one per step (Ford and Fulkerson's flow over time), from the
/// root to each other node's last copy; T counts up from scatter_bound(). No packet passes a node twice.
/// Throws std::invalid_argument beyond kMaxLinkSteps.
std::vector<PersonalHop> fewest_steps_scatter(const Graph& graph, NodeId root, std::uint32_t messages = 1);

/// "max-flow", for scatter and gather.
std::vector<Algorithm> flow_scatter_algorithms();

}  // namespace safnet
