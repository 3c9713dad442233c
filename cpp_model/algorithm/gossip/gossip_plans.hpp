// gossip_plans - gossip of any size by rarest_first, and what the planners of general collectives allow.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/algorithm/gossip/rarest_first.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

inline constexpr std::uint64_t kMostGossipSends = 5'000'000;
inline constexpr NodeId kMostGossipNodes = 4096;
/// Gossip of more sends is planned in parts, one after the other.
inline constexpr std::uint64_t kMostSendsAtOnce = 400'000;

/// Gossip of any number of packets whose origins repeat after `period` of them.
std::vector<Send> plan_gossip(const GossipTask& problem, std::size_t period, GossipEffort effort);

/// The last step of sends in any order; 0 if there are none.
std::uint32_t last_step(std::span<const Send> sends);

/// Empty, or why a collective of so many packets, each for all other nodes, is too large: nodes, or sends.
std::string why_too_many(const Problem& problem, std::uint64_t packets);

}  // namespace safnet
