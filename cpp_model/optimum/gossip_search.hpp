// gossip_search - is there a gossip of so many steps? By a SAT solver (CaDiCaL): yes with the sends, no, or
// not known.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/optimum/clauses.hpp"
#include "cpp_model/optimum/gossip.hpp"
#include "cpp_model/optimum/gossip_symmetry.hpp"

namespace safnet {

/// Conditions on the gossip that is searched for.
struct GossipShape {
  std::vector<GossipSymmetry> symmetries = {};  ///< under which it stays the same
  /// If not 0: every packet of an origin but its first is sent as the one before it, this many steps later.
  std::uint32_t period = 0;
};

struct GossipSearchResult {
  SearchAnswer answer = SearchAnswer::kUnknown;
  /// If found: ordered, each packet once to every node but its origin. To routers that pass copies on it may
  /// come several times, or once and not be sent on, and to the other routers not at all.
  std::vector<GossipSend> sends;
};

/// Searches for a gossip of at most `steps` steps until the solver has met `conflicts` conflicts.
/// Deterministic. kImpossible only says that there is no gossip of the given shape.
GossipSearchResult search_gossip(const Gossip& gossip, std::uint32_t steps, std::uint32_t conflicts,
                                 const GossipShape& shape = {});

}  // namespace safnet
