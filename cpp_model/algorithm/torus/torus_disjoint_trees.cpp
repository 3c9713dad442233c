#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "cpp_model/algorithm/tools/shuffle.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A class of links that are rotations of each other is named by the head of the one with label 0.
class Growth {
 public:
  explicit Growth(const MultidimensionalTorus& torus)
      : torus_(torus),
        labels_(torus.label_count()),
        taken_by_(torus.node_count(), kNoNode),
        seen_(torus.node_count(), 0) {
    tree_.link_into.resize(torus.node_count());
    tree_.level.assign(torus.node_count(), kNone);
    tree_.level[0] = 0;
  }

  RotatableTree grow() {
    std::vector<NodeId> frontier{0};
    std::size_t nodes = 1;
    for (level_ = 1; !frontier.empty(); ++level_, nodes += frontier.size()) {
      // Only a node beside one that is new in the tree can find a link that it did not find before.
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
        if (tree_.level[head] == kNone) list.push_back(head);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  bool finds_link(NodeId v) {
    const std::uint32_t before = std::min(tree_.level[v], level_);
    for (std::uint32_t label = 0; label < labels_; ++label) {
      const DimensionedLink link = torus_.link_to(v, label);
      if (tree_.level[link.tail] >= before) continue;
      const NodeId link_class = torus_.rotate(v, labels_ - label);
      if (seen_[link_class] == search_) continue;
      seen_[link_class] = search_;
      if (taken_by_[link_class] != kNoNode && !finds_link(taken_by_[link_class])) continue;
      taken_by_[link_class] = v;
      tree_.link_into[v] = link;
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

class TreeSearch {
 public:
  TreeSearch(const MultidimensionalTorus& torus, std::uint32_t depth)
      : torus_(torus), labels_(torus.label_count()), depth_(depth) {
    for (NodeId v = 0; v < torus.node_count(); ++v) {
      for (std::uint32_t label = 0; label < labels_; ++label) {
        head_.push_back(torus.head({v, label}));
        class_.push_back(torus.rotate(v, labels_ - label));
      }
    }
  }

  // Attempt 0 takes nodes and labels as they come, nearest first; later ones mix the labels at one node in
  // four, and every other one begins with the furthest necklaces.
  bool attempt(std::uint32_t number, std::uint64_t visits) {
    random_.seed(number);
    mixes_ = number != 0;
    visits_left_ = visits;
    label_into_.assign(torus_.node_count(), kNone);
    taken_.assign(torus_.node_count(), false);
    // All links out of the root are of one class.
    const NodeId child = torus_.head({0, 0});
    take(child, 0);
    order_.clear();
    for (const NodeId generator : torus_.entries(number % 2 == 1)) {
      for (const NodeId v : torus_.rotations(generator, torus_.period(generator))) {
        if (v != child) order_.push_back(v);
      }
    }
    return all_in_time() && finish(0);
  }

  RotatableTree tree() const {
    RotatableTree result;
    result.link_into.resize(torus_.node_count());
    result.level = level_;
    for (NodeId v = 1; v < torus_.node_count(); ++v) result.link_into[v] = torus_.link_to(v, label_into_[v]);
    return result;
  }

 private:
  NodeId class_of(NodeId head, std::uint32_t label) const { return class_[head * labels_ + label]; }
  void take(NodeId v, std::uint32_t label) {
    label_into_[v] = label;
    taken_[class_of(v, label)] = true;
  }
  void give_back(NodeId v) {
    taken_[class_of(v, label_into_[v])] = false;
    label_into_[v] = kNone;
  }

  // Breadth-first, over the links that are chosen and, into nodes that have none yet, those of free classes.
  bool all_in_time() {
    level_.assign(torus_.node_count(), kNone);
    level_[0] = 0;
    queue_.assign(1, 0);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const NodeId v = queue_[next];
      if (level_[v] >= depth_) break;
      for (std::uint32_t label = 0; label < labels_; ++label) {
        const NodeId head = head_[v * labels_ + label];
        if (level_[head] != kNone) continue;
        const bool open =
            label_into_[head] == kNone ? !taken_[class_of(head, label)] : label_into_[head] == label;
        if (!open) continue;
        level_[head] = level_[v] + 1;
        queue_.push_back(head);
      }
    }
    return queue_.size() == torus_.node_count();
  }

  bool finish(std::size_t from) {
    if (from == order_.size()) return true;
    const NodeId v = order_[from];
    std::vector<std::uint32_t> labels(labels_);
    std::iota(labels.begin(), labels.end(), std::uint32_t{0});
    if (mixes_ && random_() % 4 == 0) shuffle(labels, random_);
    for (const std::uint32_t label : labels) {
      if (taken_[class_of(v, label)]) continue;
      if (visits_left_ == 0) return false;
      --visits_left_;
      take(v, label);
      if (all_in_time() && finish(from + 1)) return true;
      give_back(v);
    }
    return false;
  }

  const MultidimensionalTorus& torus_;
  std::uint32_t labels_, depth_;
  std::vector<NodeId> head_, class_;  // by node and label
  std::vector<NodeId> order_, queue_;
  std::vector<std::uint32_t> label_into_, level_;
  std::vector<bool> taken_;  // by class
  std::mt19937_64 random_;
  bool mixes_ = false;
  std::uint64_t visits_left_ = 0;
};

constexpr std::uint32_t kSearchAttempts = 100;
constexpr std::uint64_t kSearchVisits = 5000;

// Where a search within those limits finds a tree of depth D + 1, in less than half a second.
bool is_searched(std::uint32_t n, std::uint32_t k) {
  return (n == 2 && k >= 6 && k <= 24) || (n == 3 && k >= 5 && k <= 8);
}

}  // namespace

RotatableTree grown_rotatable_tree(const MultidimensionalTorus& torus) { return Growth(torus).grow(); }

std::optional<RotatableTree> search_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth,
                                                   std::uint32_t attempts, std::uint64_t visits) {
  TreeSearch search(torus, depth);
  for (std::uint32_t number = 0; number < attempts; ++number) {
    if (search.attempt(number, visits)) return search.tree();
  }
  return std::nullopt;
}

bool some_rotatable_tree(const MultidimensionalTorus& torus, std::uint32_t depth) {
  return TreeSearch(torus, depth).attempt(0, std::numeric_limits<std::uint64_t>::max());
}

RotatableTree rotatable_tree(const MultidimensionalTorus& torus) {
  if (!is_searched(torus.dimensions(), torus.radix())) return grown_rotatable_tree(torus);
  return search_rotatable_tree(torus, torus.diameter() + 1, kSearchAttempts, kSearchVisits).value();
}

std::uint32_t rotatable_tree_depth(std::uint32_t n, std::uint32_t k) {
  if (k == 2) return n == 1 ? 1 : n + 1;
  return is_searched(n, k) ? n * (k / 2) + 1 : (n - 1) * (k / 2) + k - 1;
}

}  // namespace safnet
