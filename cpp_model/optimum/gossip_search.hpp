// gossip_search - is there a gossip of so many steps? By a SAT solver (CaDiCaL): yes with the sends, no, or
// not known.
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

/// What a gossip must be like.
struct GossipShape {
  std::vector<GossipSymmetry> symmetries = {};  ///< that leave it as it is
  /// Not 0: the second packet of every origin does what the first did so many steps before, and so on.
  std::uint32_t period = 0;
};

enum class SearchAnswer : std::uint8_t { kFound, kImpossible, kUnknown };

struct GossipSearchResult {
  SearchAnswer answer = SearchAnswer::kUnknown;
  std::vector<GossipSend> sends;  ///< if found: ordered, each packet once to every node but its origin
};

/// Searches for a gossip of at most `steps` steps, until the solver has met `conflicts` conflicts: the same
/// answer every time. "Impossible" is said of gossips of that shape only.
GossipSearchResult search_gossip(const Gossip& gossip, std::uint32_t steps, std::uint32_t conflicts,
                                 const GossipShape& shape = {});

}  // namespace safnet
