// fat_tree_exchange_bound - steps that no all-port total exchange on a fat tree can beat.
#pragma once

#include <cstdint>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// Of every branch of level i, X = N_(i-1) (n - N_(i-1)) packets go up, at most c'_i (the usable capacity) a
/// step, not before step i; the last has i - 1 branches to go after it is down again. So
/// max over i of ceil(X M / c'_i) + 2i - 1 steps; M: messages. Thesis (6.4) is this for i = h, k_i = k and
/// c'_h = c_h, not rounded.
std::uint64_t fat_tree_exchange_cut_bound(const FatTree& tree, std::uint32_t messages = 1);

/// The mean over a branch's packets of how long they take between going up one branch of level i and down
/// another: a packet that turns at level j needs 2(j - i) + 1 steps. With c' packets a step the steps in
/// which X packets go up add up to at least i X + S, S = sum of floor(x / c') for x < X, those in which they
/// go down to at most (T - i + 1) X - S. So T >= i - 1 + ceil((lags + 2S + i X) / X), and the largest of
/// these over all i is returned. Never below the cut bound.
std::uint64_t fat_tree_exchange_mean_bound(const FatTree& tree, std::uint32_t messages = 1);

}  // namespace safnet
