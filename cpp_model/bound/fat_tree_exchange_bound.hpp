// fat_tree_exchange_bound - steps that no all-port total exchange on a fat tree can beat.
#pragma once

#include <cstdint>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// Up every branch of level i go X = N_(i-1) (n - N_(i-1)) packets per message, at most c'_i (the usable
/// capacity) a step, none before step i; after the last one has crossed it has i - 1 hops to go on the way
/// down. So max over i of ceil(X M / c'_i) + 2i - 1 steps, M messages. Thesis (6.4) is this for i = h, k_i =
/// k and c'_h = c_h, not rounded.
std::uint64_t fat_tree_exchange_cut_bound(const FatTree& tree, std::uint32_t messages = 1);

/// A bound by the mean time that packets spend above a branch of level i. A packet that turns at level j goes
/// down a branch of level i at least 2(j - i) + 1 steps after it went up one: its lag. With c' packets a step
/// the steps in which X packets go up add up to at least i X + S, S = sum of floor(x / c') for x < X, and
/// those in which they go down to at most (T - i + 1) X - S. So T >= i - 1 + ceil((lags + 2S + i X) / X); the
/// largest of these over all i is returned. Never below the cut bound.
std::uint64_t fat_tree_exchange_mean_bound(const FatTree& tree, std::uint32_t messages = 1);

}  // namespace safnet
