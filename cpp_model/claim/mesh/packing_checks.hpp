// packing_checks - statements on packing and monotone routing (Varvarigos and Bertsekas, Theorems 3 and 4),
// checked by computation on all sets of active nodes of small arrays, fewer unless `full`.
#pragma once

#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// Theorem 3 (mesh.A9): packing without conflicts in d (p - 1) steps, the lowest digit first; the highest
/// first, packets meet.
std::vector<ClaimCheck> packing_checks(bool full);
/// Theorem 4 (mesh.A10): monotone routing in 2 d (p - 1) steps, dimensions 0 ... d - 1, then d - 1 ... 0.
std::vector<ClaimCheck> monotone_routing_checks(bool full);

}  // namespace safnet
