// fat_tree_one_port_claims - thesis 6.1 and 6.2: fat trees, and collectives on them whose nodes send one
// packet at a time.
//
// In every case no node sends more than one packet in a step, and may receive any number. N_i = k_1 ... k_i
// leaves are below a node of level i, n = N_h; k is the arity of a tree whose arities are equal.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "cpp_model/claim/fat_tree/fat_tree_formulas.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Arities = std::vector<std::uint32_t>;

FatTree tree_of(const Arities& arities) { return {arities, Arities(arities.size(), 1)}; }

FatTree tree_of_word(const std::string& word) { return *fat_tree_shape(make_topology(word)); }

// Trees of equal arities.
std::vector<FatTree> uniform_trees(bool full, std::uint32_t most_leaves = 128) {
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
  std::vector<std::string> words{"fat-tree:2,3,exponential", "fat-tree:3x2,1,2", "fat-tree:2x3,2,1"};
  if (full) {
    words.insert(words.end(), {"fat-tree:2x2x2,1,2,3", "fat-tree:3,2,1,2", "fat-tree:2x2x2x2,1,1,2,2",
                               "fat-tree:4x2,1,3", "fat-tree:3x2x3,2,1,2"});
  }
  std::vector<FatTree> trees;
  for (const std::string& word : words) trees.push_back(tree_of_word(word));
  return trees;
}

std::vector<FatTree> all_trees(bool full, std::uint32_t most_leaves = 128) {
  std::vector<FatTree> trees = uniform_trees(full, most_leaves);
  for (const auto& more : {mixed_trees(full), thick_trees(full)})
    trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}
constexpr const char* kAllTreesInWords =
    "k = 2 to 5 with up to 27 leaves, 7 trees of arities that differ or of height 1, 3 with branches of "
    "several links; full: k = 2 to h = 5, k = 3 to h = 4, k = 4 and 5 to h = 3, all 88 of 2 to 5 children "
    "with n <= 48 and h <= 4, 8 of several links";

ClaimCase one_send(const FatTree& tree, CollectiveKind collective, const std::string& algorithm,
                   std::uint64_t steps, NodeId root = 0) {
  return {tree.spelling(), collective, PortModel::kOnePortSend, algorithm, root, "", steps};
}

std::uint64_t k_of(const FatTree& tree) { return tree.arity(1); }

// ---- What a tree allows, by search on the graph alone ----

// The neighbours of a node, each once, without one of them.
std::vector<NodeId> neighbours(const Graph& graph, NodeId v, NodeId without) {
  std::vector<NodeId> list;
  for (PortId p = 0; p < graph.degree(v); ++p) {
    const NodeId u = graph.peer(v, p).node;
    if (u != without && std::ranges::find(list, u) == list.end()) list.push_back(u);
  }
  return list;
}

// (6.1): steps in which node v, which has the packet, informs all that is not beyond `from`.
std::uint64_t steps_to_inform_from(const Graph& graph, NodeId v, NodeId from) {
  std::vector<std::uint64_t> times;
  for (const NodeId u : neighbours(graph, v, from)) times.push_back(steps_to_inform_from(graph, u, v));
  std::ranges::sort(times, std::greater<>());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < times.size(); ++i) steps = std::max(steps, times[i] + i + 1);
  return steps;
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

// Every router sends what it must, one packet a step, from the first that can be there; the last of them has
// still some way to go.
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

// ---- What a run did, from its trace ----

// The step of the first or the last of the transfers that `which` picks; 0 if there is none.
template <class Which>
std::uint64_t last_step(const RunOutcome& outcome, const Which& which) {
  std::uint64_t last = 0;
  for (const Transfer& t : outcome.trace->transfers) {
    if (which(t)) last = std::max<std::uint64_t>(last, t.step);
  }
  return last;
}
template <class Which>
std::uint64_t first_step(const RunOutcome& outcome, const Which& which) {
  std::uint64_t first = UINT64_MAX;
  for (const Transfer& t : outcome.trace->transfers) {
    if (which(t)) first = std::min<std::uint64_t>(first, t.step);
  }
  return first == UINT64_MAX ? 0 : first;
}

std::uint64_t end_of_phase_a(const RunOutcome& outcome, const FatTree& tree, NodeId v) {
  return last_step(outcome, [&](const Transfer& t) { return t.from == v && t.port >= tree.up_port(v); });
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

// Lemmas 6.4 and 6.7: when a router of level i ends phase A, and when it has sent all that came from below
// and waits for its parent. `ends_a(tree, i)`, `is_empty(tree, i)`: what the lemma says.
using StepOfLevel = std::function<std::uint64_t(const FatTree&, std::uint32_t)>;
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

// ---- The claims ----

std::string check_levels(const FatTree& tree) {
  const Graph graph = make_topology(tree.spelling());
  const std::uint64_t n = tree.leaves();
  const std::uint32_t h = tree.height();
  const auto depth = graph.distances_from(graph.node_count() - 1);  // the root
  std::vector<std::uint64_t> nodes(h + 1), links(h + 1);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const std::uint32_t level = h - depth[v];
    ++nodes[level];
    for (PortId p = 0; p < graph.degree(v); ++p)
      links[level] += depth[graph.peer(v, p).node] < depth[v] ? 1 : 0;
  }
  std::uint64_t expected = 1;
  for (std::uint32_t level = h;; --level) {
    if (nodes[level] != expected)
      return fmt::format("{} nodes of level {}, expected {}", nodes[level], level, expected);
    if (level < h && links[level] != n)
      return fmt::format("{} links of level {}, expected {}", links[level], level + 1, n);
    if (level == 0) break;
    expected *= k_of(tree);
  }
  return compare(graph.processor_count(), n);
}

Claim levels() {
  Claim claim{
      "fat.F01", "6.1",
      "level i of a k-ary fat tree has k^(h-i) nodes, so n = k^h leaves; with capacities k^(i-1) there "
      "are n links up and n links down between any two levels",
      Finding::kHolds, "k = 2 to 5 with up to 27 leaves; full: up to 64, as many as a node has ports"};
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (const FatTree& plain : uniform_trees(full)) {
      if (plain.leaves() > kMaxDegree) continue;  // the ports of the root
      const FatTree tree(plain.arities(), FatTree::exponential_capacities(plain.arities()));
      checks.push_back({tree.spelling(), [tree] { return check_levels(tree); }});
    }
    return checks;
  };
  return claim;
}

Claim broadcast() {
  Claim claim{
      "fat.F02", "6.2.1, (6.2), Theorem 6.1",
      "broadcast takes (k + 1) h - 1 steps, sum of k_i + h - 1 if arities differ, and none takes fewer: "
      "the parent first, then the children. Children first takes (2h - 1) k",
      Finding::kHolds, kAllTreesInWords};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : all_trees(full)) {
      const std::uint64_t steps = sum_of_arities(tree, tree.height()) + tree.height() - 1;
      for (const NodeId root : {NodeId{0}, tree.leaves() / 2})
        cases.push_back(one_send(tree, CollectiveKind::kBroadcast, "parent-first", steps, root));
    }
    for (const FatTree& tree : uniform_trees(full)) {
      const std::uint64_t steps = (2 * tree.height() - 1) * k_of(tree);
      cases.push_back(one_send(tree, CollectiveKind::kBroadcast, "children-first", steps));
    }
    return cases;
  };
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (const FatTree& tree : all_trees(full)) {
      checks.push_back({fmt::format("{}: no broadcast is faster, by (6.1)", tree.spelling()), [tree] {
                          return compare(steps_to_inform_from(make_topology(tree.spelling()), 0, kNoNode),
                                         sum_of_arities(tree, tree.height()) + tree.height() - 1);
                        }});
    }
    return checks;
  };
  return claim;
}

Claim scatter_and_gather() {
  Claim claim{
      "fat.F03", "6.2.2, Theorem 6.2",
      "furthest-first scatters in n steps, in n + 1 if k_1 = 2 and h >= 2, and so does a gather in "
      "which all leaves send at once and routers keep the order of arrival; the same with all ports in "
      "use if c_1 = 1. Nearest-first takes n + 2h - 2",
      Finding::kHolds, kAllTreesInWords};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : all_trees(full)) {
      const std::uint64_t n = tree.leaves(), steps = tree.arity(1) == 2 && tree.height() >= 2 ? n + 1 : n;
      for (const PortModel ports : {PortModel::kOnePortSend, PortModel::kAllPort}) {
        if (ports == PortModel::kAllPort && tree.capacity(1) > 1) continue;
        ClaimCase run =
            one_send(tree, CollectiveKind::kScatter, "fat-tree-furthest-first", steps, tree.leaves() / 2);
        run.ports = ports;
        cases.push_back(run);
        run.collective = CollectiveKind::kGather;
        run.algorithm = "first-come-first-served";
        cases.push_back(run);
      }
    }
    for (const FatTree& tree : uniform_trees(full)) {
      cases.push_back(one_send(tree, CollectiveKind::kScatter, "fat-tree-nearest-first",
                               tree.leaves() + 2 * tree.height() - 2));
    }
    return cases;
  };
  return claim;
}

// T_i of the proof: when the last leaf at distance 2i of leaf 0 gets its packet.
std::string inspect_distances(const RunOutcome& outcome) {
  const FatTree tree = *fat_tree_shape(*outcome.graph);
  std::vector<std::uint64_t> last(tree.height() + 1);
  for (const Delivery& d : outcome.trace->deliveries) {
    std::uint64_t& step = last[tree.turning_level(0, d.node)];
    step = std::max<std::uint64_t>(step, d.step);
  }
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t expected = tree.leaves() - tree.leaves_below(i - 1) + 2 * i - 1;
    if (last[i] != expected) return fmt::format("T_{} is {}, expected {}", i, last[i], expected);
    if (i > 2 && last[i] > last[i - 1]) return fmt::format("T_{} is above T_{}", i, i - 1);
  }
  return {};
}

Claim scatter_by_distance() {
  Claim claim{"fat.F04", "6.2.2, proof of Theorem 6.2",
              "the last packet for distance 2i arrives in step T_i = n - k^(i-1) + 2i - 1, which does not "
              "increase from i = 2 on; it stays if k = 2: T_2 = T_3. The theorem stands",
              Finding::kMisprint, "k = 2 to 5 with up to 27 leaves; full: up to 125"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : uniform_trees(full)) {
      const std::uint64_t n = tree.leaves();
      ClaimCase run =
          one_send(tree, CollectiveKind::kScatter, "fat-tree-furthest-first", k_of(tree) == 2 ? n + 1 : n);
      run.inspect = inspect_distances;
      if (k_of(tree) == 2 && tree.height() >= 3)
        run.printed = fmt::format("T_i decreases from i = 2 on; T_2 = T_3 = {}", n + 1);
      cases.push_back(std::move(run));
    }
    return cases;
  };
  return claim;
}

ClaimCase multinode_broadcast_run(const FatTree& tree, const std::string& algorithm = "parent-first") {
  return one_send(tree, CollectiveKind::kMultinodeBroadcast, algorithm,
                  one_port_multinode_broadcast_steps(tree));
}

Claim multinode_broadcast_bound() {
  Claim claim{
      "fat.F05", "6.2.3, Theorem 6.3",
      "multinode broadcast needs k n + (k + 1)(h - 2) + 1 steps, and Fig. 6.6 takes as many. If arities "
      "differ: the largest of n k_i + i + (k_1 + ... + k_(i-1)) over i < h and n (k_h - 1) + h + (k_1 + "
      "... + k_(h-1))",
      Finding::kHolds, kAllTreesInWords};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : all_trees(full)) cases.push_back(multinode_broadcast_run(tree));
    return cases;
  };
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (const FatTree& tree : all_trees(full)) {
      checks.push_back({fmt::format("{}: what some router must send takes as long", tree.spelling()), [tree] {
                          return compare(bound_of_routers(make_topology(tree.spelling()), false),
                                         one_port_multinode_broadcast_steps(tree));
                        }});
    }
    return checks;
  };
  return claim;
}

Claim multinode_broadcast_phases() {
  Claim claim{
      "fat.F06", "6.2.3, Fig. 6.6, Theorem 6.5",
      "phases A and B are optimal; phase B may send packets from below, or from above, first if arities "
      "are equal (from above first takes 114 steps on arities 3, 3, 2, 2, not 113). The phases can be "
      "left out: routers that keep the order of arrival do as well if each packet goes to the parent, then "
      "to the children. To the children first is slower, and so are children in another order for every "
      "packet",
      Finding::kHolds,
      std::string(kAllTreesInWords) +
          "; the orders of phase B on equal arities and 3, 3, 2, 2; slower ones with h = 3 and more"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : all_trees(full))
      cases.push_back(multinode_broadcast_run(tree, "first-come-first-served"));
    for (const FatTree& tree : uniform_trees(full)) {
      for (const char* order : {"parent-first-own-next", "parent-first-above-next"})
        cases.push_back(multinode_broadcast_run(tree, order));
      if (tree.height() < 3) continue;
      ClaimCase slower = multinode_broadcast_run(tree, "children-first");
      slower.relation = Relation::kAtLeast;
      ++slower.expected_steps;
      cases.push_back(slower);
      slower.algorithm = "parent-first-rotated";
      if (k_of(tree) > 2) cases.push_back(slower);
    }
    const FatTree mixed = tree_of({3, 3, 2, 2});
    cases.push_back(multinode_broadcast_run(mixed, "parent-first-own-next"));
    cases.push_back(multinode_broadcast_run(mixed, "parent-first-above-next"));
    ++cases.back().expected_steps;
    return cases;
  };
  return claim;
}

Claim multinode_broadcast_queues() {
  Claim claim{
      "fat.F07", "6.2.3, Lemma 6.4",
      "a router of level i ends phase A in step i + k^i; if i <= h - 2 it has nothing left after step i "
      "+ k^(i+1), one before its parent ends phase A, and gets nothing from it until then",
      Finding::kHolds, "8 to 27 leaves, h = 3 and 4; full: up to 125 leaves and h = 5; from the trace"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : uniform_trees(full)) {
      if (tree.height() < 3) continue;
      ClaimCase run = multinode_broadcast_run(tree);
      run.inspect = [](const RunOutcome& outcome) {
        return inspect_phases(
            outcome, [](const FatTree& t, std::uint32_t i) { return i + std::uint64_t{t.leaves_below(i)}; },
            [](const FatTree& t, std::uint32_t i) { return i + std::uint64_t{t.leaves_below(i + 1)}; });
      };
      cases.push_back(std::move(run));
    }
    return cases;
  };
  return claim;
}

Claim four_leaves() {
  Claim claim{"fat.F08", "6.2.3, Fig. 6.7",
              "4 leaves, k = 2: the multinode broadcast takes 9 steps, and phase A of level 1 ends in step 3",
              Finding::kHolds, "that tree"};
  claim.cases = [](bool) {
    ClaimCase run = one_send(tree_of({2, 2}), CollectiveKind::kMultinodeBroadcast, "parent-first", 9);
    run.inspect = [](const RunOutcome& outcome) {
      const FatTree tree = *fat_tree_shape(*outcome.graph);
      for (const NodeId v : {tree.node(1, 0), tree.node(1, 1)}) {
        if (const auto end = end_of_phase_a(outcome, tree, v); end != 3)
          return fmt::format("phase A of node {} ends in step {}, expected 3", v, end);
      }
      return std::string();
    };
    return std::vector<ClaimCase>{run};
  };
  return claim;
}

// T = (h - 1) + T_A + T_B + B_r(h - 2), on every node of level h - 1.
std::string inspect_times(const RunOutcome& outcome) {
  const FatTree tree = *fat_tree_shape(*outcome.graph);
  const std::uint32_t h = tree.height();
  const std::uint64_t n = tree.leaves(), k = k_of(tree);
  const std::uint64_t phase_a = n / k, phase_b = (k - 1) * (n / k) + k * (k - 1) * (n / k);
  for (std::uint32_t j = 0; j < tree.nodes_of(h - 1); ++j) {
    const NodeId v = tree.node(h - 1, j);
    const auto from_here = [v](const Transfer& t) { return t.from == v; };
    const std::uint64_t first = first_step(outcome, from_here), last = last_step(outcome, from_here);
    if (first != h) return fmt::format("node {} sends first in step {}, expected {}", v, first, h);
    if (last != h - 1 + phase_a + phase_b)
      return fmt::format("node {} sends last in step {}, expected {}", v, last, h - 1 + phase_a + phase_b);
    if (last + k * (h - 2) != outcome.steps)
      return fmt::format("{} steps after node {}'s last, expected {}", outcome.steps - last, v, k * (h - 2));
  }
  return {};
}

Claim multinode_broadcast_times() {
  Claim claim{
      "fat.F09", "6.2.3, proof of Theorem 6.5",
      "the algorithm takes (h - 1) + T_A + T_B + B_r(h - 2) steps, T_A = k^(h-1), T_B = (k - 1) k^(h-1) + "
      "k (k - 1) k^(h-1), B_r(h - 2) = k (h - 2); printed is B_r(h - 1) = 2 (h - 2). The sum is right",
      Finding::kMisprint, "k = 2 to 5 with up to 27 leaves; full: up to 125; from the trace"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : uniform_trees(full)) {
      ClaimCase run = multinode_broadcast_run(tree);
      run.inspect = inspect_times;
      const std::uint64_t printed = 2 * (tree.height() - 2), right = k_of(tree) * (tree.height() - 2);
      if (printed != right)
        run.printed = fmt::format("{} steps after the last packet left level h - 1, not {}", printed, right);
      cases.push_back(std::move(run));
    }
    return cases;
  };
  return claim;
}

// Theorem 6.6 as printed.
std::uint64_t printed_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = k_of(tree);
  return n * n / (k * k) * (2 * k + 1) * (k - 1) / k + 2 * tree.height() - 3;
}

constexpr std::uint32_t kMostExchangeLeaves = 81;

Claim exchange_bound() {
  Claim claim{
      "fat.F10", "6.2.4, Theorem 6.6",
      "total exchange needs n^2 (2k + 1)(k - 1)/k^3 + 2h - 3 steps, and more if k >= 3: the root sends n^2 "
      "(k - 1)/k packets, so n^2 (k - 1)/k + 2h - 1. If arities differ: the largest of N_i (2n - N_(i-1) "
      "- N_i) + 2i - 1 over all i",
      Finding::kCorrected, kAllTreesInWords};
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (const FatTree& tree : all_trees(full)) {
      ClaimCheck check{fmt::format("{}: at least {} steps", tree.spelling(), one_port_exchange_steps(tree)),
                       [tree] {
                         return compare(bound_of_routers(make_topology(tree.spelling()), true),
                                        one_port_exchange_steps(tree));
                       }};
      if (tree.height() >= 2 && tree.is_uniform() &&
          printed_exchange_steps(tree) != one_port_exchange_steps(tree))
        check.printed = fmt::format("at least {}", printed_exchange_steps(tree));
      checks.push_back(std::move(check));
    }
    return checks;
  };
  return claim;
}

ClaimCase exchange_run(const FatTree& tree, const std::string& algorithm = "parent-first") {
  return one_send(tree, CollectiveKind::kTotalExchange, algorithm, one_port_exchange_steps(tree));
}

Claim exchange_steps_taken() {
  Claim claim{
      "fat.F11", "6.2.4, Fig. 6.8, Theorem 6.8, Table 6.1",
      "Fig. 6.8 takes n^2 5/8 + 2h - 3 steps if k = 2, as printed, but n^2 (k - 1)/k + 2h - 1 if k >= 3, "
      "and no algorithm takes fewer. Children may take turns (those that nothing waits for miss theirs), or "
      "be served in the order of arrival; routers without phases do as well. With phases leaves "
      "may as well send to leaf 0 first, then 1, ... Leaves that send nearest-first are slower, and so are, "
      "with k = 2, routers that send to their children first",
      Finding::kRefuted, std::string(kAllTreesInWords) + "; n <= 81: more takes long"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : all_trees(full, kMostExchangeLeaves)) {
      ClaimCase run = exchange_run(tree);
      if (tree.height() >= 2 && tree.is_uniform() && printed_exchange_steps(tree) != run.expected_steps)
        run.printed = fmt::format("{} steps", printed_exchange_steps(tree));
      cases.push_back(std::move(run));
      if (!full && !tree.is_uniform()) continue;
      cases.push_back(exchange_run(tree, "first-come-first-served"));
      // A label per packet, a rank per turn: nodes with many of them are built for full runs alone.
      if (full || tree.leaves() <= 9) cases.push_back(exchange_run(tree, "parent-first-in-turns"));
    }
    for (const FatTree& tree : uniform_trees(full, 27)) {
      cases.push_back(exchange_run(tree, "parent-first-ascending"));
      ClaimCase slower = exchange_run(tree, "parent-first-nearest");
      slower.relation = Relation::kAtLeast;
      ++slower.expected_steps;
      cases.push_back(slower);
      slower.algorithm = "children-first";
      if (k_of(tree) == 2) cases.push_back(slower);
    }
    return cases;
  };
  return claim;
}

Claim exchange_queues() {
  Claim claim{
      "fat.F12", "6.2.4, Lemma 6.7",
      "a router of level i ends phase A in step i + k^i (n - k^i); if i <= h - 2 it has nothing left "
      "after step i + k^i (n - k^(i-1)), before its parent ends phase A, and gets nothing from it until "
      "then",
      Finding::kHolds, "8 to 27 leaves, h = 3 and 4; full: up to 81 leaves and h = 5; from the trace"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : uniform_trees(full, kMostExchangeLeaves)) {
      if (tree.height() < 3) continue;
      ClaimCase run = exchange_run(tree);
      run.inspect = [](const RunOutcome& outcome) {
        const auto packets = [](const FatTree& t, std::uint32_t i, std::uint32_t inner) {
          return std::uint64_t{t.leaves_below(i)} * (t.leaves() - t.leaves_below(inner));
        };
        return inspect_phases(
            outcome, [&](const FatTree& t, std::uint32_t i) { return i + packets(t, i, i); },
            [&](const FatTree& t, std::uint32_t i) { return i + packets(t, i, i - 1); });
      };
      cases.push_back(std::move(run));
    }
    return cases;
  };
  return claim;
}

// All trees of n = 64 leaves; that of 8 children has nodes of 9 ports.
std::vector<FatTree> trees_of_64_leaves(bool full) {
  std::vector<FatTree> trees{FatTree::uniform(2, 6), FatTree::uniform(4, 3)};
  if (full) trees.push_back(FatTree::uniform(8, 2));
  return trees;
}

// How a time grows with k among the trees of 4096 leaves: the formula alone.
std::string check_growth(const std::function<std::uint64_t(const FatTree&)>& steps,
                         std::uint32_t smallest_at) {
  std::uint64_t last = 0;
  for (const auto& [k, h] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 12}, {4, 6}, {8, 4}, {16, 3}}) {
    const std::uint64_t now = steps(FatTree::uniform(k, h));
    if (last != 0 && (k <= smallest_at ? now >= last : now <= last))
      return fmt::format("{} steps with {} children, {} with fewer", now, k, last);
    last = now;
  }
  return {};
}

Claim best_arity() {
  Claim claim{
      "fat.F13", "6.2.5",
      "of the trees of n leaves broadcast is fastest on that of k = 4, multinode broadcast on that of k = "
      "2: 17, 14, 17 and 141, 262, 513 steps on 64 leaves, k = 2, 4, 8",
      Finding::kHolds,
      "n = 64, k = 2, 4; full: 8, whose nodes have 9 ports; by the formulas n = 4096, k = 2, 4, 8, 16"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    const std::array<std::uint64_t, 3> broadcast{17, 14, 17}, multinode{141, 262, 513};
    const auto trees = trees_of_64_leaves(full);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      cases.push_back(one_send(trees[i], CollectiveKind::kBroadcast, "parent-first", broadcast[i]));
      cases.push_back(one_send(trees[i], CollectiveKind::kMultinodeBroadcast, "parent-first", multinode[i]));
    }
    return cases;
  };
  claim.checks = [](bool) {
    return std::vector<ClaimCheck>{
        {"broadcast, 4096 leaves",
         [] {
           return check_growth(
               [](const FatTree& t) { return sum_of_arities(t, t.height()) + t.height() - 1; }, 4);
         }},
        {"multinode broadcast, 4096 leaves",
         [] { return check_growth(one_port_multinode_broadcast_steps, 2); }}};
  };
  return claim;
}

Claim arity_of_an_exchange() {
  Claim claim{
      "fat.F14", "6.2.5",
      "total exchange takes some n^2 steps whatever k, more the larger k is, and is fastest on binary "
      "trees: 2569, 3077, 3587 steps on 64 leaves, k = 2, 4, 8. Printed: larger k are better, n sqrt(n) "
      "with k = sqrt(n)",
      Finding::kRefuted,
      "n = 16, k = 2, 4; full: n = 64, k = 2, 4, 8; by the formulas n = 4096, k = 2, 4, 8, 16"};
  claim.cases = [](bool full) {
    std::vector<FatTree> trees{FatTree::uniform(2, 4), FatTree::uniform(4, 2)};
    if (full) {
      const auto larger = trees_of_64_leaves(full);
      trees.insert(trees.end(), larger.begin(), larger.end());
    }
    std::vector<ClaimCase> cases;
    for (const FatTree& tree : trees) {
      ClaimCase run = exchange_run(tree);
      if (k_of(tree) > 2)
        run.printed = fmt::format("{} steps, fewer than with 2 children", printed_exchange_steps(tree));
      cases.push_back(std::move(run));
    }
    return cases;
  };
  claim.checks = [](bool) {
    return std::vector<ClaimCheck>{
        {"total exchange, 4096 leaves", [] { return check_growth(one_port_exchange_steps, 2); }}};
  };
  return claim;
}

}  // namespace

std::vector<Claim> fat_tree_one_port_claims() {
  return {levels(),
          broadcast(),
          scatter_and_gather(),
          scatter_by_distance(),
          multinode_broadcast_bound(),
          multinode_broadcast_phases(),
          multinode_broadcast_queues(),
          four_leaves(),
          multinode_broadcast_times(),
          exchange_bound(),
          exchange_steps_taken(),
          exchange_queues(),
          best_arity(),
          arity_of_an_exchange()};
}

}  // namespace safnet
