#include "cpp_model/algorithm/fat_tree/fat_tree_turning_levels.hpp"

#include "cpp_model/bound/fat_tree_exchange_bound.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMostDeviations = 4;
constexpr std::uint64_t kMostSearchTrials = 1'000'000;

// Depth first with few deviations (limited discrepancy search): in every step the highest level that can be
// sent for, but for a few steps in which it is a lower one or none.
class LevelSearch {
 public:
  LevelSearch(const FatTree& tree, std::uint64_t steps)
      : height_(tree.height()), steps_(steps), left_(tree.height() + 1, 0), arrives_(steps + 1, 0) {
    std::uint64_t lags = 0;
    for (std::uint32_t j = 1; j <= height_; ++j) {
      left_[j] = tree.leaves_below(j) - tree.leaves_below(j - 1);
      lags += left_[j] * (2 * j - 1);
    }
    packets_ = tree.leaves() - 1;
    spare_ = packets_ * (steps - packets_) - lags;
  }

  // Empty if nothing is found.
  std::vector<std::uint32_t> run() {
    for (std::uint32_t deviations = 0; deviations <= kMostDeviations; ++deviations) {
      trials_ = 0;
      if (extend(1, packets_, 0, 0, deviations)) return levels_;
    }
    return {};
  }

 private:
  // The sum of the packets' arrival steps less that of their starts is given, so an idle step costs one per
  // packet that starts later, a step without arrival one per packet that has arrived, and the costs add up to
  // spare_ in the end.
  bool extend(std::uint64_t step, std::uint64_t left, std::uint64_t cost, std::uint64_t arrived,
              std::uint32_t deviations) {
    if (left == 0) return true;
    if (++trials_ > kMostSearchTrials || step + left > steps_) return false;
    if (arrives_[step] != 0) {
      ++arrived;
    } else {
      cost += arrived;
    }
    if (cost > spare_) return false;
    bool is_highest = true;
    for (std::uint32_t j = height_; j >= 1; --j) {
      const std::uint64_t arrival = step + 2 * j - 1;
      if (left_[j] == 0 || arrival > steps_ || arrives_[arrival] != 0) continue;
      --left_[j];
      arrives_[arrival] = 1;
      levels_.push_back(j);
      if (extend(step + 1, left - 1, cost, arrived, deviations)) return true;
      levels_.pop_back();
      arrives_[arrival] = 0;
      ++left_[j];
      if (is_highest && deviations-- == 0) return false;
      is_highest = false;
    }
    levels_.push_back(0);
    if (extend(step + 1, left, cost + left, arrived, deviations)) return true;
    levels_.pop_back();
    return false;
  }

  std::uint32_t height_;
  std::uint64_t steps_, packets_ = 0, spare_ = 0, trials_ = 0;
  std::vector<std::uint64_t> left_;    // by level
  std::vector<std::uint8_t> arrives_;  // by step
  std::vector<std::uint32_t> levels_;  // so far
};

}  // namespace

std::vector<std::uint32_t> turning_levels_by_step(const FatTree& tree) {
  for (std::uint64_t steps = fat_tree_exchange_mean_bound(tree);; ++steps) {
    // Ends at n + 2h - 2 steps at the latest, which need no search.
    std::vector<std::uint32_t> levels = LevelSearch(tree, steps).run();
    if (!levels.empty()) return levels;
  }
}

std::vector<TimedPacket> exchange_by_turning_levels(const FatTree& tree,
                                                    const std::vector<std::uint32_t>& levels) {
  std::vector<NodeId> delta(tree.height() + 1);
  for (std::uint32_t j = 1; j <= tree.height(); ++j) delta[j] = tree.leaves_below(j - 1);
  std::vector<TimedPacket> packets;
  for (std::uint32_t step = 0; step < levels.size(); ++step) {
    if (levels[step] == 0) continue;
    const NodeId difference = delta[levels[step]]++;
    for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf)
      packets.push_back({leaf, sum_of_digits(tree, leaf, difference), step + 1, 0});
  }
  return packets;
}

}  // namespace safnet
