// sum_search - is there an allreduce of so many steps that tdm_nodes can run? By a SAT solver: yes with what
// is sent, no, or not known.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cpp_model/optimum/clauses.hpp"
#include "cpp_model/optimum/gossip.hpp"
#include "cpp_model/optimum/gossip_symmetry.hpp"

namespace safnet {

/// What a node makes of its own contribution and of what crossed links before: a sum, or one of these alone.
struct SumOf {
  bool own = false;
  /// Numbers of earlier sends: that came to this node, or that it sent itself.
  std::vector<std::uint32_t> sends;
  friend bool operator==(const SumOf&, const SumOf&) = default;
};

struct SumSend {
  std::uint32_t step = 0, link = 0;
  SumOf sum;
};

struct SumSearchResult {
  SearchAnswer answer = SearchAnswer::kUnknown;
  std::vector<SumSend> sends;  ///< if found: in order of steps; each is of use to somebody
  std::vector<SumOf> results;  ///< by node that is no router: what its result is made of
};

/// What a search grows with: how often a send may include a contribution of something that came or was sent
/// before. Symmetries make it smaller.
std::uint64_t inclusions_of(const Gossip& network, std::uint32_t steps);

/// What of a search's result can be used: true if the search may end with it.
using SumTest = std::function<bool(const SumSearchResult&)>;

/// `network`: a gossip of which only links, ports and routers count; every node but a router contributes, and
/// gets the result, in which every contribution is once. Routers send on what they receive, also to several
/// nodes. Searches for at most `steps` steps until the solver has met `conflicts` conflicts; only for what
/// stays the same under the symmetries. Deterministic. Unknown, too, if there were more than some millions of
/// clauses.
///
/// A tdm_node combines an arriving packet into one sum at once, or stores it, and then can send it in the
/// next step and have it in sums that are sent one step later (rtl/tdm/README.md, sums that go on). So
/// kImpossible says that these nodes cannot do it, not that none can. The search may bring a packet to a node
/// twice, for a use each. If `is_usable` says no, it goes on, and does without those.
SumSearchResult search_sums(const Gossip& network, std::uint32_t steps, std::uint32_t conflicts,
                            const std::vector<GossipSymmetry>& symmetries, const SumTest& is_usable);

}  // namespace safnet
