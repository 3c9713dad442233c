// general_exchange - personal packets on any network: balanced ways, then steps by list scheduling.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Planners "list-scheduling" for total exchange, scatter, gather, partial exchange and partial gather, on
/// any network with any port model, and "node-invariant" for total exchange where there are translations
/// (thesis 4.4.2): node 0's packets are scheduled with its ports as the resources, all others do the same
/// translated.
std::vector<Algorithm> general_exchange_algorithms();

/// A lower bound on the steps of any schedule over any ways, which the planner proves while it balances the
/// ways: from distances and from congestion_bound(). For small problems, where every packet has a search of
/// its own.
std::uint64_t proven_steps(const Problem& problem);

}  // namespace safnet
