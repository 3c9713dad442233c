// Total exchange without waiting, in a given number of steps, by ejection. See fat_tree_exchange_plans.hpp.
#include <algorithm>
#include <random>
#include <utility>

#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_plans.hpp"

namespace safnet {
namespace {

// After Nagata and Braysy's guided ejection search: one packet after the other is given a start, at the
// expense of those that are in its way; packets that were hard to place before are the last to be ejected.
class Ejection {
 public:
  Ejection(const FatTree& tree, std::vector<TimedPacket> packets, std::uint32_t steps, std::uint64_t seed)
      : tree_(tree), packets_(std::move(packets)), steps_(steps), random_(seed) {
    for (const TimedPacket& p : packets_) turn_.push_back(tree.turning_level(p.origin, p.destination));
    trouble_.assign(packets_.size(), 1);
    up_.assign(tree.node_count(), std::vector<std::vector<PacketIndex>>(steps + 1));
    down_ = up_;
  }

  std::vector<TimedPacket> run(std::uint64_t trials) {
    std::vector<PacketIndex> open(packets_.size());
    for (PacketIndex p = 0; p < open.size(); ++p) open[p] = static_cast<PacketIndex>(open.size()) - 1 - p;
    while (!open.empty()) {
      if (trials-- == 0) return {};
      std::swap(open.back(), open[random_() % open.size()]);
      const PacketIndex packet = open.back();
      open.pop_back();
      const std::vector<PacketIndex> ejected = place(packet);
      open.insert(open.end(), ejected.begin(), ejected.end());
    }
    return packets_;
  }

 private:
  using Carried = std::vector<PacketIndex>;  // by one branch, one way, in one step

  template <class Visit>
  void along(PacketIndex packet, std::uint32_t start, Visit visit) {
    const TimedPacket& p = packets_[packet];
    for (std::uint32_t level = 1; level <= turn_[packet]; ++level) {
      visit(up_[tree_.above(p.origin, level - 1)][start + level - 1], tree_.capacity(level));
      visit(down_[tree_.above(p.destination, level - 1)][start + 2 * turn_[packet] - level],
            tree_.capacity(level));
    }
  }

  // Of every branch that is full, the packet that is the least trouble.
  std::vector<PacketIndex> in_the_way(PacketIndex packet, std::uint32_t start) {
    std::vector<PacketIndex> list;
    along(packet, start, [&](const Carried& carried, std::uint32_t capacity) {
      if (carried.size() < capacity) return;
      const PacketIndex least =
          *std::ranges::min_element(carried, {}, [&](PacketIndex p) { return trouble_[p]; });
      if (std::ranges::find(list, least) == list.end()) list.push_back(least);
    });
    return list;
  }

  // Gives it the start that is the least trouble; returns what that ejects.
  std::vector<PacketIndex> place(PacketIndex packet) {
    std::vector<PacketIndex> best;
    std::uint64_t least = 0, equal = 0;
    for (std::uint32_t start = 1; start + 2 * turn_[packet] - 1 <= steps_; ++start) {
      std::vector<PacketIndex> ejected = in_the_way(packet, start);
      std::uint64_t trouble = 0;
      for (const PacketIndex p : ejected) trouble += trouble_[p];
      if (equal != 0 && trouble > least) continue;
      if (equal != 0 && trouble == least && random_() % ++equal != 0) continue;
      if (equal == 0 || trouble < least) equal = 1;
      least = trouble;
      best = std::move(ejected);
      packets_[packet].start = start;
    }
    for (const PacketIndex p : best)
      along(p, packets_[p].start, [p](Carried& carried, std::uint32_t) { std::erase(carried, p); });
    if (!best.empty()) ++trouble_[packet];
    along(packet, packets_[packet].start,
          [packet](Carried& carried, std::uint32_t) { carried.push_back(packet); });
    return best;
  }

  const FatTree& tree_;
  std::vector<TimedPacket> packets_;
  std::uint32_t steps_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> turn_;
  std::vector<std::uint64_t> trouble_;
  std::vector<std::vector<Carried>> up_, down_;  // by the lower node of a branch, and step
};

}  // namespace

std::vector<TimedPacket> exchange_by_ejection(const FatTree& tree, std::vector<TimedPacket> packets,
                                              std::uint32_t steps, std::uint64_t trials, std::uint64_t seed) {
  return Ejection(tree, std::move(packets), steps, seed).run(trials);
}

}  // namespace safnet
