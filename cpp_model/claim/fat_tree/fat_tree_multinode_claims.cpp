// Thesis 6.3.1 and 6.3.2: broadcast, scatter and gather on fat trees with all ports, multinode broadcast by
// flooding, what its queues hold, and multinode broadcast without queues.
//
// k is the arity, h the height, n = k^h the number of leaves; a leaf has one link (c_1 = 1).
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// To 16 leaves; full: k = 2 to 5, to 81 leaves (k = 5: to 125).
std::vector<FatTree> small_trees(bool full) {
  return trees_of_words(with_more(
      full, "fat-tree:2,2 fat-tree:2,3 fat-tree:2,4 fat-tree:3,2 fat-tree:4,2",
      "fat-tree:2,5 fat-tree:2,6 fat-tree:3,3 fat-tree:3,4 fat-tree:4,3 fat-tree:5,2 fat-tree:5,3"));
}

std::vector<Arities> arities_of_runs(bool full) {
  return with_more<Arities>(full, {{2, 3}, {3, 2}, {2, 2, 3}, {4, 2, 2}},
                            {{2, 5, 2, 3}, {5, 2, 2, 2}, {3, 2, 4}, {2, 4, 3}, {5, 4, 3}});
}

std::uint32_t largest_degree(const Arities& arities, const Arities& capacities) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < arities.size(); ++i)
    most = std::max(most, arities[i] * capacities[i] + (i + 1 < arities.size() ? capacities[i + 1] : 0));
  return most;
}

// Capacities with c_1 = 1: constant, rising, exponential, falling, one thick branch; to 64 ports of a node.
std::vector<Arities> capacity_lists(const Arities& arities) {
  constexpr std::uint32_t kMostPorts = 64;
  const auto h = arities.size();
  std::vector<Arities> lists(6, Arities(h, 1));
  for (std::size_t i = 1; i < h; ++i) {
    const auto level = static_cast<std::uint32_t>(i);
    lists[1][i] = level + 1;
    lists[2][i] = std::uint32_t{1} << i;
    lists[3][i] = lists[3][i - 1] * arities[i - 1];
    lists[4][i] = static_cast<std::uint32_t>(h) - level + 1;
    lists[5][i] = i == 1 ? 5 : 1;
  }
  std::ranges::sort(lists);
  const auto same = std::ranges::unique(lists);
  lists.erase(same.begin(), same.end());
  std::erase_if(lists, [&](const Arities& list) { return largest_degree(arities, list) > kMostPorts; });
  return lists;
}

const std::vector<std::string>& flooding_orders() {
  static const std::vector<std::string> names = listed(
      "flooding flooding-last-in-first-out flooding-from-below-first flooding-from-above-first "
      "flooding-far-first flooding-near-first flooding-shuffled");
  return names;
}

ClaimCase multinode_case(const std::string& topology, const std::string& algorithm, std::uint64_t steps,
                         Inspection inspect = {}) {
  return all_port_case(topology, kMultinodeBroadcast, algorithm, steps, std::move(inspect));
}

void broadcasts_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, NodeId root, std::uint64_t h) {
    cases.push_back({word, kBroadcast, kAllPort, "flooding", root, "", 2 * h});
    cases.back().printed = {{kExactly, 2 * h - 1}};
  };
  for (const FatTree& tree : small_trees(full)) {
    add(tree.spelling(), 0, tree.height());
    add(tree.spelling(), tree.leaves() / 2, tree.height());
  }
  add("fat-tree:3,1", 0, 1);
  add("fat-tree:2,3,1,2,3", 3, 3);
  if (full) add("fat-tree:3,2,exponential", 0, 2);
}

void scatters_runs(bool full, Cases& cases) {
  for (const FatTree& tree : small_trees(full)) {
    const NodeId root = tree.leaves() / 3;
    cases.push_back({tree.spelling(), kScatter, kAllPort, "fat-tree-furthest-first", root, "",
                     one_packet_per_leaf(tree)});
    cases.push_back(
        {tree.spelling(), kGather, kAllPort, "first-come-first-served", root, "", one_packet_per_leaf(tree)});
  }
}

void floodings_runs(bool full, Cases& cases) {
  for (const std::string& order : flooding_orders()) {
    for (const FatTree& tree : small_trees(full)) {
      // Some orders on the smaller trees alone.
      if (!full && order != "flooding" && tree.leaves() > 9) continue;
      cases.push_back(multinode_case(tree.spelling(), order, one_packet_per_leaf(tree)));
    }
    for (const auto& arities : arities_of_runs(full))
      if (full || order == "flooding")
        cases.push_back(
            multinode_case(tree_of(arities).spelling(), order, one_packet_per_leaf(tree_of(arities))));
  }
}

// The root's sends of leaf c's packet are in slots c and c + 1; slot s is step s + 1.
std::string inspect_star(const RunOutcome& outcome) {
  const NodeId root = outcome.graph->processor_count();
  if (outcome.trace->transfers.size() != std::size_t{root} * root)
    return fmt::format("{} transfers, expected {}", outcome.trace->transfers.size(),
                       std::size_t{root} * root);
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.from != root) continue;
    const std::uint32_t slot = t.step - 1, packet = t.packet.source;
    if (slot != packet && slot != packet + 1)
      return fmt::format("packet {} leaves the root in slot {}", packet, slot);
    if (const NodeId to = outcome.graph->peer(t.from, t.port).node; (packet == slot) != (to < slot))
      return fmt::format("packet {} goes to leaf {} in slot {}", packet, to, slot);
  }
  return {};
}

void star_exchange_runs(bool full, Cases& cases) {
  for (std::uint32_t k = 2; k <= (full ? 32U : 8U); ++k)
    cases.push_back(multinode_case(tree_of({k}).spelling(), "block-schedule", k, inspect_star));
}

// The schedule of flooding by a model of the routers, in steps.
Schedule flooding_on(const std::string& topology) {
  const Problem problem{make_topology(topology), kMultinodeBroadcast};
  return plan_from_policy(problem, find_algorithm(problem, "flooding").policy(problem), "flooding");
}

std::string check_capacities(const Arities& arities) {
  const std::uint64_t expected = one_packet_per_leaf(tree_of(arities));
  for (const auto& capacities : capacity_lists(arities)) {
    const Schedule schedule = flooding_on(FatTree(arities, capacities).spelling());
    if (schedule.sends.back().start != expected)
      return fmt::format("{}: {} steps, expected {}", schedule.network.spelling(),
                         schedule.sends.back().start, expected);
  }
  return {};
}

void capacities_do_not_help_runs(bool full, Cases& cases) {
  for (const std::string& word :
       with_more(full,
                 "fat-tree:2x2x2,1,2,3 fat-tree:2x2x2,1,2,4 fat-tree:2x2x2,1,3,1 fat-tree:3x2,1,2 "
                 "fat-tree:3x2,1,4",
                 "fat-tree:3x3,1,3 fat-tree:4x4,1,4 fat-tree:3x3x3,1,2,3 fat-tree:2x2x2x2,1,2,3,4 "
                 "fat-tree:2x2x2x2,1,2,4,8 fat-tree:2x5x2x3,1,3,1,5 fat-tree:5x2x2x2,1,2,3,4 "
                 "fat-tree:2x2x2x2,1,5,5,1")) {
    for (const char* order : {"flooding", "flooding-shuffled"})
      cases.push_back(multinode_case(word, order, one_packet_per_leaf(tree_of_word(word))));
  }
}

Checks capacities_do_not_help_checks(bool full) {
  return check_each(
      all_arities(full ? 48 : 24),
      [](const Arities& arities) {
        return fmt::format("{} with {} lists of capacities: steps by a model of routers",
                           tree_of(arities).spelling(), capacity_lists(arities).size());
      },
      check_capacities);
}

// The largest peaks of the queues from level-i nodes to their parents, and to their children.
struct LevelPeaks {
  std::vector<QueuePeak> up, down;  // by level
};
LevelPeaks peaks_by_level(const Graph& graph, const std::vector<QueuePeak>& peaks) {
  const FatTree tree = *fat_tree_shape(graph);
  LevelPeaks by_level{std::vector<QueuePeak>(tree.height() + 1), std::vector<QueuePeak>(tree.height() + 1)};
  for (LinkId link = 0; link < peaks.size(); ++link) {
    const std::uint32_t from = tree.level_of(graph.link_source(link)),
                        to = tree.level_of(graph.link_target(link));
    QueuePeak& most = to > from ? by_level.up[from] : by_level.down[from];
    most.stored = std::max(most.stored, peaks[link].stored);
    most.waiting = std::max(most.waiting, peaks[link].waiting);
  }
  return by_level;
}
// The expected peak per level; nothing where the claim does not say.
using ExpectedPeaks = std::function<std::optional<std::uint64_t>(std::uint32_t level)>;

std::string compare_peaks(const std::vector<QueuePeak>& peaks, const ExpectedPeaks& waiting,
                          const char* direction) {
  for (std::uint32_t level = 1; level < peaks.size(); ++level) {
    const std::optional<std::uint64_t> expected = waiting(level);
    if (!expected) continue;
    if (peaks[level].waiting != *expected || peaks[level].stored != *expected + 1) {
      return fmt::format("level {} {}: {} packets waiting, {} stored, expected {} and {}", level, direction,
                         peaks[level].waiting, peaks[level].stored, *expected, *expected + 1);
    }
  }
  return {};
}

// Compares the expected peaks with the trace's and, if the nodes have any, with the hardware's counters.
Inspection peaks_are(ExpectedPeaks up, ExpectedPeaks down) {
  return [up = std::move(up), down = std::move(down)](const RunOutcome& outcome) -> std::string {
    const auto judge = [&](const std::vector<QueuePeak>& peaks) {
      const LevelPeaks by_level = peaks_by_level(*outcome.graph, peaks);
      const std::string wrong = compare_peaks(by_level.up, up, "upwards");
      return wrong.empty() ? compare_peaks(by_level.down, down, "downwards") : wrong;
    };
    if (outcome.queue_peaks == nullptr) return judge(router_queues(*outcome.graph, outcome.trace->transfers));
    if (outcome.queue_peaks->size() != outcome.graph->link_count())
      return "the nodes have no counters of their queues";
    const std::string wrong = judge(*outcome.queue_peaks);
    return wrong.empty() ? judge(router_queues(*outcome.graph, outcome.trace->transfers)) : wrong;
  };
}
std::optional<std::uint64_t> not_said(std::uint32_t) { return std::nullopt; }

ExpectedPeaks peaks_upwards(const FatTree& tree) {
  return [k = k_of(tree), h = tree.height()](std::uint32_t i) -> std::optional<std::uint64_t> {
    if (i >= h) return std::nullopt;
    return (k - 1) * power(k, i - 1);
  };
}
ExpectedPeaks peaks_downwards(const FatTree& tree) {
  return [k = k_of(tree), h = tree.height()](std::uint32_t i) -> std::optional<std::uint64_t> {
    if (i == h) return (k - 2) * power(k, h - 1);
    return i == 1 ? k - 2 : (k - 1) * power(k, i - 1) - 2;
  };
}

// Level 2 has a parent in all of them.
std::vector<FatTree> queue_trees(bool full) {
  return trees_of_words(
      with_more(full, "fat-tree:2,2 fat-tree:2,3 fat-tree:2,4 fat-tree:3,2 fat-tree:3,3 fat-tree:4,2",
                "fat-tree:2,5 fat-tree:2,6 fat-tree:3,4 fat-tree:4,3 fat-tree:5,2"));
}
std::vector<std::string> queue_orders(bool full) {
  return full ? flooding_orders() : listed("flooding flooding-from-below-first flooding-last-in-first-out");
}

void queues_upwards_runs(bool full, Cases& cases) {
  for (const FatTree& tree : queue_trees(full)) {
    for (const std::string& order : queue_orders(full))
      cases.push_back(multinode_case(tree.spelling(), order, one_packet_per_leaf(tree),
                                     peaks_are(peaks_upwards(tree), not_said)));
  }
}

void queues_downwards_runs(bool full, Cases& cases) {
  for (const FatTree& tree : queue_trees(full)) {
    for (const std::string& order : queue_orders(full))
      cases.push_back(multinode_case(tree.spelling(), order, one_packet_per_leaf(tree),
                                     peaks_are(not_said, peaks_downwards(tree))));
  }
}

// From level-1 routers to their leaves.
ExpectedPeaks lowest_queue(std::uint64_t waiting) {
  return [waiting](std::uint32_t i) { return i == 1 ? std::optional(waiting) : std::nullopt; };
}
// Packets that wait for a leaf: n - n/k - 1 are stored, one of which is being sent.
std::uint64_t lowest_queue_at_full_capacity(const FatTree& tree) {
  return tree.leaves() - tree.leaves() / k_of(tree) - 2;
}

std::string check_lowest_queue(const FatTree& tree) {
  const Schedule schedule = flooding_on(tree.spelling() + ",exponential");
  return compare_peaks(peaks_by_level(schedule.network, router_queues(schedule)).down,
                       lowest_queue(lowest_queue_at_full_capacity(tree)), "downwards");
}

void queues_at_full_capacity_runs(bool full, Cases& cases) {
  for (const FatTree& tree : trees_of_words(
           with_more(full, "fat-tree:2,3", "fat-tree:2,4 fat-tree:3,2 fat-tree:4,2 fat-tree:3,3"))) {
    const auto add = [&](const std::string& word, std::uint64_t waiting) {
      cases.push_back(multinode_case(word, "flooding", one_packet_per_leaf(tree),
                                     peaks_are(not_said, lowest_queue(waiting))));
    };
    add(tree.spelling() + ",exponential", lowest_queue_at_full_capacity(tree));
    add(tree.spelling(), k_of(tree) - 2);
  }
}

Checks queues_at_full_capacity_checks(bool) {
  return check_each(
      trees_of_words(listed("fat-tree:2,4 fat-tree:3,2 fat-tree:4,2 fat-tree:3,3 fat-tree:4,3")),
      [](const FatTree& tree) { return tree.spelling() + ",exponential: queues by a model of routers"; },
      check_lowest_queue);
}

// Packets stored per incoming link of a router, and the most steps that one of them stays.
Inspection registers_are(std::uint32_t packets, std::uint32_t most_steps) {
  return [packets, most_steps](const RunOutcome& outcome) {
    const RegisterUse use = router_registers(*outcome.graph, outcome.trace->transfers);
    if (use.packets != packets)
      return fmt::format("{} packets stored per incoming link, expected {}", use.packets, packets);
    return unless(use.steps <= most_steps, "a packet stays for {} steps, expected at most {}", use.steps,
                  most_steps);
  };
}
constexpr std::uint32_t kAnySteps = 0xffff'ffff;

std::vector<Arities> arities_without_queues(bool full) {
  std::vector<Arities> list = arities_of_runs(full);
  for (const FatTree& tree : small_trees(full)) list.push_back(tree.arities());
  return list;
}

Cases serial_or_overlapping_runs(bool serial, bool full) {
  Cases cases;
  for (const Arities& arities : arities_without_queues(full)) {
    const std::uint64_t n = tree_of(arities).leaves(), h = arities.size();
    cases.push_back(multinode_case(tree_of(arities).spelling(), serial ? "serial-phases" : "pipelined-phases",
                                   serial ? n + h * h - 1 : n + 2 * h - 2,
                                   registers_are(1, *std::ranges::max_element(arities) - 1)));
  }
  return cases;
}

// n steps, and more where the exchanges of low levels are shorter than a register stays in use.
std::uint64_t block_steps(const Arities& arities) {
  std::int64_t sum = 0, most = 0;
  for (std::size_t i = 0; i + 1 < arities.size(); ++i)
    most = std::max(most, sum += 3 - std::int64_t{arities[i]});
  return tree_of(arities).leaves() + static_cast<std::uint64_t>(most);
}

// If a register can be filled again only a step after it is free, the n - k packets that a router above
// leaves gets from its parent come in every other step, from step 3 on. At most one step more is taken.
ClaimCase late_credits_case(const FatTree& tree) {
  const std::uint64_t fewest = 2 * (tree.leaves() - k_of(tree) - 1) + 4;
  return at_least(
      multinode_case(tree.spelling(), "fewest-first-next-step-credit", fewest, [fewest](const RunOutcome& o) {
        const std::string wrong = registers_are(1, kAnySteps)(o);
        return wrong.empty() ? steps_between(fewest, fewest + 1)(o) : wrong;
      }));
}

void fewer_steps_without_queues_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, const char* algorithm, std::uint64_t steps,
                       std::uint32_t registers) {
    cases.push_back(multinode_case(word, algorithm, steps, registers_are(registers, kAnySteps)));
  };
  const auto add_one_more_than_leaves = [&](const std::string& word, const char* algorithm) {
    add(word, algorithm, tree_of_word(word).leaves() + 1, 1);
  };
  for (const auto& arities : arities_without_queues(full))
    add(tree_of(arities).spelling(), "block-schedule", block_steps(arities), 1);
  for (const FatTree& tree : with_more<FatTree>(full, small_trees(full), {FatTree::uniform(2, 7)})) {
    const bool high = tree.height() > 2;
    const std::uint64_t steps = tree.leaves() + (k_of(tree) > 2 ? 0 : high ? 2 : 1);
    const std::uint32_t registers = k_of(tree) > 2 || high ? 2 : 1;
    add(tree.spelling(), "fewest-first", steps, 1);
    add(tree.spelling(), "fewest-first-two-in-order", steps, registers);
    add(tree.spelling(), "fewest-first-two-registers", one_packet_per_leaf(tree), registers);
  }
  add_one_more_than_leaves("fat-tree:2,3", "sent-twice");
  for (const FatTree& tree : trees_of_words(with_more(full, "fat-tree:2,3 fat-tree:4,2", "fat-tree:4,3")))
    cases.push_back(late_credits_case(tree));
  // Trees with branches of several links: a register per link.
  for (const std::string& word :
       with_more(full, "fat-tree:2,3,1,2,3", "fat-tree:2,4,1,2,3,4 fat-tree:2,4,exponential"))
    add_one_more_than_leaves(word, "fewest-first");
}

}  // namespace

std::vector<Claim> fat_tree_multinode_claims() {
  return {
      claim("fat.F15", "6.3.1, Table 6.2", kMisprint,
            "all-port broadcast takes 2h steps, the eccentricity of a leaf; Table 6.2 has 2h - 1",
            broadcasts_runs),
      claim("fat.F16", "6.3.1", kHolds,
            "all-port scatter and gather take n steps if k >= 3, n + 1 if k = 2, as with one port: a leaf "
            "has one link (h >= 2)",
            scatters_runs),
      claim("fat.F17", "6.3.2, Theorem 6.9", kHolds,
            "flooding takes n steps if k_1 >= 3, n + 1 if k_1 = 2, in whatever order routers serve what "
            "waits, as long as no link idles while something does",
            floodings_runs),
      claim("fat.F18", "6.3.2, proof of Theorem 6.9", kHolds,
            "a star exchanges its k leaves' messages in k - 1 slots after the first step; message c is "
            "needed in slots c and c + 1 alone",
            star_exchange_runs),
      claim("fat.F19", "6.3.2", kHolds,
            "capacities within the tree change nothing about the time of a multinode broadcast",
            capacities_do_not_help_runs, capacities_do_not_help_checks),
      claim("fat.F20", "6.3.2.1", kHolds,
            "under flooding the queue from a level-i router to its parent reaches (k - 1) k^(i-1) packets, "
            "not counting the one that leaves in the step (one more with it)",
            queues_upwards_runs),
      claim("fat.F21", "6.3.2.1", kHolds,
            "the queue from a level-i router to a child reaches (k - 1) k^(i-1) - 2 packets for 3 <= i < h, "
            "not counting the one that leaves in the step. The same holds for i = 2; k - 2 are reached for i "
            "= 1 < h, (k - 2) k^(h-1) at the root",
            queues_downwards_runs),
      claim("fat.F22", "6.3.2.1", kHolds,
            "capacities do not make queues shorter on the way down: with exponential ones routers above "
            "leaves store n - n/k - 1 packets for one, against k - 1 (n > 4)",
            queues_at_full_capacity_runs, queues_at_full_capacity_checks),
      claim("fat.F23", "6.3.2.2, (6.3)", kHolds,
            "multinode broadcast without queues in phases, one after the other, takes n + h^2 - 1 steps",
            std::bind_front(serial_or_overlapping_runs, true)),
      claim("fat.F24", "6.3.2.2", kHolds,
            "in overlapping phases it takes n + 2h - 2 steps, for any arities; a router stores one packet "
            "per incoming link, for k - 1 steps at most",
            std::bind_front(serial_or_overlapping_runs, false)),
      claim("fat.F25", "6.3.4, open question", kBeyond,
            "n + 2h - 2 is not the least without queues: with one register per incoming link n steps do for "
            "k >= 3; for k = 2 n + 2 do, n + 1 with more capacity, with two registers that any output takes "
            "from (n + 2 if they are first in, first out), or (n = 8) if two leaves send their message "
            "twice. If a register can be filled again only a step after it is free: 2 (n - k) + 2 or one "
            "more",
            fewer_steps_without_queues_runs)};
}

}  // namespace safnet
