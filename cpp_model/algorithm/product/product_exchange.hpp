// product_exchange - total exchange in products by total exchanges of the factors: thesis chapter 5.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// Algorithms A1, A2 (single-port) and A3 (all-port, H^d for d = 2, 4, 8, ...) of thesis Figs. 5.2, 5.3 and
/// 5.5, and A1 and A3 as they are printed there, whose schedules never deliver some of the packets.
///
/// With more than two factors, A of G = A x B is the product of all but the last (A1, A2) or of the first
/// half (A3). Total exchange in a single factor is the best that is known here: shortest_exchange().
std::vector<Algorithm> product_exchange_algorithms();

}  // namespace safnet
