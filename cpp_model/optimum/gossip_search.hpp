// gossip_search - is there a gossip of so many steps? By a SAT solver (CaDiCaL): yes with the sends, no, or
// not known.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/optimum/gossip.hpp"
#include "cpp_model/optimum/gossip_symmetry.hpp"

namespace safnet {

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
