// Total exchange without waiting, by first fit and by ejection. See fat_tree_exchange_plans.hpp.
#include <algorithm>
#include <utility>

#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_plans.hpp"
#include "cpp_model/bound/fat_tree_exchange_bound.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostWork = 10'000'000, kMostSeeds = 10, kTrialsPerPacket = 20;

// Which links of a branch are taken when.
class BranchUse {
 public:
  explicit BranchUse(const FatTree& tree) : tree_(tree), up_(tree.node_count()), down_(tree.node_count()) {}

  // The packet's whole way, without waiting, if it is free.
  bool take(const TimedPacket& packet) {
    const std::uint32_t turn = tree_.turning_level(packet.origin, packet.destination);
    for (std::uint32_t level = 1; level <= turn; ++level) {
      if (used(up_, packet.origin, level, packet.start + level - 1) >= tree_.capacity(level)) return false;
      if (used(down_, packet.destination, level, packet.start + 2 * turn - level) >= tree_.capacity(level))
        return false;
    }
    for (std::uint32_t level = 1; level <= turn; ++level) {
      ++used(up_, packet.origin, level, packet.start + level - 1);
      ++used(down_, packet.destination, level, packet.start + 2 * turn - level);
    }
    return true;
  }

 private:
  using Uses = std::vector<std::vector<std::uint32_t>>;  // by the lower node of a branch, and step
  std::uint32_t& used(Uses& uses, NodeId leaf, std::uint32_t level, std::uint32_t step) {
    std::vector<std::uint32_t>& of_branch = uses[tree_.above(leaf, level - 1)];
    if (of_branch.size() <= step) of_branch.resize(2 * step + 1, 0);
    return of_branch[step];
  }

  const FatTree& tree_;
  Uses up_, down_;
};

// In every step all packets of the list that fit.
std::vector<TimedPacket> first_fit(const FatTree& tree, std::vector<TimedPacket> waiting) {
  BranchUse use(tree);
  std::vector<TimedPacket> packets;
  packets.reserve(waiting.size());
  for (std::uint32_t step = 1; !waiting.empty(); ++step) {
    std::erase_if(waiting, [&](TimedPacket packet) {
      packet.start = step;
      if (!use.take(packet)) return false;
      packets.push_back(packet);
      return true;
    });
  }
  return packets;
}

}  // namespace

std::vector<TimedPacket> exchange_without_waiting(const FatTree& tree) {
  const auto bound = static_cast<std::uint32_t>(fat_tree_exchange_mean_bound(tree));
  std::vector<TimedPacket> packets = exchange_in_phases(tree), best = first_fit(tree, packets);
  // Placing a packet takes time in proportion to the steps.
  const std::uint64_t trials = kMostWork / bound / kMostSeeds;
  if (trials < kTrialsPerPacket * packets.size()) return best;
  for (std::uint32_t steps = bound; steps < last_arrival(tree, best); ++steps) {
    for (std::uint64_t seed = 1; seed <= kMostSeeds; ++seed) {
      const std::vector<TimedPacket> found = exchange_by_ejection(tree, packets, steps, trials, seed);
      if (!found.empty()) return found;
    }
  }
  return best;
}

std::uint32_t last_arrival(const FatTree& tree, const std::vector<TimedPacket>& packets) {
  std::uint32_t last = 0;
  for (const TimedPacket& p : packets)
    last = std::max(last, p.start + p.waits + 2 * tree.turning_level(p.origin, p.destination) - 1);
  return last;
}

}  // namespace safnet
