// routed_partial_exchange - partial exchange on any network, on-line: routers whose tables know nothing of
// who is active.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// The routers of a total exchange (thesis 4.2), where only active nodes have packets.
std::vector<Algorithm> routed_partial_exchange_algorithms();

}  // namespace safnet
