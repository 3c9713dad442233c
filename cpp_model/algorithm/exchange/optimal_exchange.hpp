// optimal_exchange - total exchange in as few steps as there can be, on tiny networks.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Largest network that is searched.
inline constexpr NodeId kMaxExchangedNodes = 5;

/// A total exchange in as few steps as there can be, for the port model of the problem. From the lower bound
/// upwards, depth first over how many packets for which node are where (packets for the same node at the same
/// node are alike), without states that distances, cuts or the packets that must pass one node rule out.
/// Throws std::invalid_argument beyond kMaxExchangedNodes, and if `tries` choices of what a port sends do not
/// suffice for a proof.
Schedule optimal_exchange(const Problem& problem, std::uint64_t tries = std::uint64_t{1} << 24);

/// "branch-and-bound" for total exchange.
std::vector<Algorithm> optimal_exchange_algorithms();

}  // namespace safnet
