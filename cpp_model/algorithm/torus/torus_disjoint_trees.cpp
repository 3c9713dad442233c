#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace safnet {
namespace {

constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

// A class of links that are rotations of each other is named by the head of the one with label 0.
class Growth {
 public:
  explicit Growth(const MultidimensionalTorus& torus)
      : torus_(torus),
        labels_(torus.label_count()),
        taken_by_(torus.node_count(), kNoNode),
        seen_(torus.node_count(), 0) {
    tree_.link_into.resize(torus.node_count());
    tree_.level.assign(torus.node_count(), kNoLevel);
    tree_.level[0] = 0;
  }

  RotatableTree grow() {
    std::vector<NodeId> frontier{0};
    std::size_t nodes = 1;
    for (level_ = 1; !frontier.empty(); ++level_, nodes += frontier.size()) {
      // Only a node with a neighbour that is new in the tree can find what it did not find before.
      std::vector<NodeId> next;
      for (const NodeId v : outside_beside(frontier)) {
        ++search_;
        if (finds_link(v)) next.push_back(v);
      }
      for (const NodeId v : next) tree_.level[v] = level_;
      frontier = std::move(next);
    }
    if (nodes != torus_.node_count()) throw std::logic_error("torus trees: nothing left to grow to");
    return std::move(tree_);
  }

 private:
  std::vector<NodeId> outside_beside(const std::vector<NodeId>& frontier) const {
    std::vector<NodeId> list;
    for (const NodeId v : frontier) {
      for (std::uint32_t label = 0; label < labels_; ++label) {
        const NodeId head = torus_.head({v, label});
        if (tree_.level[head] == kNoLevel) list.push_back(head);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  bool finds_link(NodeId v) {
    const std::uint32_t before = std::min(tree_.level[v], level_);
    for (std::uint32_t label = 0; label < labels_; ++label) {
      const NodeId tail = torus_.head({v, (label + labels_ / 2) % labels_});
      if (tree_.level[tail] >= before) continue;
      const NodeId link_class = torus_.rotate(v, labels_ - label);
      if (seen_[link_class] == search_) continue;
      seen_[link_class] = search_;
      if (taken_by_[link_class] != kNoNode && !finds_link(taken_by_[link_class])) continue;
      taken_by_[link_class] = v;
      tree_.link_into[v] = {tail, label};
      return true;
    }
    return false;
  }

  const MultidimensionalTorus& torus_;
  std::uint32_t labels_, level_ = 0, search_ = 0;
  std::vector<NodeId> taken_by_;     // by class: the head of its link in the tree
  std::vector<std::uint32_t> seen_;  // by class: the last search that came to it
  RotatableTree tree_;
};

}  // namespace

namespace {

constexpr std::uint32_t kSearchAttempts = 100;
constexpr std::uint64_t kSearchVisits = 5000;

// Where a search within those limits finds a tree of depth D + 1, in less than half a second.
bool is_searched(std::uint32_t n, std::uint32_t k) {
  return (n == 2 && k >= 6 && k <= 24) || (n == 3 && k >= 5 && k <= 8);
}

}  // namespace

RotatableTree grown_rotatable_tree(const MultidimensionalTorus& torus) { return Growth(torus).grow(); }

RotatableTree rotatable_tree(const MultidimensionalTorus& torus) {
  if (!is_searched(torus.dimensions(), torus.radix())) return grown_rotatable_tree(torus);
  return search_rotatable_tree(torus, torus.diameter() + 1, kSearchAttempts, kSearchVisits).value();
}

std::uint32_t rotatable_tree_depth(std::uint32_t n, std::uint32_t k) {
  if (k == 2) return n == 1 ? 1 : n + 1;
  return is_searched(n, k) ? n * (k / 2) + 1 : (n - 1) * (k / 2) + k - 1;
}

}  // namespace safnet
