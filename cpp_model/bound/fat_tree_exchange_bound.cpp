#include "cpp_model/bound/fat_tree_exchange_bound.hpp"

#include <algorithm>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// N_(i-1) (n - N_(i-1)) per message, each way.
std::uint64_t crossing_packets(const FatTree& tree, std::uint32_t level) {
  const std::uint64_t below = tree.leaves_below(level - 1);
  return below * (tree.leaves() - below);
}

// Sum of the lags (fat_tree_exchange_mean_bound()) of a message's packets that go up a branch of level i.
std::uint64_t sum_of_lags(const FatTree& tree, std::uint32_t level) {
  std::uint64_t lags = 0;
  for (std::uint32_t turn = level; turn <= tree.height(); ++turn) {
    const std::uint64_t destinations = tree.leaves_below(turn) - tree.leaves_below(turn - 1);
    lags += destinations * (2 * (turn - level) + 1);
  }
  return lags * tree.leaves_below(level - 1);
}

// ceil(a / b) of integers, b > 0.
std::int64_t ceiling(std::int64_t a, std::int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

}  // namespace

std::uint64_t fat_tree_exchange_cut_bound(const FatTree& tree, std::uint32_t messages) {
  std::uint64_t bound = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    bound =
        std::max(bound, divide_up(crossing_packets(tree, i) * messages, tree.usable_capacity(i)) + 2 * i - 1);
  }
  return bound;
}

std::uint64_t fat_tree_exchange_mean_bound(const FatTree& tree, std::uint32_t messages) {
  std::uint64_t bound = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    // With X = q c' + r, 2S is q X - q (c' - r).
    const std::uint64_t packets = crossing_packets(tree, i) * messages, links = tree.usable_capacity(i);
    const std::uint64_t full_steps = packets / links, rest = packets % links;
    const auto lags = static_cast<std::int64_t>(sum_of_lags(tree, i) * messages);
    const std::int64_t mean = ceiling(lags - static_cast<std::int64_t>(full_steps * (links - rest)),
                                      static_cast<std::int64_t>(packets));
    bound =
        std::max(bound, static_cast<std::uint64_t>(static_cast<std::int64_t>(full_steps + 2 * i - 1) + mean));
  }
  return bound;
}

}  // namespace safnet
