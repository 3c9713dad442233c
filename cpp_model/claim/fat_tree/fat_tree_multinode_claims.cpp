// Thesis 6.3.1 and 6.3.2: broadcast, scatter and gather on fat trees with all ports, multinode broadcast by
// flooding, what its queues hold, and multinode broadcast without queues.
//
// k is the arity, h the height, n = k^h the number of leaves; a leaf has one link (c_1 = 1).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

struct Uniform {
  std::uint32_t k, h;
  std::uint64_t n() const { return FatTree::uniform(k, h).leaves(); }
  std::string word() const { return fmt::format("fat-tree:{},{}", k, h); }
  // What every leaf must get takes n - 1 steps and comes a step after it was sent; for k = 2 nothing comes in
  // step 3 or 4, as only the sibling is so near.
  std::uint64_t steps() const { return n() + (k == 2 && h > 1 ? 1 : 0); }
};

// To 16 leaves; full: k = 2 to 5, to 81 leaves (k = 5: to 125).
std::vector<Uniform> uniform_trees(bool full) {
  return with_more<Uniform>(full, {{2, 2}, {2, 3}, {2, 4}, {3, 2}, {4, 2}},
                            {{2, 5}, {2, 6}, {3, 3}, {3, 4}, {4, 3}, {5, 2}, {5, 3}});
}
constexpr const char* kUniformInWords = "k = 2 to 4 to 16 leaves; full: k = 2 to 5, to 125 leaves";

std::string tree_word(const std::vector<std::uint32_t>& arities,
                      const std::vector<std::uint32_t>& capacities = {}) {
  // One level: K,1.
  std::string word = arities.size() == 1 ? fmt::format("fat-tree:{},1", arities[0])
                                         : fmt::format("fat-tree:{}", fmt::join(arities, "x"));
  if (!capacities.empty()) word += fmt::format(",{}", fmt::join(capacities, ","));
  return word;
}
std::uint64_t leaves_of(const std::vector<std::uint32_t>& arities) {
  return std::accumulate(arities.begin(), arities.end(), std::uint64_t{1}, std::multiplies<>());
}
// n, or n + 1 if k_1 = 2 and there are other leaves than the sibling.
std::uint64_t flooding_steps(const std::vector<std::uint32_t>& arities) {
  return leaves_of(arities) + (arities[0] == 2 && arities.size() > 1 ? 1 : 0);
}

std::vector<std::vector<std::uint32_t>> mixed_arities(bool full) {
  return with_more<std::vector<std::uint32_t>>(full, {{2, 3}, {3, 2}, {2, 2, 3}, {4, 2, 2}},
                                               {{2, 5, 2, 3}, {5, 2, 2, 2}, {3, 2, 4}, {2, 4, 3}, {5, 4, 3}});
}

// All arities 2 to 5 of at most 4 levels, up to `most` leaves.
void extend_arities(std::vector<std::vector<std::uint32_t>>& list, std::vector<std::uint32_t> arities,
                    std::uint64_t most) {
  if (!arities.empty()) list.push_back(arities);
  if (arities.size() == 4) return;
  for (std::uint32_t k = 2; k <= 5; ++k) {
    std::vector<std::uint32_t> longer = arities;
    longer.push_back(k);
    if (leaves_of(longer) <= most) extend_arities(list, std::move(longer), most);
  }
}
std::vector<std::vector<std::uint32_t>> all_arities(std::uint64_t most) {
  std::vector<std::vector<std::uint32_t>> list;
  extend_arities(list, {}, most);
  return list;
}

// Capacities with c_1 = 1: constant, rising, exponential, falling, one thick branch.
std::vector<std::vector<std::uint32_t>> capacity_lists(const std::vector<std::uint32_t>& arities) {
  const auto h = arities.size();
  std::vector<std::vector<std::uint32_t>> lists(6, std::vector<std::uint32_t>(h, 1));
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
  return lists;
}
std::uint32_t largest_degree(const std::vector<std::uint32_t>& arities,
                             const std::vector<std::uint32_t>& capacities) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < arities.size(); ++i)
    most = std::max(most, arities[i] * capacities[i] + (i + 1 < arities.size() ? capacities[i + 1] : 0));
  return most;
}

const std::vector<std::string>& flooding_orders() {
  static const std::vector<std::string> names = listed(
      "flooding flooding-last-in-first-out flooding-from-below-first flooding-from-above-first "
      "flooding-far-first flooding-near-first flooding-shuffled");
  return names;
}

ClaimCase multinode_case(std::string topology, std::string algorithm, std::uint64_t steps) {
  return {std::move(topology), kMultinodeBroadcast, kAllPort, std::move(algorithm), 0, "", steps};
}

void broadcasts_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, NodeId root, std::uint64_t h) {
    ClaimCase run{word, kBroadcast, kAllPort, "flooding", root, "", 2 * h};
    run.printed = fmt::format("{} steps", 2 * h - 1);
    cases.push_back(std::move(run));
  };
  for (const Uniform& tree : uniform_trees(full)) {
    add(tree.word(), 0, tree.h);
    add(tree.word(), static_cast<NodeId>(tree.n() / 2), tree.h);
  }
  add("fat-tree:3,1", 0, 1);
  add("fat-tree:2,3,1,2,3", 3, 3);
  if (full) add("fat-tree:3,2,exponential", 0, 2);
}

void scatters_runs(bool full, Cases& cases) {
  for (const Uniform& tree : uniform_trees(full)) {
    const auto root = static_cast<NodeId>(tree.n() / 3);
    for (const auto& [collective, algorithm] :
         {std::pair{kScatter, "fat-tree-furthest-first"}, {kGather, "first-come-first-served"}}) {
      cases.push_back({tree.word(), collective, kAllPort, algorithm, root, "", tree.steps()});
    }
  }
}

void floodings_runs(bool full, Cases& cases) {
  for (const std::string& order : flooding_orders()) {
    for (const Uniform& tree : uniform_trees(full)) {
      // Some orders on the smaller trees alone.
      if (!full && order != "flooding" && tree.n() > 9) continue;
      cases.push_back(multinode_case(tree.word(), order, tree.steps()));
    }
    for (const auto& arities : mixed_arities(full))
      if (full || order == "flooding")
        cases.push_back(multinode_case(tree_word(arities), order, flooding_steps(arities)));
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
  for (std::uint32_t k = 2; k <= (full ? 32U : 8U); ++k) {
    ClaimCase run = multinode_case(tree_word({k}), "block-schedule", k);
    run.inspect = inspect_star;
    cases.push_back(std::move(run));
  }
}

// Routers as a model of them, in steps.
std::string check_capacities(const std::vector<std::uint32_t>& arities) {
  constexpr std::uint32_t kMostPorts = 64;
  for (const auto& capacities : capacity_lists(arities)) {
    if (largest_degree(arities, capacities) > kMostPorts) continue;
    const Problem problem{make_topology(tree_word(arities, capacities)), kMultinodeBroadcast};
    const Schedule schedule =
        plan_from_policy(problem, find_algorithm(problem, "flooding").policy(problem), "flooding");
    if (schedule.sends.back().start != flooding_steps(arities))
      return fmt::format("{}: {} steps, expected {}", problem.graph.spelling(), schedule.sends.back().start,
                         flooding_steps(arities));
  }
  return {};
}

void capacities_do_not_help_runs(bool full, Cases& cases) {
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> trees =
      with_more<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>(
          full,
          {{{2, 2, 2}, {1, 2, 3}},
           {{2, 2, 2}, {1, 2, 4}},
           {{2, 2, 2}, {1, 3, 1}},
           {{3, 2}, {1, 2}},
           {{3, 2}, {1, 4}}},
          {{{3, 3}, {1, 3}},
           {{4, 4}, {1, 4}},
           {{3, 3, 3}, {1, 2, 3}},
           {{2, 2, 2, 2}, {1, 2, 3, 4}},
           {{2, 2, 2, 2}, {1, 2, 4, 8}},
           {{2, 5, 2, 3}, {1, 3, 1, 5}},
           {{5, 2, 2, 2}, {1, 2, 3, 4}},
           {{2, 2, 2, 2}, {1, 5, 5, 1}}});
  for (const auto& [arities, capacities] : trees) {
    for (const char* order : {"flooding", "flooding-shuffled"})
      cases.push_back(multinode_case(tree_word(arities, capacities), order, flooding_steps(arities)));
  }
}

void capacities_do_not_help_checks(bool full, Checks& checks) {
  for (const auto& arities : all_arities(full ? 48 : 24)) {
    checks.push_back({fmt::format("{} with up to 6 lists of capacities", tree_word(arities)),
                      [arities] { return check_capacities(arities); }});
  }
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
// Peaks that are to be, per level; nothing where it is not said.
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

// By the hardware's counters, if there are any, and counted from the trace.
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

ExpectedPeaks peaks_upwards(const Uniform& tree) {
  return [tree](std::uint32_t i) -> std::optional<std::uint64_t> {
    if (i >= tree.h) return std::nullopt;
    return (tree.k - 1) * power(tree.k, i - 1);
  };
}
ExpectedPeaks peaks_downwards(const Uniform& tree) {
  return [tree](std::uint32_t i) -> std::optional<std::uint64_t> {
    if (i == tree.h) return (tree.k - 2) * power(tree.k, tree.h - 1);
    return i == 1 ? tree.k - 2 : (tree.k - 1) * power(tree.k, i - 1) - 2;
  };
}

// Level 2 has a parent in all of them.
std::vector<Uniform> queue_trees(bool full) {
  return with_more<Uniform>(full, {{2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}},
                            {{2, 5}, {2, 6}, {3, 4}, {4, 3}, {5, 2}});
}
constexpr const char* kQueuesInWords =
    "6 trees to 27 leaves, 3 orders, by the hardware's counters; full: 11, to 81 leaves, 7 orders";
std::vector<std::string> queue_orders(bool full) {
  return full ? flooding_orders()
              : std::vector<std::string>{"flooding", "flooding-from-below-first",
                                         "flooding-last-in-first-out"};
}

void queues_upwards_runs(bool full, Cases& cases) {
  for (const Uniform& tree : queue_trees(full)) {
    for (const std::string& order : queue_orders(full)) {
      ClaimCase run = multinode_case(tree.word(), order, tree.steps());
      run.inspect = peaks_are(peaks_upwards(tree), not_said);
      cases.push_back(std::move(run));
    }
  }
}

void queues_downwards_runs(bool full, Cases& cases) {
  for (const Uniform& tree : queue_trees(full)) {
    for (const std::string& order : queue_orders(full)) {
      ClaimCase run = multinode_case(tree.word(), order, tree.steps());
      run.inspect = peaks_are(not_said, peaks_downwards(tree));
      if (tree.h == 3) run.printed = "the size for i >= 3 alone; here level 2 has it";
      cases.push_back(std::move(run));
    }
  }
}

// From level-1 routers to their leaves.
ExpectedPeaks lowest_queue(std::uint64_t waiting) {
  return [waiting](std::uint32_t i) { return i == 1 ? std::optional(waiting) : std::nullopt; };
}
// Packets that wait for a leaf: of the n - n/k - 1 that are stored one is being sent.
std::uint64_t lowest_queue_at_full_capacity(const Uniform& tree) { return tree.n() - tree.n() / tree.k - 2; }

std::string check_lowest_queue(const Uniform& tree) {
  const Problem problem{make_topology(tree.word() + ",exponential"), kMultinodeBroadcast};
  const Schedule schedule =
      plan_from_policy(problem, find_algorithm(problem, "flooding").policy(problem), "flooding");
  return compare_peaks(peaks_by_level(problem.graph, router_queues(schedule)).down,
                       lowest_queue(lowest_queue_at_full_capacity(tree)), "downwards");
}

void queues_at_full_capacity_runs(bool full, Cases& cases) {
  std::vector<Uniform> trees = with_more<Uniform>(full, {{2, 3}}, {{2, 4}, {3, 2}, {4, 2}, {3, 3}});
  for (const Uniform& tree : trees) {
    ClaimCase run = multinode_case(tree.word() + ",exponential", "flooding", tree.steps());
    run.inspect = peaks_are(not_said, lowest_queue(lowest_queue_at_full_capacity(tree)));
    cases.push_back(std::move(run));
    run = multinode_case(tree.word(), "flooding", tree.steps());
    run.inspect = peaks_are(not_said, lowest_queue(tree.k - 2));
    cases.push_back(std::move(run));
  }
}

void queues_at_full_capacity_checks(bool, Checks& checks) {
  for (const Uniform tree : {Uniform{2, 4}, {3, 2}, {4, 2}, {3, 3}, {4, 3}}) {
    checks.push_back(
        {fmt::format("{},exponential", tree.word()), [tree] { return check_lowest_queue(tree); }});
  }
}

// One register per incoming link of a router is enough, and how long it is taken.
Inspection registers_are(std::uint32_t packets, std::uint32_t most_steps) {
  return [packets, most_steps](const RunOutcome& outcome) -> std::string {
    const RegisterUse use = router_registers(*outcome.graph, outcome.trace->transfers);
    if (use.packets != packets)
      return fmt::format("{} packets stored per incoming link, expected {}", use.packets, packets);
    return use.steps <= most_steps
               ? ""
               : fmt::format("a packet stays for {} steps, expected at most {}", use.steps, most_steps);
  };
}
constexpr std::uint32_t kAnySteps = 0xffff'ffff;

std::vector<std::vector<std::uint32_t>> arities_without_queues(bool full) {
  std::vector<std::vector<std::uint32_t>> list = mixed_arities(full);
  for (const Uniform& tree : uniform_trees(full)) list.emplace_back(tree.h, tree.k);
  return list;
}
constexpr const char* kWithoutQueuesInWords = "9 trees to 16 leaves; full: 21, to 125 leaves";

Claim phases(const char* id, const char* section, const char* statement, const char* algorithm, bool serial) {
  Claim claim{id, section, statement, kHolds, kWithoutQueuesInWords};
  claim.cases = [algorithm, serial](bool full) {
    std::vector<ClaimCase> cases;
    for (const auto& arities : arities_without_queues(full)) {
      const std::uint64_t n = leaves_of(arities), h = arities.size();
      ClaimCase run = multinode_case(tree_word(arities), algorithm, serial ? n + h * h - 1 : n + 2 * h - 2);
      run.inspect = registers_are(1, *std::ranges::max_element(arities) - 1);
      cases.push_back(std::move(run));
    }
    return cases;
  };
  return claim;
}

// n steps, and more where the exchanges of low levels are shorter than the register needs.
std::uint64_t block_steps(const std::vector<std::uint32_t>& arities) {
  std::int64_t sum = 0, most = 0;
  for (std::size_t i = 0; i + 1 < arities.size(); ++i)
    most = std::max(most, sum += 3 - std::int64_t{arities[i]});
  return leaves_of(arities) + static_cast<std::uint64_t>(most);
}

void fewer_steps_without_queues_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, const char* algorithm, std::uint64_t steps,
                       std::uint32_t registers) {
    ClaimCase run = multinode_case(word, algorithm, steps);
    run.inspect = registers_are(registers, kAnySteps);
    cases.push_back(std::move(run));
  };
  for (const auto& arities : arities_without_queues(full))
    add(tree_word(arities), "block-schedule", block_steps(arities), 1);
  std::vector<Uniform> trees = uniform_trees(full);
  if (full) trees.push_back({2, 7});
  for (const Uniform& tree : trees) {
    const std::uint64_t n = tree.n();
    const bool high = tree.h > 2;
    add(tree.word(), "fewest-first", tree.k > 2 ? n : high ? n + 2 : n + 1, 1);
    add(tree.word(), "fewest-first-two-in-order",
        tree.k > 2 ? n
        : high     ? n + 2
                   : n + 1,
        tree.k > 2 || high ? 2 : 1);
    add(tree.word(), "fewest-first-two-registers", tree.steps(), tree.k > 2 || high ? 2 : 1);
  }
  add("fat-tree:2,3", "sent-twice", 9, 1);
  // A register that is filled again a step after it is free.
  add("fat-tree:2,3", "fewest-first-next-step-credit", 14, 1);
  add("fat-tree:4,2", "fewest-first-next-step-credit", 27, 1);
  if (full) add("fat-tree:4,3", "fewest-first-next-step-credit", 123, 1);
  // A register per link of a branch.
  add("fat-tree:2,3,1,2,3", "fewest-first", 9, 1);
  if (full) {
    add("fat-tree:2,4,1,2,3,4", "fewest-first", 17, 1);
    add("fat-tree:2,4,exponential", "fewest-first", 17, 1);
  }
}

}  // namespace

std::vector<Claim> fat_tree_multinode_claims() {
  return {
      claim("fat.F15", "6.3.1, Table 6.2", kMisprint,
            "all-port broadcast takes 2h steps, the eccentricity of a leaf; Table 6.2 has 2h - 1",
            fmt::format("{}, 2 roots each; capacities", kUniformInWords), broadcasts_runs),
      claim("fat.F16", "6.3.1", kHolds,
            "all-port scatter and gather take n steps if k >= 3, n + 1 if k = 2, as with one port: a leaf "
            "has one link (h >= 2)",
            kUniformInWords, scatters_runs),
      claim("fat.F17", "6.3.2, Theorem 6.9", kHolds,
            "flooding takes n steps if k_1 >= 3, n + 1 if k_1 = 2, in whatever order routers serve what "
            "waits, as long as no link idles while something does",
            "7 orders; k = 2 to 4 to 16 leaves; full: to 125; other arities", floodings_runs),
      claim("fat.F18", "6.3.2, proof of Theorem 6.9", kHolds,
            "a star exchanges its k leaves' messages in k - 1 slots after the first step; message c is "
            "needed in slots c and c + 1 alone",
            "k = 2 to 8; full: to 32", star_exchange_runs),
      claim("fat.F19", "6.3.2", kHolds,
            "capacities within the tree change nothing about the time of a multinode broadcast",
            "5 trees on routers of 8 ports, all arities 2 to 5 to 24 leaves with up to 6 lists of capacities "
            "as a model; full: routers of 16 ports, to 48 leaves",
            capacities_do_not_help_runs, capacities_do_not_help_checks),
      claim("fat.F20", "6.3.2.1", kHolds,
            "under flooding the queue from a level-i router to its parent reaches (k - 1) k^(i-1) packets, "
            "not counting the one that leaves in the step (one more with it)",
            kQueuesInWords, queues_upwards_runs),
      claim("fat.F21", "6.3.2.1", kCorrected,
            "the queue from a level-i router to a child reaches (k - 1) k^(i-1) - 2 packets for 2 <= i < h, "
            "k - 2 for i = 1 < h and (k - 2) k^(h-1) at the root, one more with the one that leaves",
            kQueuesInWords, queues_downwards_runs),
      claim("fat.F22", "6.3.2.1", kHolds,
            "capacities do not make queues shorter on the way down: with exponential ones routers above "
            "leaves store n - n/k - 1 packets for one, against k - 1 (n > 4)",
            "k = 2, h = 3 on the hardware, 5 trees to 64 leaves as a model; full: to 27 leaves on routers of "
            "32 ports",
            queues_at_full_capacity_runs, queues_at_full_capacity_checks),
      phases("fat.F23", "6.3.2.2, (6.3)",
             "multinode broadcast without queues in phases, one after the other, takes n + h^2 - 1 steps",
             "serial-phases", true),
      phases("fat.F24", "6.3.2.2",
             "in overlapping phases it takes n + 2h - 2 steps, for any arities; a router stores one packet "
             "per incoming link, for k - 1 steps at most",
             "pipelined-phases", false),
      claim("fat.F25", "6.3.4, open question", kHolds,
            "n + 2h - 2 is not the least without queues: with one register per incoming link n steps do for "
            "k >= 3; for k = 2 n + 2 do, n + 1 with more capacity, with two registers that any output takes "
            "from (n + 2 if they are first in, first out), or (n = 8) if two leaves send their message twice",
            "block schedule, fewest copies left first; 9 trees to 16 leaves; full: 23, to 125 leaves",
            fewer_steps_without_queues_runs)};
}

}  // namespace safnet
