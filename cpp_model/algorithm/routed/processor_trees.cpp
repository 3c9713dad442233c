#include "cpp_model/algorithm/routed/processor_trees.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/routed/shortest_ways.hpp"

namespace safnet {
namespace {

// Processors whose ways are tried in a step before their informer waits for the next.
constexpr std::size_t kMostTries = 8;

// Steps are counted backwards in time, so ways lead from the informed processor to its informer.
class TreeFromRoot {
 public:
  explicit TreeFromRoot(const Problem& problem)
      : graph_(problem.graph),
        ways_(problem.graph),
        occupancy_(port_occupancy(problem.graph, problem.ports)),
        busy_(occupancy_.count) {}

  CombiningTree grow(NodeId root, bool nearest_first) {
    const NodeId n = graph_.processor_count();
    std::vector<std::uint32_t> since(n, kUnreachable);  // informed at the end of that step
    std::vector<NodeId> informed{root};
    since[root] = 0;
    CombiningTree tree;
    for (std::uint32_t step = 1; informed.size() < n; ++step) {
      const std::size_t there = informed.size();
      for (std::size_t i = 0; i < there && informed.size() < n; ++i) {
        const NodeId from = informed[i];
        if (since[from] >= step) continue;
        std::vector<std::pair<std::uint32_t, NodeId>> left;
        for (NodeId k = 1; k < n; ++k) {
          const NodeId to = (from + k) % n;
          if (since[to] == kUnreachable) left.emplace_back(ways_.distance(to, from), k);
        }
        const std::size_t tries = std::min(kMostTries, left.size());
        const auto middle = left.begin() + static_cast<std::ptrdiff_t>(tries);
        std::partial_sort(left.begin(), middle, left.end(), [&](const auto& a, const auto& b) {
          return a.first != b.first ? (a.first < b.first) == nearest_first : a.second < b.second;
        });
        for (std::size_t t = 0; t < tries; ++t) {
          const NodeId to = (from + left[t].second) % n;
          if (!reserve(ways_.path(to, from), step)) continue;
          since[to] = step + left[t].first - 1;
          informed.push_back(to);
          tree.push_back({from, to});
          break;
        }
      }
    }
    return tree;
  }

 private:
  bool is_free(std::uint32_t resource, std::uint32_t step) const {
    return busy_[resource].size() <= step || !busy_[resource][step];
  }
  // The last link is crossed in `step`, the one before it in the next, as time runs backwards.
  bool reserve(const std::vector<LinkId>& links, std::uint32_t step) {
    bool free = true;
    const auto for_all = [&](auto visit) {
      for (std::size_t i = links.size(); i-- > 0;) {
        const auto at = step + static_cast<std::uint32_t>(links.size() - 1 - i);
        occupancy_.for_each(links[i], [&](std::uint32_t resource) { visit(resource, at); });
      }
    };
    for_all([&](std::uint32_t resource, std::uint32_t at) { free = free && is_free(resource, at); });
    if (!free) return false;
    for_all([&](std::uint32_t resource, std::uint32_t at) {
      if (busy_[resource].size() <= at) busy_[resource].resize(at + 1, false);
      busy_[resource][at] = true;
    });
    return true;
  }

  const Graph& graph_;
  ShortestWays ways_;
  Occupancy occupancy_;
  std::vector<std::vector<bool>> busy_;  // by resource and step
};

}  // namespace

CombiningTree star_of_processors(NodeId processors, NodeId root) {
  CombiningTree tree;
  for (NodeId i = 1; i < processors; ++i) tree.push_back({root, (root + i) % processors});
  return tree;
}

CombiningTree chain_of_processors(NodeId processors, NodeId root) {
  CombiningTree tree;
  for (NodeId i = 1; i < processors; ++i)
    tree.push_back({(root + i - 1) % processors, (root + i) % processors});
  return tree;
}

CombiningTree halved_processors(NodeId processors, NodeId root) {
  CombiningTree tree;
  std::vector<std::pair<NodeId, NodeId>> open{{0, processors}};  // places behind the root: first, end
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto [first, end] = open[i];
    if (end - first < 2) continue;
    const NodeId middle = first + (end - first + 1) / 2;
    tree.push_back({(root + first) % processors, (root + middle) % processors});
    open.emplace_back(first, middle);
    open.emplace_back(middle, end);
  }
  return tree;
}

CombiningTree grown_from_root(const Problem& problem, NodeId root, bool nearest_first) {
  return TreeFromRoot(problem).grow(root, nearest_first);
}

}  // namespace safnet
