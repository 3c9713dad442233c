#include "cpp_model/algorithm/tree/disjoint_trees.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Finds paths that share no link, one augmenting path after the other: as many as are wanted, or as there
// are.
class LinkDisjointPaths {
 public:
  explicit LinkDisjointPaths(const FlatGraph& graph)
      : graph_(graph), is_free_(graph.source.size(), 1), used_(graph.source.size(), 0) {}

  void remove(LinkId link) { is_free_[link] = 0; }
  void restore(LinkId link) { is_free_[link] = 1; }

  /// Paths to `target` that share no link, at most `wanted`. `inside[i][v]`: source i (a tree) holds node v.
  /// Every source begins at most one path, at any node that it holds.
  std::uint32_t count(const std::vector<std::vector<std::uint8_t>>& inside, NodeId target,
                      std::uint32_t wanted) {
    std::uint32_t paths = 0;
    std::vector<std::uint32_t> starts(inside.size(), kNone);  // by source: the node that its path begins at
    std::fill(used_.begin(), used_.end(), std::uint8_t{0});
    // Sources that hold the target are there already.
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i][target] == 0) continue;
      starts[i] = target;
      ++paths;
    }
    while (paths < wanted && augment(inside, starts, target)) ++paths;
    return paths;
  }

 private:
  // Seeks an augmenting path. Vertices: nodes, then sources. Edges: from a source to its nodes; from a node
  // over free links, back over used ones, and back to a source whose path begins there.
  bool augment(const std::vector<std::vector<std::uint8_t>>& inside, std::vector<std::uint32_t>& starts,
               NodeId target) {
    const NodeId n = graph_.nodes;
    std::vector<Move> moves(n + inside.size(), Move{kNone, kStart, 0});
    std::vector<std::uint32_t> queue;
    for (std::uint32_t i = 0; i < inside.size(); ++i) {
      if (starts[i] != kNone) continue;
      moves[n + i] = {n + i, kStart, 0};
      queue.push_back(n + i);
    }
    const auto visit = [&](std::uint32_t vertex, Move move) {
      if (moves[vertex].from != kNone) return;
      moves[vertex] = move;
      queue.push_back(vertex);
    };
    for (std::size_t head = 0; head < queue.size() && moves[target].from == kNone; ++head) {
      const std::uint32_t at = queue[head];
      if (at >= n) {
        for (NodeId v = 0; v < n; ++v) {
          if (inside[at - n][v] != 0 && starts[at - n] != v) visit(v, {at, kBegin, 0});
        }
        continue;
      }
      for (const LinkId link : graph_.out_of(at)) {
        if (is_free_[link] != 0 && used_[link] == 0) visit(graph_.target[link], {at, kForward, link});
      }
      for (const LinkId link : graph_.into(at)) {
        if (used_[link] != 0) visit(graph_.source[link], {at, kBack, link});
      }
      for (std::uint32_t i = 0; i < inside.size(); ++i) {
        if (starts[i] == at) visit(n + i, {at, kGiveUp, 0});
      }
    }
    if (moves[target].from == kNone) return false;
    for (std::uint32_t at = target; moves[at].how != kStart; at = moves[at].from) {
      const Move& move = moves[at];
      if (move.how == kForward) used_[move.link] = 1;
      if (move.how == kBack) used_[move.link] = 0;
      if (move.how == kBegin) starts[move.from - n] = at;
    }
    return true;
  }
  enum How : std::uint8_t { kStart, kBegin, kForward, kBack, kGiveUp };
  struct Move {
    std::uint32_t from;
    How how;
    LinkId link;
  };

  const FlatGraph& graph_;
  std::vector<std::uint8_t> is_free_, used_;
};

}  // namespace

std::uint32_t fewest_links_cut(const FlatGraph& graph, NodeId root) {
  auto fewest = static_cast<std::uint32_t>(graph.out_of(root).size());
  if (graph.nodes == 1) return fewest;
  LinkDisjointPaths paths(graph);
  std::vector<std::uint8_t> only_root(graph.nodes, 0);
  only_root[root] = 1;
  for (NodeId v = 0; v < graph.nodes; ++v) {
    if (v == root) continue;
    fewest = std::min(fewest, static_cast<std::uint32_t>(graph.into(v).size()));
    fewest = paths.count(std::vector(fewest, only_root), v, fewest);
  }
  return fewest;
}

std::vector<OutTree> disjoint_trees(const FlatGraph& graph, NodeId root, std::uint32_t count) {
  const NodeId n = graph.nodes;
  std::vector<OutTree> trees(count, {std::vector<LinkId>(n, 0), std::vector<std::uint32_t>(n, 0), 0});
  std::vector<std::vector<std::uint8_t>> inside(count, std::vector<std::uint8_t>(n, 0));
  for (auto& nodes : inside) nodes[root] = 1;
  LinkDisjointPaths paths(graph);
  std::vector<std::uint8_t> is_taken(graph.source.size(), 0);
  std::vector<std::size_t> missing(count, n - 1);
  using Candidate = std::tuple<std::uint32_t, std::size_t, std::uint32_t, LinkId>;  // depth, size, tree, link
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open;
  std::vector<Candidate> refused;
  const auto offer_links_of = [&](std::uint32_t tree, NodeId v) {
    for (const LinkId link : graph.out_of(v))
      open.push({trees[tree].depth[v] + 1, n - missing[tree], tree, link});
  };
  for (std::uint32_t tree = 0; tree < count; ++tree) offer_links_of(tree, root);
  std::size_t left = std::size_t{count} * (n - 1), left_before = left + 1;
  while (left != 0) {
    if (open.empty()) {
      // A link that was refused may be allowed now that other trees have grown.
      if (left == left_before) throw bad_input("{} trees from node {}: expected fewer", count, root);
      left_before = left;
      for (const Candidate& again : refused) open.push(again);
      refused.clear();
      continue;
    }
    const auto [depth, unused, tree, link] = open.top();
    open.pop();
    const NodeId to = graph.target[link];
    if (is_taken[link] != 0 || inside[tree][to] != 0) continue;
    // Would every tree still reach the link's end, over links that no tree has?
    paths.remove(link);
    inside[tree][to] = 1;
    if (paths.count(inside, to, count) < count) {
      paths.restore(link);
      inside[tree][to] = 0;
      refused.emplace_back(depth, unused, tree, link);
      continue;
    }
    is_taken[link] = 1;
    trees[tree].by[to] = link;
    trees[tree].depth[to] = depth;
    trees[tree].height = std::max(trees[tree].height, depth);
    --missing[tree];
    --left;
    offer_links_of(tree, to);
  }
  return trees;
}

std::uint64_t steps_over_trees(const std::vector<OutTree>& trees, std::uint64_t messages) {
  std::vector<std::uint32_t> unused;  // steps in which nothing arrives yet at the deepest node
  for (const OutTree& tree : trees) unused.push_back(tree.height - 1);
  return steps_of_late_servers(messages, unused);
}

std::vector<Send> broadcast_over_trees(const FlatGraph& graph, NodeId root, const std::vector<OutTree>& trees,
                                       std::uint32_t messages) {
  std::vector<Send> sends;
  sends.reserve(std::size_t{messages} * (graph.nodes - 1));
  std::vector<std::uint32_t> dealt(trees.size(), 0);
  for (std::uint32_t m = 0; m < messages; ++m) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trees.size(); ++i) {
      if (dealt[i] + trees[i].height < dealt[best] + trees[best].height) best = i;
    }
    const std::uint32_t before = dealt[best]++;
    for (NodeId v = 0; v < graph.nodes; ++v) {
      if (v != root) sends.push_back({before + trees[best].depth[v], trees[best].by[v], m});
    }
  }
  std::sort(sends.begin(), sends.end());
  return sends;
}

}  // namespace safnet
