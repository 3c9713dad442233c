#include "cpp_model/algorithm/fat_tree/fat_tree_no_wait.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_phases.hpp"
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

  // Gives the packet the start that is the least trouble; returns the packets that this ejects.
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

}  // namespace safnet
