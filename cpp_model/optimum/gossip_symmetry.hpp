// gossip_symmetry - ways to move the nodes of a network that leave a gossip's links and origins as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// A symmetry of a gossip: where it moves nodes, links and packets.
struct GossipSymmetry {
  std::vector<NodeId> node;
  std::vector<std::uint32_t> link, packet;
};

/// The symmetry that moves nodes as given, parallel links in order, and packets with their origins in order;
/// an empty list if that is no symmetry.
std::vector<GossipSymmetry> symmetry_of(const Gossip& gossip, const std::vector<NodeId>& node);

/// A few sets of one symmetry each that are worth searching with: each moves every node but routers, in
/// cycles of one length; the longest cycles come first. Only the first automorphisms found are looked at.
std::vector<std::vector<GossipSymmetry>> useful_symmetries(const Gossip& gossip);

}  // namespace safnet
