// Thesis 6.1 to 6.2.3: what fat trees are (F01), broadcast, scatter and gather (F02 to F04) and multinode
// broadcast (F05 to F09) on fat trees whose nodes send one packet at a time.
//
// In every case no node sends more than one packet in a step, and may receive any number. N_i = k_1 ... k_i
// leaves are below a node of level i, n = N_h; k is the arity of a tree whose arities are equal.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

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

void levels_checks(bool full, Checks& checks) {
  for (const FatTree& plain : uniform_trees(full)) {
    if (plain.leaves() > 64) continue;  // the ports of the root, a router
    const FatTree tree(plain.arities(), FatTree::exponential_capacities(plain.arities()));
    checks.push_back(
        {tree.spelling() + ": nodes and links of each level", [tree] { return check_levels(tree); }});
  }
}

void broadcast_runs(bool full, Cases& cases) {
  for (const FatTree& tree : all_trees(full)) {
    const std::uint64_t steps = one_port_broadcast_steps(tree);
    for (const NodeId root : {NodeId{0}, tree.leaves() / 2})
      cases.push_back(one_send(tree, kBroadcast, "parent-first", steps, root));
  }
  for (const FatTree& tree : uniform_trees(full)) {
    const std::uint64_t steps = (2 * tree.height() - 1) * k_of(tree);
    cases.push_back(one_send(tree, kBroadcast, "children-first", steps));
  }
}

Checks broadcast_checks(bool full) {
  return check_each(
      all_trees(full),
      [](const FatTree& tree) { return tree.spelling() + ": no broadcast is faster, by (6.1)"; },
      [](const FatTree& tree) {
        return compare(steps_to_inform_from(make_topology(tree.spelling()), 0, kNoNode),
                       one_port_broadcast_steps(tree));
      });
}

void scatter_and_gather_runs(bool full, Cases& cases) {
  for (const FatTree& tree : all_trees(full)) {
    for (const PortModel ports : {kOnePortSend, kAllPort}) {
      if (ports == kAllPort && tree.capacity(1) > 1) continue;
      ClaimCase run =
          one_send(tree, kScatter, "fat-tree-furthest-first", one_packet_per_leaf(tree), tree.leaves() / 2);
      run.ports = ports;
      cases.push_back(run);
      run.collective = kGather;
      run.algorithm = "first-come-first-served";
      cases.push_back(run);
    }
  }
  for (const FatTree& tree : uniform_trees(full)) {
    cases.push_back(
        one_send(tree, kScatter, "fat-tree-nearest-first", tree.leaves() + 2 * tree.height() - 2));
  }
}

// T_i of the proof, for i = 1 ... h: when the last leaf at distance 2i of leaf 0 gets its packet.
std::vector<std::uint64_t> last_deliveries(const RunOutcome& outcome, const FatTree& tree) {
  std::vector<std::uint64_t> last(tree.height() + 1);
  for (const Delivery& d : outcome.trace->deliveries) {
    std::uint64_t& step = last[tree.turning_level(0, d.node)];
    step = std::max<std::uint64_t>(step, d.step);
  }
  return last;
}

std::string inspect_distances(const RunOutcome& outcome) {
  const FatTree tree = *fat_tree_shape(*outcome.graph);
  const auto last = last_deliveries(outcome, tree);
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t expected = tree.leaves() - tree.leaves_below(i - 1) + 2 * i - 1;
    if (last[i] != expected) return fmt::format("T_{} is {}, expected {}", i, last[i], expected);
    if (i > 2 && last[i] > last[i - 1]) return fmt::format("T_{} is above T_{}", i, i - 1);
  }
  return {};
}

void scatter_by_distance_runs(bool full, Cases& cases) {
  for (const FatTree& tree : uniform_trees(full)) {
    cases.push_back(
        one_send(tree, kScatter, "fat-tree-furthest-first", one_packet_per_leaf(tree), 0, inspect_distances));
    if (k_of(tree) != 2 || tree.height() < 3) continue;
    const std::uint64_t second = tree.leaves() - 2 + 3;
    cases.back().printed = {{kLessThan, second, "steps to the last packet for distance 6", "T_3 < T_2"},
                            [tree](const RunOutcome& o) { return Rational(last_deliveries(o, tree)[3]); }};
  }
}

ClaimCase multinode_broadcast_run(const FatTree& tree, const std::string& algorithm = "parent-first",
                                  Inspection inspect = {}) {
  return one_send(tree, kMultinodeBroadcast, algorithm, one_port_multinode_broadcast_steps(tree), 0,
                  std::move(inspect));
}

void multinode_broadcast_bound_runs(bool full, Cases& cases) {
  for (const FatTree& tree : all_trees(full)) cases.push_back(multinode_broadcast_run(tree));
}

Checks multinode_broadcast_bound_checks(bool full) {
  return check_each(
      all_trees(full),
      [](const FatTree& tree) { return tree.spelling() + ": what some router must send takes as long"; },
      [](const FatTree& tree) {
        return compare(bound_of_routers(make_topology(tree.spelling()), false),
                       one_port_multinode_broadcast_steps(tree));
      });
}

void multinode_broadcast_phases_runs(bool full, Cases& cases) {
  for (const FatTree& tree : all_trees(full))
    cases.push_back(multinode_broadcast_run(tree, "first-come-first-served"));
  for (const FatTree& tree : uniform_trees(full)) {
    for (const char* order : {"parent-first-own-next", "parent-first-above-next"})
      cases.push_back(multinode_broadcast_run(tree, order));
    if (tree.height() < 3) {
      cases.push_back(multinode_broadcast_run(tree, "children-first"));
      continue;
    }
    ClaimCase slower = at_least(multinode_broadcast_run(tree, "children-first"));
    ++slower.expected_steps;
    cases.push_back(slower);
    slower.algorithm = "parent-first-rotated";
    if (k_of(tree) > 2) cases.push_back(slower);
  }
  const FatTree mixed = tree_of({3, 3, 2, 2});
  cases.push_back(multinode_broadcast_run(mixed, "parent-first-own-next"));
  cases.push_back(multinode_broadcast_run(mixed, "parent-first-above-next"));
  ++cases.back().expected_steps;
}

void multinode_broadcast_queues_runs(bool full, Cases& cases) {
  const auto inspect = [](const RunOutcome& outcome) {
    return inspect_phases(
        outcome, [](const FatTree& t, std::uint32_t i) { return i + std::uint64_t{t.leaves_below(i)}; },
        [](const FatTree& t, std::uint32_t i) { return i + std::uint64_t{t.leaves_below(i + 1)}; });
  };
  for (const FatTree& tree : uniform_trees(full)) {
    if (tree.height() >= 3) cases.push_back(multinode_broadcast_run(tree, "parent-first", inspect));
  }
}

Cases four_leaves_runs(bool) {
  const auto inspect = [](const RunOutcome& outcome) {
    const FatTree tree = *fat_tree_shape(*outcome.graph);
    return first_fault(std::array{tree.node(1, 0), tree.node(1, 1)}, [&](NodeId v) {
      const std::uint64_t end = end_of_phase_a(outcome, tree, v);
      return unless(end == 3, "phase A of node {} ends in step {}, expected 3", v, end);
    });
  };
  return {one_send(tree_of({2, 2}), kMultinodeBroadcast, "parent-first", 9, 0, inspect)};
}

// The last step in which a node sends.
std::uint64_t last_sent(const RunOutcome& outcome, NodeId v) {
  return last_step(outcome, [v](const Transfer& t) { return t.from == v; });
}

// Checks T = (h - 1) + T_A + T_B + B_r(h - 2) at every node of level h - 1.
std::string inspect_times(const RunOutcome& outcome) {
  const FatTree tree = *fat_tree_shape(*outcome.graph);
  const std::uint32_t h = tree.height();
  const std::uint64_t n = tree.leaves(), k = k_of(tree);
  const std::uint64_t phase_a = n / k, phase_b = (k - 1) * (n / k) + k * (k - 1) * (n / k);
  for (std::uint32_t j = 0; j < tree.nodes_of(h - 1); ++j) {
    const NodeId v = tree.node(h - 1, j);
    const std::uint64_t first = first_step(outcome, [v](const Transfer& t) { return t.from == v; });
    const std::uint64_t last = last_sent(outcome, v);
    if (first != h) return fmt::format("node {} sends first in step {}, expected {}", v, first, h);
    if (last != h - 1 + phase_a + phase_b)
      return fmt::format("node {} sends last in step {}, expected {}", v, last, h - 1 + phase_a + phase_b);
    if (last + k * (h - 2) != outcome.steps)
      return fmt::format("{} steps after node {}'s last, expected {}", outcome.steps - last, v, k * (h - 2));
  }
  return {};
}

void multinode_broadcast_times_runs(bool full, Cases& cases) {
  for (const FatTree& tree : uniform_trees(full)) {
    ClaimCase run = multinode_broadcast_run(tree, "parent-first", inspect_times);
    const std::uint64_t printed = 2 * (tree.height() - 2), right = k_of(tree) * (tree.height() - 2);
    if (printed != right) {
      run.printed = {{kExactly, printed, "steps after the last packet has left level h - 1"},
                     [tree](const RunOutcome& o) {
                       return Rational(o.steps - last_sent(o, tree.node(tree.height() - 1, 0)));
                     }};
    }
    cases.push_back(std::move(run));
  }
}

}  // namespace

std::vector<Claim> fat_tree_one_port_claims() {
  return {
      claim("fat.F01", "6.1", kHolds,
            "level i of a k-ary fat tree has k^(h-i) nodes, so n = k^h leaves; with capacities k^(i-1) there "
            "are n links up and n links down between any two levels",
            levels_checks),
      claim("fat.F02", "6.2.1, (6.2), Theorem 6.1", kHolds,
            "broadcast takes (k + 1) h - 1 steps, sum of k_i + h - 1 if arities differ, and none takes "
            "fewer: the parent first, then the children. Children first takes (2h - 1) k",
            broadcast_runs, broadcast_checks),
      claim("fat.F03", "6.2.2, Theorem 6.2", kHolds,
            "furthest-first scatters in n steps, in n + 1 if k_1 = 2 and h >= 2, and so does a gather in "
            "which all leaves send at once and routers keep the order of arrival; the same with all ports in "
            "use if c_1 = 1. Nearest-first takes n + 2h - 2",
            scatter_and_gather_runs),
      claim("fat.F04", "6.2.2, proof of Theorem 6.2", kMisprint,
            "the last packet for distance 2i arrives in step T_i = n - k^(i-1) + 2i - 1, which does not "
            "increase from i = 2 on; it stays if k = 2: T_2 = T_3. The theorem stands",
            scatter_by_distance_runs),
      claim("fat.F05", "6.2.3, Theorem 6.3", kHolds,
            "multinode broadcast needs k n + (k + 1)(h - 2) + 1 steps, and Fig. 6.6 takes as many. If "
            "arities differ: the largest of n k_i + i + (k_1 + ... + k_(i-1)) over i < h and n (k_h - 1) + h "
            "+ (k_1 + ... + k_(h-1))",
            multinode_broadcast_bound_runs, multinode_broadcast_bound_checks),
      claim(
          "fat.F06", "6.2.3, Fig. 6.6, Theorem 6.5", kHolds,
          "phases A and B are optimal; phase B may send packets from below, or from above, first if "
          "arities are equal (from above first takes 114 steps on arities 3, 3, 2, 2, not 113). The phases "
          "can be left out: routers that keep the order of arrival do as well if each packet goes to the "
          "parent, then to the children. From three levels on, to the children first is slower, and so are, "
          "if k >= 3, children in another order for every packet",
          multinode_broadcast_phases_runs),
      claim("fat.F07", "6.2.3, Lemma 6.4", kHolds,
            "a router of level i ends phase A in step i + k^i; if i <= h - 2 it has nothing left after step "
            "i + k^(i+1), one before its parent ends phase A, and gets nothing from it until then",
            multinode_broadcast_queues_runs),
      claim("fat.F08", "6.2.3, Fig. 6.7", kHolds,
            "4 leaves, k = 2: the multinode broadcast takes 9 steps, and phase A of level 1 ends in step 3",
            four_leaves_runs),
      claim(
          "fat.F09", "6.2.3, proof of Theorem 6.5", kMisprint,
          "the algorithm takes (h - 1) + T_A + T_B + B_r(h - 2) steps, T_A = k^(h-1), T_B = (k - 1) k^(h-1) "
          "+ k (k - 1) k^(h-1), B_r(h - 2) = k (h - 2); printed is B_r(h - 1) = 2 (h - 2). The sum is right",
          multinode_broadcast_times_runs)};
}

}  // namespace safnet
