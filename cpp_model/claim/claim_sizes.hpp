// claim_sizes - how much a claim is tried on, in words, from its own lists of runs and checks.
#pragma once

#include <string>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// "72 cases on 24 networks of 18 families, 2 to 48 nodes; 6 checks": what `cases(full)` and the other lists
/// of a claim hold. Makes every network in order to count its nodes.
std::string sizes_of(const Claim& claim, bool full);
/// The quick sizes and, where they differ, the full ones: "3 cases on ring:3, ring:4; full: 9 cases on ...".
std::string all_sizes_of(const Claim& claim);

}  // namespace safnet
