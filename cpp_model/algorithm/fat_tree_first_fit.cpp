// Total exchange without waiting, by first fit. See fat_tree_exchange_plans.hpp.
#include <algorithm>
#include <random>
#include <utility>

#include "cpp_model/algorithm/fat_tree_exchange_plans.hpp"
#include "cpp_model/bound/fat_tree_exchange_bound.hpp"

namespace safnet {
namespace {

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

std::vector<TimedPacket> first_fit_exchange(const FatTree& tree) {
  const std::uint64_t bound = fat_tree_exchange_mean_bound(tree);
  std::vector<TimedPacket> order = exchange_in_phases(tree), best;
  std::mt19937_64 random(1);
  const std::uint64_t attempts = std::max<std::uint64_t>(1, 200'000 / order.size() / 10);
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    std::vector<TimedPacket> packets = first_fit(tree, order);
    if (best.empty() || last_arrival(tree, packets) < last_arrival(tree, best)) best = std::move(packets);
    if (last_arrival(tree, best) == bound) break;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    std::ranges::stable_sort(order, std::greater<>{}, [&](const TimedPacket& p) {
      return tree.turning_level(p.origin, p.destination);
    });
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
