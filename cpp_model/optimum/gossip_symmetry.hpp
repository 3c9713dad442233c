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
/// nothing if it is none.
std::vector<GossipSymmetry> symmetry_of(const Gossip& gossip, const std::vector<NodeId>& node);

/// Symmetries worth searching with, better ones first, one set each: of those that leave no node where it is,
/// and turn all nodes in circles of the same length, some with the longest. Only the first automorphisms of
/// the network are looked at.
std::vector<std::vector<GossipSymmetry>> useful_symmetries(const Gossip& gossip);

}  // namespace safnet
