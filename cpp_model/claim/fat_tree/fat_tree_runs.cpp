#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// Trees of arities that differ, and of height 1.
std::vector<FatTree> mixed_trees(bool full) {
  std::vector<Arities> list{{2}, {4}, {2, 3}, {3, 2}, {2, 3, 2}, {4, 3, 2}, {3, 2, 4}};
  if (full) {
    list = all_arities(48);
    std::erase_if(list, [](const Arities& a) { return a.size() > 1 && tree_of(a).is_uniform(); });
    std::ranges::stable_sort(list, {}, [](const Arities& a) { return a.size(); });
  }
  std::vector<FatTree> trees;
  for (const Arities& arities : list) trees.push_back(tree_of(arities));
  return trees;
}

// Trees with branches of several links.
std::vector<FatTree> thick_trees(bool full) {
  return trees_of_words(
      with_more(full, "fat-tree:2,3,exponential fat-tree:3x2,1,2 fat-tree:2x3,2,1",
                "fat-tree:2x2x2,1,2,3 fat-tree:3,2,1,2 fat-tree:2x2x2x2,1,1,2,2 fat-tree:4x2,1,3 "
                "fat-tree:3x2x3,2,1,2"));
}

// The neighbours of a node, each once, without one of them.
std::vector<NodeId> neighbours(const Graph& graph, NodeId v, NodeId without) {
  std::vector<NodeId> list;
  for (PortId p = 0; p < graph.degree(v); ++p) {
    const NodeId u = graph.peer(v, p).node;
    if (u != without && std::ranges::find(list, u) == list.end()) list.push_back(u);
  }
  return list;
}

std::uint64_t leaves_beyond(const Graph& graph, NodeId v, NodeId from) {
  std::uint64_t leaves = v < graph.processor_count() ? 1 : 0;
  for (const NodeId u : neighbours(graph, v, from)) leaves += leaves_beyond(graph, u, v);
  return leaves;
}

std::uint64_t distance_to_a_leaf(const Graph& graph, NodeId v) {
  const auto distances = graph.distances_from(v);
  return *std::min_element(distances.begin(), distances.begin() + graph.processor_count());
}

// The last step in which a router sends a packet from below.
std::uint64_t end_of_own(const RunOutcome& outcome, const FatTree& tree, NodeId v) {
  return last_step(outcome, [&](const Transfer& t) {
    return t.from == v && tree.above(t.packet.source, tree.level_of(v)) == v;
  });
}

std::uint64_t first_from_parent(const RunOutcome& outcome, const FatTree& tree, NodeId v) {
  const NodeId parent = tree.parent(v);
  return first_step(outcome, [&](const Transfer& t) {
    return t.from == parent && outcome.graph->peer(t.from, t.port).node == v;
  });
}

}  // namespace

std::vector<Arities> all_arities(std::uint32_t most) {
  std::vector<Arities> list;
  const std::function<void(const Arities&)> extend = [&](const Arities& arities) {
    for (std::uint32_t k = 2; k <= 5 && arities.size() < 4; ++k) {
      const Arities taller = joined(arities, {k});
      if (tree_of(taller).leaves() > most) continue;
      list.push_back(taller);
      extend(taller);
    }
  };
  extend({});
  return list;
}

FatTree tree_of_word(const std::string& word) { return *fat_tree_shape(make_topology(word)); }

std::vector<FatTree> trees_of_words(const std::vector<std::string>& words) {
  std::vector<FatTree> trees;
  std::ranges::transform(words, std::back_inserter(trees), tree_of_word);
  return trees;
}

std::uint64_t sum_of_arities(const FatTree& tree, std::uint32_t level) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 1; i <= level; ++i) sum += tree.arity(i);
  return sum;
}

std::uint64_t one_port_broadcast_steps(const FatTree& tree) {
  return sum_of_arities(tree, tree.height()) + tree.height() - 1;
}

std::uint64_t one_port_multinode_broadcast_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = tree.arity(1), h = tree.height();
  if (h >= 2 && tree.is_uniform()) return k * n + (k + 1) * (h - 2) + 1;
  std::uint64_t steps = n * (tree.arity(tree.height()) - 1) + h + sum_of_arities(tree, tree.height() - 1);
  for (std::uint32_t i = 1; i < h; ++i)
    steps = std::max(steps, n * tree.arity(i) + i + sum_of_arities(tree, i - 1));
  return steps;
}

std::uint64_t one_port_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = tree.arity(1), h = tree.height();
  if (h >= 2 && tree.is_uniform())
    return k == 2 ? n * n / 8 * 5 + 2 * h - 3 : n * n / k * (k - 1) + 2 * h - 1;
  std::uint64_t steps = n * (n - tree.leaves_below(tree.height() - 1)) + 2 * h - 1;
  for (std::uint32_t i = 1; i < h; ++i) {
    const std::uint64_t below = tree.leaves_below(i);
    steps = std::max(steps, below * (2 * n - tree.leaves_below(i - 1) - below) + 2 * i - 1);
  }
  return steps;
}

std::uint64_t one_packet_per_leaf(const FatTree& tree) {
  return tree.leaves() + (tree.arity(1) == 2 && tree.height() >= 2 ? 1 : 0);
}

std::vector<FatTree> uniform_trees(bool full, std::uint32_t most_leaves) {
  std::vector<FatTree> trees;
  for (std::uint32_t k = 2; k <= 5; ++k) {
    const std::uint32_t tallest = full ? std::array{5, 4, 3, 3}[k - 2] : std::array{4, 3, 2, 2}[k - 2];
    for (std::uint32_t h = 2; h <= tallest; ++h) {
      FatTree tree = FatTree::uniform(k, h);
      if (tree.leaves() <= most_leaves) trees.push_back(std::move(tree));
    }
  }
  return trees;
}

std::vector<FatTree> all_trees(bool full, std::uint32_t most_leaves) {
  return joined(joined(uniform_trees(full, most_leaves), mixed_trees(full)), thick_trees(full));
}

ClaimCase one_send(const FatTree& tree, CollectiveKind collective, const std::string& algorithm,
                   std::uint64_t steps, NodeId root, Inspection inspect) {
  return {tree.spelling(), collective, kOnePortSend, algorithm, root, "", steps, std::move(inspect)};
}

std::uint64_t steps_to_inform_from(const Graph& graph, NodeId v, NodeId from) {
  std::vector<std::uint64_t> times;
  for (const NodeId u : neighbours(graph, v, from)) times.push_back(steps_to_inform_from(graph, u, v));
  return steps_to_inform_all(std::move(times));
}

std::uint64_t bound_of_routers(const Graph& graph, bool personal) {
  const std::uint64_t n = graph.processor_count();
  std::uint64_t bound = 0;
  for (NodeId v = graph.processor_count(); v < graph.node_count(); ++v) {
    std::uint64_t must_send = personal ? n * n : 0, last = UINT64_MAX;
    const std::uint64_t first = distance_to_a_leaf(graph, v);
    const auto all = neighbours(graph, v, kNoNode);
    for (const NodeId u : all) {
      const std::uint64_t beyond = leaves_beyond(graph, u, v);
      if (personal) {
        must_send -= beyond * beyond;
      } else {
        must_send += n - beyond;
        last = std::min(last, steps_to_inform_from(graph, u, v));
      }
    }
    if (personal) last = first - 1;
    bound = std::max(bound, first + must_send + last);
  }
  return bound;
}

std::string compare(std::uint64_t found, std::uint64_t expected) {
  return unless(found == expected, "{} found, expected {}", found, expected);
}

std::uint64_t last_step(const RunOutcome& outcome, const PickTransfer& which) {
  std::uint64_t last = 0;
  for (const Transfer& t : outcome.trace->transfers) {
    if (which(t)) last = std::max<std::uint64_t>(last, t.step);
  }
  return last;
}

std::uint64_t first_step(const RunOutcome& outcome, const PickTransfer& which) {
  std::uint64_t first = UINT64_MAX;
  for (const Transfer& t : outcome.trace->transfers) {
    if (which(t)) first = std::min<std::uint64_t>(first, t.step);
  }
  return first == UINT64_MAX ? 0 : first;
}

std::uint64_t end_of_phase_a(const RunOutcome& outcome, const FatTree& tree, NodeId v) {
  return last_step(outcome, [&](const Transfer& t) { return t.from == v && t.port >= tree.up_port(v); });
}

std::string inspect_phases(const RunOutcome& outcome, const StepOfLevel& ends_a,
                           const StepOfLevel& is_empty) {
  const FatTree tree = *fat_tree_shape(*outcome.graph);
  for (NodeId v = tree.leaves(); v < tree.root(); ++v) {
    const std::uint32_t level = tree.level_of(v);
    if (const auto end = end_of_phase_a(outcome, tree, v); end != ends_a(tree, level)) {
      return fmt::format("phase A of node {} ends in step {}, expected {}", v, end, ends_a(tree, level));
    }
    if (level + 2 > tree.height()) continue;
    if (const auto empty = end_of_own(outcome, tree, v); empty != is_empty(tree, level)) {
      return fmt::format("node {} is empty after step {}, expected {}", v, empty, is_empty(tree, level));
    }
    const std::uint64_t parent_ends = end_of_phase_a(outcome, tree, tree.parent(v));
    if (is_empty(tree, level) >= parent_ends)
      return fmt::format("node {} is empty after its parent's phase A", v);
    if (first_from_parent(outcome, tree, v) <= parent_ends)
      return fmt::format("the parent of node {} sends down before its phase A ends", v);
  }
  return {};
}

}  // namespace safnet
