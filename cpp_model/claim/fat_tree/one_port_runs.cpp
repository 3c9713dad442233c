#include "cpp_model/claim/fat_tree/one_port_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

FatTree tree_of_word(const std::string& word) { return *fat_tree_shape(make_topology(word)); }

// Trees of arities that differ, and of height 1.
std::vector<FatTree> mixed_trees(bool full) {
  std::vector<Arities> list{{2}, {4}, {2, 3}, {3, 2}, {2, 3, 2}, {4, 3, 2}, {3, 2, 4}};
  if (full) {
    list.clear();
    std::vector<Arities> grown{{}};
    for (std::size_t next = 0; next < grown.size(); ++next) {
      for (std::uint32_t k = 2; k <= 5; ++k) {
        Arities taller = grown[next];
        taller.push_back(k);
        const auto leaves =
            std::accumulate(taller.begin(), taller.end(), std::uint32_t{1}, std::multiplies<>());
        if (leaves > 48) continue;
        if (taller.size() == 1 || std::ranges::adjacent_find(taller, std::not_equal_to<>()) != taller.end())
          list.push_back(taller);
        if (taller.size() < 4) grown.push_back(std::move(taller));
      }
    }
  }
  std::vector<FatTree> trees;
  for (const Arities& arities : list) trees.push_back(tree_of(arities));
  return trees;
}

// Trees with branches of several links.
std::vector<FatTree> thick_trees(bool full) {
  std::vector<std::string> words =
      with_more<std::string>(full, {"fat-tree:2,3,exponential", "fat-tree:3x2,1,2", "fat-tree:2x3,2,1"},
                             {"fat-tree:2x2x2,1,2,3", "fat-tree:3,2,1,2", "fat-tree:2x2x2x2,1,1,2,2",
                              "fat-tree:4x2,1,3", "fat-tree:3x2x3,2,1,2"});
  std::vector<FatTree> trees;
  for (const std::string& word : words) trees.push_back(tree_of_word(word));
  return trees;
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
  std::vector<FatTree> trees = uniform_trees(full, most_leaves);
  for (const auto& more : {mixed_trees(full), thick_trees(full)})
    trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}

ClaimCase one_send(const FatTree& tree, CollectiveKind collective, const std::string& algorithm,
                   std::uint64_t steps, NodeId root) {
  return {tree.spelling(), collective, kOnePortSend, algorithm, root, "", steps};
}

std::uint64_t steps_to_inform_from(const Graph& graph, NodeId v, NodeId from) {
  std::vector<std::uint64_t> times;
  for (const NodeId u : neighbours(graph, v, from)) times.push_back(steps_to_inform_from(graph, u, v));
  std::ranges::sort(times, std::greater<>());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < times.size(); ++i) steps = std::max(steps, times[i] + i + 1);
  return steps;
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
  return found == expected ? "" : fmt::format("{} found, expected {}", found, expected);
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
