#include "cpp_model/algorithm/gossip/hamiltonian_cycle.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace safnet {
namespace {

class CycleSearch {
 public:
  explicit CycleSearch(const FlatGraph& graph) : graph_(graph), visited_(graph.nodes, 0) {}

  std::vector<LinkId> search() {
    if (graph_.nodes < 2) return {};
    for (std::uint64_t seed = 1; visits_ < kMostCycleVisits; ++seed) {
      random_.seed(seed);
      // An attempt that begins badly wastes its visits, so the first attempts get few of them.
      limit_ = std::min(kMostCycleVisits, visits_ + 20 * std::uint64_t{graph_.nodes} * seed);
      if (attempt()) return links_;
      if (visits_ < limit_) return {};  // all has been tried
    }
    return {};
  }

 private:
  bool attempt() {
    std::fill(visited_.begin(), visited_.end(), std::uint8_t{0});
    links_.clear();
    visited_[0] = 1;
    std::vector<std::vector<LinkId>> places{ways_from(0)};
    while (!places.empty()) {
      if (++visits_ >= limit_) return false;
      std::vector<LinkId>& ways = places.back();
      if (ways.empty()) {
        places.pop_back();
        if (!links_.empty()) {
          visited_[graph_.target[links_.back()]] = 0;
          links_.pop_back();
        }
        continue;
      }
      const LinkId link = ways.back();
      ways.pop_back();
      const NodeId to = graph_.target[link];
      links_.push_back(link);
      if (to == 0) return true;
      visited_[to] = 1;
      places.push_back(ways_from(to));
    }
    return false;
  }

  // Links to nodes that have not been passed, the best last; from the last node the one to the first.
  std::vector<LinkId> ways_from(NodeId v) {
    std::vector<std::pair<std::uint64_t, LinkId>> ranked;
    for (const LinkId link : graph_.out_of(v)) {
      const NodeId to = graph_.target[link];
      if (to == 0 ? links_.size() + 1 != graph_.nodes : visited_[to] != 0) continue;
      std::uint64_t onwards = 0;
      for (const LinkId next : graph_.out_of(to)) onwards += visited_[graph_.target[next]] == 0 ? 1 : 0;
      ranked.emplace_back((onwards << 32) | (random_() & 0xffff'ffff), link);
    }
    std::sort(ranked.rbegin(), ranked.rend());
    std::vector<LinkId> ways;
    for (const auto& [unused, link] : ranked) ways.push_back(link);
    return ways;
  }

  const FlatGraph& graph_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> visited_;
  std::vector<LinkId> links_;
  std::uint64_t visits_ = 0, limit_ = 0;
};

}  // namespace

std::vector<LinkId> hamiltonian_cycle(const FlatGraph& graph) { return CycleSearch(graph).search(); }

}  // namespace safnet
