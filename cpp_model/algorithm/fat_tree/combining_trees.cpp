#include "cpp_model/algorithm/fat_tree/combining_trees.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include "cpp_model/algorithm/fat_tree/fat_tree_ways.hpp"

namespace safnet {
namespace {

// Steps are counted backwards in time, so links lead from the informed leaf towards its informer.
class GrownTree {
 public:
  /// All levels weigh the same if the seed is 0, otherwise by chance.
  GrownTree(const Graph& graph, const FatTree& tree, PortModel ports, std::uint32_t seed)
      : graph_(graph), tree_(tree), occupancy_(port_occupancy(graph, ports)), busy_(occupancy_.count) {
    std::mt19937 random(seed);
    for (std::uint32_t level = 0; level <= tree.height(); ++level)
      weights_.push_back(seed == 0 ? 1 : 1 + random() % 8);
  }

  GrownCombiningTree grow(NodeId root) {
    for (std::uint32_t level = 0; level <= tree_.height(); ++level)
      covered_.emplace_back(tree_.nodes_of(level));
    std::vector<std::uint32_t> since(tree_.leaves(), kUnreachable);  // informed at the end of that step
    since[root] = 0;
    cover(root);
    std::vector<NodeId> informed{root};
    GrownCombiningTree grown;
    for (std::uint32_t step = 1; informed.size() < tree_.leaves(); ++step) {
      const std::size_t there = informed.size();
      for (std::size_t i = 0; i < there; ++i) {
        if (since[informed[i]] >= step) continue;
        const NodeId to = choose(informed[i], step);
        if (to == kNoNode) continue;
        since[to] = step - 1 + 2 * tree_.turning_level(informed[i], to);
        grown.last = std::max(grown.last, since[to]);
        cover(to);
        informed.push_back(to);
        grown.tree.push_back({informed[i], to});
      }
    }
    return grown;
  }

 private:
  void cover(NodeId leaf) {
    for (std::uint32_t level = 0; level <= tree_.height(); ++level)
      ++covered_[level][leaf / tree_.leaves_below(level)];
  }
  // The leaf that `from` informs from this step on, or none.
  NodeId choose(NodeId from, std::uint32_t step) {
    struct Choice {
      std::uint64_t lacking, covered;
      NodeId router;
      std::uint32_t level;
    };
    std::vector<Choice> choices;
    for (std::uint32_t level = tree_.height(); level > 0; --level) {
      const NodeId above = tree_.above(from, level);
      for (std::uint32_t c = 0; c < tree_.arity(level); ++c) {
        const NodeId child = tree_.child(above, c);
        if (child == tree_.above(from, level - 1)) continue;
        const std::uint64_t covered = covered_[level - 1][tree_.index_of(child)];
        const std::uint64_t lacking = tree_.leaves_below(level - 1) - covered;
        if (lacking != 0) choices.push_back({lacking * weights_[level], covered + 1, child, level - 1});
      }
    }
    std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
      return a.lacking * b.covered > b.lacking * a.covered;
    });
    for (const Choice& choice : choices) {
      NodeId to = choice.router;
      for (std::uint32_t level = choice.level; level > 0; --level) {
        NodeId best = kNoNode;
        for (std::uint32_t c = 0; c < tree_.arity(level); ++c) {
          const NodeId child = tree_.child(to, c);
          if (best == kNoNode ||
              covered_[level - 1][tree_.index_of(child)] < covered_[level - 1][tree_.index_of(best)])
            best = child;
        }
        to = best;
      }
      if (reserve(from, to, step)) return to;
    }
    return kNoNode;
  }
  bool is_free(std::uint32_t resource, std::uint32_t step) const {
    return busy_[resource].size() <= step || !busy_[resource][step];
  }
  void take(std::uint32_t resource, std::uint32_t step) {
    if (busy_[resource].size() <= step) busy_[resource].resize(step + 1, false);
    busy_[resource][step] = true;
  }
  bool reserve(NodeId from, NodeId to, std::uint32_t step) {
    std::vector<LinkId> links;
    NodeId here = from;
    std::uint32_t now = step;
    for (const NodeId next : nodes_between(tree_, from, to)) {
      // Forwards in time from `next` to here.
      const PortId first = *graph_.port_to(next, here);
      PortId port = first;
      const auto there = [&] { return port < graph_.degree(next) && graph_.peer(next, port).node == here; };
      const auto free = [&] {
        const LinkId link = graph_.link(next, port);
        return is_free(occupancy_.sending[link], now) &&
               (occupancy_.receiving.empty() || is_free(occupancy_.receiving[link], now));
      };
      while (there() && !free()) ++port;
      if (!there()) return false;
      links.push_back(graph_.link(next, port));
      here = next;
      ++now;
    }
    for (const LinkId link : links) {
      take(occupancy_.sending[link], step);
      if (!occupancy_.receiving.empty()) take(occupancy_.receiving[link], step);
      ++step;
    }
    return true;
  }

  const Graph& graph_;
  const FatTree& tree_;
  Occupancy occupancy_;
  std::vector<std::uint64_t> weights_;   // by level
  std::vector<std::vector<bool>> busy_;  // by resource and step
  std::vector<std::vector<std::uint32_t>>
      covered_;  // by level and node: leaves that are, or will be, informed
};

}  // namespace

CombiningTree combining_chain(const FatTree& tree, NodeId root) {
  CombiningTree edges;
  for (NodeId i = 1; i < tree.leaves(); ++i)
    edges.push_back({(root + i - 1) % tree.leaves(), (root + i) % tree.leaves()});
  return edges;
}

CombiningTree combining_by_levels(const FatTree& tree, NodeId root, std::uint32_t direct) {
  const NodeId each = tree.leaves_below(direct);
  CombiningTree edges;
  for (NodeId first = 0; first < tree.leaves(); first += each) {
    if (first != root / each * each) edges.push_back({root, first + root % each});
  }
  std::ranges::stable_sort(edges, std::greater(),
                           [&](const ProcessorInforming& edge) { return tree.turning_level(root, edge.to); });
  for (std::uint32_t level = direct; level > 0; --level) {
    const NodeId below = tree.leaves_below(level - 1), all = tree.leaves_below(level);
    for (NodeId first = 0; first < tree.leaves(); first += all) {
      const NodeId from = first + root % all;
      for (std::uint32_t c = 1; c < tree.arity(level); ++c)
        edges.push_back({from, first + (root % all + c * below) % all});
    }
  }
  return edges;
}

GrownCombiningTree grown_combining_tree(const Graph& graph, const FatTree& tree, PortModel ports, NodeId root,
                                        std::uint32_t seed) {
  return GrownTree(graph, tree, ports, seed).grow(root);
}

}  // namespace safnet
