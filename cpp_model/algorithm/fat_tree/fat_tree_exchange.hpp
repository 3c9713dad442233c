// fat_tree_exchange - all-port total exchange on fat trees (thesis 6.3.3).
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// For routers with queues, first in, first out, at every link; all packets of a leaf are there from the
/// start, and the label is the destination:
/// - "digit-order": leaf s has its packet for s + delta, added digit by digit, sent as the delta-th but last,
///   so the furthest go first, and all leaves send in the same pattern. On trees of equal arities k and
///   capacities 1 it takes n^2 (k-1)/k^2 + 2h - 1 steps, bound (6.4) of the thesis;
/// - "ascending-order": by destination, from leaf 0 on. By name only: slow.
/// Any arities, any capacities.
///
/// Timetables (see timed_packets.hpp):
/// - "lock-step", capacities 1: max over i of the cut bound, n^2 (k-1)/k^2 + 2h - 1 with equal arities,
///   optimal;
/// - "full-capacity", as many links at every level as there are leaves: fat_tree_exchange_mean_bound() on all
///   trees of equal arities to 64 leaves (n + 2h - 2 for k >= 3, n + 2h - 3 for k = 2, 3 <= h <= 6) and on
///   most others to 32, one step more on 12 with k_h = 2;
/// - "fat-tree-phases", any: the sum of ceil((k_i - 1) N_(i-1)^2 / c'_i) + 2h - 1;
/// - "no-wait", any: often the bound.
std::vector<Algorithm> fat_tree_exchange_algorithms();

}  // namespace safnet
