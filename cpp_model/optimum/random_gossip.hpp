// random_gossip - a good gossip, quickly: built step by step at random, many times over. Deterministic.
#pragma once

#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// The best of `tries` random gossips, or the first of at most `enough` steps. In every step as many packets
/// as possible cross to nodes that lack them; packets that have the furthest to go, and those that few nodes
/// have, are preferred. At most 64 packets.
std::vector<GossipSend> random_gossip(const Gossip& gossip, std::uint64_t enough, std::uint32_t tries);

/// The last step; 0 if there is none.
std::uint32_t steps_of(const std::vector<GossipSend>& sends);

}  // namespace safnet
