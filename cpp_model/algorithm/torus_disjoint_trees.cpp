#include "cpp_model/algorithm/torus_disjoint_trees.hpp"

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
    std::vector<NodeId> outside;
    for (NodeId v = 1; v < torus_.node_count(); ++v) outside.push_back(v);
    for (level_ = 1; !outside.empty(); ++level_) {
      std::vector<NodeId> reached, left;
      for (const NodeId v : outside) {
        ++search_;
        (finds_link(v) ? reached : left).push_back(v);
      }
      if (reached.empty()) throw std::logic_error("torus trees: nothing left to grow to");
      for (const NodeId v : reached) tree_.level[v] = level_;
      outside = std::move(left);
    }
    return std::move(tree_);
  }

 private:
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

RotatableTree rotatable_tree(const MultidimensionalTorus& torus) { return Growth(torus).grow(); }

std::uint32_t rotatable_tree_depth(std::uint32_t n, std::uint32_t k) {
  if (k == 2) return n == 1 ? 1 : n + 1;
  return (n - 1) * (k / 2) + k - 1;
}

}  // namespace safnet
