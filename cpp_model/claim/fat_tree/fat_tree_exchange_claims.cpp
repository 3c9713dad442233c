// Thesis 6.3.3, 6.3.4 and 7.1: all-port total exchange on fat trees, and lower bounds on it.
//
// N_i = k_1 ... k_i leaves are below a node of level i, n = N_h; c'_i is the part of a branch's capacity that
// the links below it can fill: c'_1 = c_1, c'_i = min(c_i, k_(i-1) c'_(i-1)). Leaves have one link.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "cpp_model/bound/fat_tree_exchange_bound.hpp"
#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

FatTree uniform(std::uint32_t k, std::uint32_t h) { return FatTree::uniform(k, h); }
FatTree exponential(const Arities& arities) { return {arities, FatTree::exponential_capacities(arities)}; }
FatTree exponential(std::uint32_t k, std::uint32_t h) { return exponential(Arities(h, k)); }

ClaimCase run_of(const FatTree& tree, const std::string& algorithm, std::uint64_t steps,
                 Inspection inspect = {}) {
  return exchange_case(tree.spelling(), kAllPort, algorithm, steps, std::move(inspect));
}
// By the timetable of (6.5). Routers that follow it send earlier what waits for nothing, and may end earlier.
ClaimCase phases_run(const FatTree& tree, std::uint64_t steps, Inspection inspect = {}) {
  return at_most_on_routers(run_of(tree, "fat-tree-phases", steps, std::move(inspect)));
}

// ---- formulas

// Packets that leave the leaves below a branch of level i.
std::uint64_t crossing(const FatTree& tree, std::uint32_t level) {
  const std::uint64_t below = tree.leaves_below(level - 1);
  return below * (tree.leaves() - below);
}

// (6.4): for the root's branches, with c_h in full.
Rational simple_bound(const FatTree& tree) {
  const std::uint32_t h = tree.height();
  return Rational(crossing(tree, h), tree.capacity(h)) + 2 * h - 1;
}

std::uint64_t cut_bound_of(const FatTree& tree) {
  std::uint64_t bound = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i)
    bound = std::max(bound, divide_up(crossing(tree, i), tree.usable_capacity(i)) + 2 * i - 1);
  return bound;
}

// As fat_tree_exchange_mean_bound(), by sums over single packets: `early`, the least sum of the steps in
// which they go up a branch of level i; `late`, what the sum of the steps in which they go down falls short
// of T each; `between`, the sum of their lags 2(j - i) + 1, j being the level where they turn.
std::uint64_t mean_bound_of(const FatTree& tree) {
  std::uint64_t bound = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t packets = crossing(tree, i);
    std::uint64_t early = 0, late = 0, between = 0;
    for (std::uint64_t x = 0; x < packets; ++x) {
      early += i + x / tree.usable_capacity(i);
      late += i - 1 + x / tree.usable_capacity(i);
    }
    for (NodeId leaf = 0; leaf < tree.leaves_below(i - 1); ++leaf) {
      for (NodeId other = tree.leaves_below(i - 1); other < tree.leaves(); ++other)
        between += 2 * (tree.turning_level(leaf, other) - i) + 1;
    }
    bound = std::max(bound, divide_up(early + late + between, packets));
  }
  return bound;
}

// (6.5), with the given capacities.
template <class Capacity>
std::uint64_t phases_of(const FatTree& tree, Capacity capacity) {
  std::uint64_t steps = 2 * tree.height() - 1;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t below = tree.leaves_below(i - 1);
    steps += divide_up((tree.arity(i) - 1) * below * below, capacity(i));
  }
  return steps;
}
std::uint64_t phases_of(const FatTree& tree) {
  return phases_of(tree, [&](std::uint32_t i) { return tree.usable_capacity(i); });
}
std::uint64_t phases_as_printed(const FatTree& tree) {
  return phases_of(tree, [&](std::uint32_t i) { return tree.capacity(i); });
}

// ---- outcomes

// Routers, which use a timetable as ranks and send packets as early as they can.
bool on_routers(const RunOutcome& o) { return o.queue_peaks != nullptr && !o.queue_peaks->empty(); }

// Every packet must arrive 2j - 1 steps after it started, j being the level where it turns. Only for nodes
// that obey the timetable: what routers send early waits in later queues.
std::string nobody_waits(const RunOutcome& o) {
  if (on_routers(o)) return {};
  const FatTree tree = *fat_tree_shape(*o.graph);
  std::map<PacketId, std::pair<std::uint32_t, std::uint32_t>> steps;  // first and last
  for (const Transfer& t : o.trace->transfers) {
    auto& [first, last] = steps.try_emplace(t.packet, t.step, t.step).first->second;
    first = std::min(first, t.step);
    last = std::max(last, t.step);
  }
  const std::uint64_t packets = std::uint64_t{tree.leaves()} * (tree.leaves() - 1);
  if (steps.size() != packets)
    return fmt::format("{} packets crossed links, expected {}", steps.size(), packets);
  for (const auto& [packet, between] : steps) {
    const NodeId destination = packet.tag;
    const std::uint32_t takes = between.second - between.first + 1;
    if (takes != 2 * tree.turning_level(packet.source, destination))
      return fmt::format("the packet from {} to {} is under way for {} steps", packet.source, destination,
                         takes);
  }
  return {};
}

// Steps in which a leaf receives nothing, summed over all leaves.
std::uint64_t holes(const RunOutcome& o) {
  std::set<std::pair<NodeId, std::uint32_t>> received;
  for (const Delivery& d : o.trace->deliveries) received.emplace(d.node, d.step);
  return o.graph->processor_count() * o.steps - received.size();
}

// (6.6) as printed must fail for some i, and as corrected hold for all. With w holes per leaf `all` is w n.
std::string breaks_printed_hole_bound(const RunOutcome& o) {
  const FatTree tree = *fat_tree_shape(*o.graph);
  const std::uint64_t n = tree.leaves(), h = tree.height(), all = holes(o);
  bool broken = false;
  for (std::uint32_t i = 1; i <= h; ++i) {
    // n (1 - k^-i) packets of a leaf are external.
    const std::uint64_t external = n - tree.leaves_below(tree.height() - i);
    broken = broken || all * o.steps < n * 2 * external * (h - i + 1);
    if (all * (o.steps - 1) < n * external * (2 * (h - i) + 1))
      return fmt::format("{} holes in {} steps: w (T - 1) is too small for i = {}", all, o.steps, i);
  }
  return unless(broken, "{} holes in {} steps do not contradict (6.6)", all, o.steps);
}

// The fewest steps that (6.6) and (6.7) together allow for G_1.
std::uint64_t printed_hole_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), external = n - tree.leaves_below(tree.height() - 1);
  std::uint64_t steps = n - 1;
  while ((steps - (n - 1)) * steps < 2 * external * tree.height()) ++steps;
  return steps;
}

// In digit order up to n^2 (k-1)^2 / k^3 packets wait in the fullest queue, behind one that leaves.
Inspection queues_grow_to(std::uint64_t waiting) {
  return [waiting](const RunOutcome& o) -> std::string {
    if (o.peak_transit_queue != waiting + 1)
      return fmt::format("up to {} packets in a queue, expected {}", o.peak_transit_queue, waiting + 1);
    if (!on_routers(o)) return {};
    const FatTree tree = *fat_tree_shape(*o.graph);
    QueuePeak most;
    for (LinkId link = 0; link < o.queue_peaks->size(); ++link) {
      if (tree.level_of(o.graph->link_source(link)) == 0) continue;  // a leaf's own packets
      most.stored = std::max(most.stored, (*o.queue_peaks)[link].stored);
      most.waiting = std::max(most.waiting, (*o.queue_peaks)[link].waiting);
    }
    return unless(most.stored == waiting + 1 && most.waiting == waiting,
                  "up to {} packets stored and {} waiting, expected {} and {}", most.stored, most.waiting,
                  waiting + 1, waiting);
  };
}

// ---- claims

// Trees with capacities between constant and exponential, or beyond what the links below can fill.
std::vector<FatTree> trees_of_any_capacities(bool full) {
  std::vector<FatTree> trees{{{2, 2}, {1, 2}},       {{2, 2, 2}, {1, 2, 3}}, {{2, 2, 2}, {1, 1, 4}},
                             {{2, 2, 2}, {1, 1, 2}}, {{3, 3}, {1, 2}},       {{3, 3}, {1, 3}},
                             {{4, 4}, {1, 3}},       {{2, 3, 2}, {1, 2, 4}}, {{3, 2, 2}, {1, 2, 2}}};
  if (full) {
    for (const Arities& arities :
         std::vector<Arities>{{2, 2, 2}, {2, 2, 2, 2}, {3, 3, 3}, {2, 3, 4}, {4, 3, 2}, {5, 4}}) {
      std::mt19937_64 random(arities.size() * 100 + arities[0]);
      for (int sample = 0; sample < 4; ++sample) {
        Arities capacities{1};
        std::uint32_t leaves = 1;
        for (std::size_t i = 1; i < arities.size(); ++i) {
          leaves *= arities[i - 1];
          capacities.push_back(1 + static_cast<std::uint32_t>(random() % std::min(leaves + 1, 5U)));
        }
        trees.emplace_back(arities, capacities);
      }
    }
  }
  return trees;
}

// Routers, and timetables where these take a step more.
void bounds_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, const char* algorithm) {
    const FatTree tree = tree_of_word(word);
    cases.push_back(run_of(tree, algorithm, mean_bound_of(tree), [tree](const RunOutcome& o) {
      return unless(o.steps >= simple_bound(tree), "{} steps, fewer than (6.4) has: {}", o.steps,
                    simple_bound(tree).str());
    }));
  };
  for (const std::string& word : with_more(full, "fat-tree:2,2,1,2 fat-tree:2,3,1,1,4 fat-tree:2,2,1,4",
                                           "fat-tree:3,3,exponential fat-tree:2,4,1,1,1,4"))
    add(word, "digit-order");
  for (const std::string& word :
       with_more(full, "fat-tree:2,3,exponential", "fat-tree:2,4,exponential fat-tree:3,3,exponential"))
    add(word, "full-capacity");
}

std::string check_bounds(const FatTree& tree) {
  const std::uint64_t cut = fat_tree_exchange_cut_bound(tree), mean = fat_tree_exchange_mean_bound(tree);
  const std::uint64_t right_cut = cut_bound_of(tree), right_mean = mean_bound_of(tree);
  if (cut != right_cut || mean != right_mean)
    return fmt::format("bounds {} and {}, expected {} and {}", cut, mean, right_cut, right_mean);
  return unless(cut <= mean, "{} is below the cut's {}", mean, cut);
}

Checks bounds_checks(bool full) {
  return check_each(
      trees_of_any_capacities(full), [](const FatTree& tree) { return tree.spelling() + ": both bounds"; },
      check_bounds);
}

void phases_runs(bool full, Cases& cases) {
  const auto trees = trees_of_words(with_more(
      full,
      "fat-tree:2,2 fat-tree:2,3 fat-tree:2,4 fat-tree:3,2 fat-tree:3,3 fat-tree:4,2 fat-tree:5,2 "
      "fat-tree:2,4,1,2,3,4 fat-tree:2,2,exponential fat-tree:2,3,exponential fat-tree:4,2,exponential "
      "fat-tree:2,2,1,4",
      "fat-tree:2,5 fat-tree:4,3 fat-tree:3,4 fat-tree:3,3,1,2,3 fat-tree:3,3,1,2,4 fat-tree:2,4,exponential "
      "fat-tree:2,5,exponential fat-tree:3,3,exponential fat-tree:5,2,exponential fat-tree:2,3,1,8,8"));
  for (const FatTree& tree : joined(trees, trees_of_any_capacities(full))) {
    cases.push_back(phases_run(tree, phases_of(tree), nobody_waits));
    if (phases_as_printed(tree) != phases_of(tree))
      cases.back().printed = {{kExactly, phases_as_printed(tree), {}, "(6.5)"}};
  }
}

struct Size {
  std::uint32_t k, h;
};

std::uint64_t constant_capacity_steps(std::uint32_t k, std::uint32_t h) {
  return power(k, 2 * (h - 1)) * (k - 1) + 2 * h - 1;
}

void constant_capacity_runs(bool full, Cases& cases) {
  for (const auto& [k, h] : with_more<Size>(full, {{2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}, {5, 2}},
                                            {{2, 5}, {2, 6}, {3, 4}, {4, 3}, {6, 2}})) {
    const FatTree tree = uniform(k, h);
    const std::uint64_t steps = constant_capacity_steps(k, h);
    cases.push_back(run_of(tree, "lock-step", steps));
    cases.push_back(run_of(tree, "no-wait", steps, nobody_waits));
    cases.push_back(
        run_of(tree, "digit-order", steps, queues_grow_to(power(k, 2 * h - 3) * (k - 1) * (k - 1))));
    cases.push_back(phases_run(tree, (power(k, 2 * h) - 1) / (k + 1) + 2 * h - 1));  // (n^2-1)(k-1)/(k^2-1)
  }
}

void holes_of_leaves_runs(bool full, Cases& cases) {
  const auto add = [&](const FatTree& tree, std::uint64_t steps, const Printed<RunOutcome>& what) {
    cases.push_back(printed(run_of(tree, "fat-tree-phases", steps, breaks_printed_hole_bound), what));
  };
  const auto holes_times_steps = [](const RunOutcome& o) {
    return Rational(holes(o) * o.steps, o.graph->processor_count());
  };
  for (const std::uint32_t k : with_more<std::uint32_t>(full, {4, 8}, {9}))  // 9: nodes of 16 ports
    add(uniform(k, 1), k,
        {{kAtLeast, 2 * (k - 1), "holes per leaf times steps", "(6.6)"}, holes_times_steps});
  for (std::uint32_t k = 6; full && k <= 8; ++k) {
    const FatTree tree = exponential(k, 2);
    add(tree, k * k + 2, {{kAtLeast, printed_hole_steps(tree), {}, "(6.6) and (6.7)"}});
  }
}

// The optimum where the capacities are exponential, k^h leaves.
std::uint64_t exponential_capacity_steps(std::uint32_t k, std::uint32_t h) {
  const std::uint64_t n = power(k, h);
  return k == 2 && h >= 3 ? n + 2 * h - 3 : n + 2 * h - 2;
}

std::vector<Size> exponential_sizes(bool full) {
  return with_more<Size>(full, {{2, 2}, {2, 3}, {2, 4}, {3, 2}, {4, 2}},
                         {{2, 5}, {2, 6}, {3, 3}, {4, 3}, {5, 2}, {6, 2}, {7, 2}, {8, 2}});
}

void exponential_bound_runs(bool full, Cases& cases) {
  for (const Size& s : exponential_sizes(full)) {
    const FatTree tree = exponential(s.k, s.h);
    cases.push_back(run_of(tree, "full-capacity", mean_bound_of(tree)));
    // Routers as well, on trees where they take no step more and whose nodes are quickly built.
    const bool smallest = s.k == 2 && s.h == 2;
    if (smallest || (full && (s.h == 2 ? s.k <= 4 : s.k == 3)))
      cases.push_back(run_of(tree, "digit-order", mean_bound_of(tree)));
  }
}

// n + 2h - 2 - 2 log_k h <= T, without logarithms.
std::string check_exponential_bound(const Size& s) {
  const std::uint64_t steps = mean_bound_of(exponential(s.k, s.h)), simple = power(s.k, s.h) + 2 * s.h - 2;
  if (steps != exponential_capacity_steps(s.k, s.h)) return fmt::format("at least {} steps", steps);
  return unless(simple <= steps || power(s.k, static_cast<std::uint32_t>(simple - steps)) <= s.h * s.h,
                "the printed bound is above");
}

Checks exponential_bound_checks(bool full) {
  return check_each(
      exponential_sizes(full),
      [](const Size& s) { return exponential(s.k, s.h).spelling() + ": the printed bound is no larger"; },
      check_exponential_bound);
}

void conjecture_runs(bool full, Cases& cases) {
  for (const Size& s : exponential_sizes(full)) {
    const std::uint64_t printed = power(s.k, s.h) + 2 * s.h - 2, steps = exponential_capacity_steps(s.k, s.h);
    cases.push_back(run_of(exponential(s.k, s.h), "full-capacity", steps, nobody_waits));
    if (steps < printed) cases.back().printed = {{kAtLeast, printed, {}, "the conjecture"}};
    cases.push_back(run_of(exponential(s.k, s.h), "fat-tree-phases", printed));
  }
}

// Trees on which no known algorithm reaches the bound with exponential capacities.
bool one_above_the_bound(const Arities& arities) {
  return arities == Arities{2, 4, 2} || arities == Arities{4, 3, 2} || arities == Arities{2, 5, 2};
}

std::vector<Arities> mixed_arities(bool full) {
  return with_more<Arities>(full, {{2, 3}, {3, 2}, {4, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}, {2, 4, 2}},
                            {{2, 3, 4}, {4, 3, 2}, {5, 4}, {2, 5, 2}, {3, 3, 2, 2}, {2, 2, 3, 3}, {4, 2, 5}});
}

using Formula = std::uint64_t (*)(const FatTree&);

std::uint64_t queue_free_multinode_broadcast(const FatTree& tree) {
  return tree.leaves() + 2 * tree.height() - 2;
}

// The way of Theorem 6.6 with arities that differ: what a child of the root must send.
std::uint64_t child_of_root_steps(const FatTree& tree) {
  const std::uint32_t h = tree.height();
  const std::uint64_t n = tree.leaves(), below = tree.leaves_below(h - 1);
  return below * (n - tree.leaves_below(h - 2)) + (n - below) * below + 2 * h - 3;
}

// Collectives of 6.2 and 6.3 whose times are known for arities that differ.
struct OtherCollective {
  CollectiveKind collective;
  PortModel ports;
  const char* algorithm;
  Formula steps;
};
constexpr OtherCollective kOtherCollectives[] = {
    {kBroadcast, kOnePortSend, "parent-first", one_port_broadcast_steps},
    {kScatter, kAllPort, "fat-tree-furthest-first", one_packet_per_leaf},
    {kMultinodeBroadcast, kOnePortSend, "parent-first", one_port_multinode_broadcast_steps},
    {kTotalExchange, kOnePortSend, "parent-first", one_port_exchange_steps},
    {kMultinodeBroadcast, kAllPort, "flooding", one_packet_per_leaf},
    {kMultinodeBroadcast, kAllPort, "pipelined-phases", queue_free_multinode_broadcast},
};

void mixed_runs(bool full, Cases& cases) {
  for (const Arities& arities : mixed_arities(full)) {
    const FatTree tree = tree_of(arities);
    const std::uint64_t below = tree.leaves_below(tree.height() - 1), k = arities.back();
    const std::uint64_t steps = below * below * (k - 1) + 2 * tree.height() - 1;
    for (const char* name : {"lock-step", "no-wait", "digit-order"})
      cases.push_back(run_of(tree, name, steps));
    cases.push_back(phases_run(tree, phases_of(tree)));
    for (const OtherCollective& other : kOtherCollectives) {
      cases.push_back(run_of(tree, other.algorithm, other.steps(tree)));
      cases.back().collective = other.collective;
      cases.back().ports = other.ports;
      if (other.collective == kTotalExchange && child_of_root_steps(tree) != other.steps(tree))
        cases.back().printed = {{kExactly, child_of_root_steps(tree), {}, "Theorem 6.8 for such arities"}};
    }
    const FatTree thick = exponential(arities);
    const std::uint64_t bound = mean_bound_of(thick);
    cases.push_back(run_of(thick, "full-capacity", bound + (one_above_the_bound(arities) ? 1 : 0)));
    cases.push_back(phases_run(thick, phases_of(thick)));
  }
  const FatTree unfilled = tree_of_word("fat-tree:3x2x2,1,1,4");
  cases.push_back(printed(phases_run(unfilled, phases_of(unfilled)),
                          {{kExactly, phases_as_printed(unfilled), {}, "(6.5) for such arities"}}));
}

// The phase of packets that turn at the root: in a step up to k c'_h leaves send, and in one as many.
std::string links_are_filled(const RunOutcome& o) {
  const FatTree tree = *fat_tree_shape(*o.graph);
  std::map<std::uint32_t, std::uint64_t> sending;  // leaves, by step
  for (const Transfer& t : o.trace->transfers) {
    const bool at_root = tree.turning_level(t.packet.source, t.packet.tag) == tree.height();
    if (at_root && t.from < tree.leaves()) ++sending[t.step];
  }
  std::uint64_t most = 0;
  for (const auto& [step, leaves] : sending) most = std::max(most, leaves);
  return compare(most, std::uint64_t{k_of(tree)} * tree.usable_capacity(tree.height()));
}

void slips_runs(bool, Cases& cases) {
  for (const FatTree& tree :
       trees_of_words(listed("fat-tree:2,3 fat-tree:3,2 fat-tree:2,3,1,2,3 fat-tree:2,3,exponential")))
    cases.emplace_back(phases_run(tree, phases_of(tree), links_are_filled)).relation_on_routers = {};
}

void slips_checks(bool, Checks& checks) {
  for (const auto& [k, h] : std::vector<Size>{{2, 2}, {2, 4}, {3, 3}, {4, 2}}) {
    checks.push_back(
        {fmt::format("k = {}, h = {}: without levels h - i + 1 to h, k^i trees of n/k^i leaves", k, h),
         [tree = uniform(k, h)] {
           return first_fault(range<std::uint32_t>(1, tree.height() - 1), [&](std::uint32_t i) {
             const std::uint64_t trees = power(k_of(tree), i);
             return unless(tree.nodes_of(tree.height() - i) == trees &&
                               tree.leaves_below(tree.height() - i) == tree.leaves() / trees,
                           "not so for i = {}", i);
           });
         }});
    const std::uint64_t n = power(k, h);
    checks.push_back({fmt::format("k = {}, h = {}: (6.4) with exponential capacities", k, h),
                      [k, h, n] {
                        return unless(simple_bound(exponential(k, h)) == n - n / k + 2 * h - 1, "{} steps",
                                      simple_bound(exponential(k, h)).str());
                      },
                      Printed<>{{kExactly, n - n / k + 2 * h - 2, "steps at least", "the text below (6.5)"},
                                [k, h] { return simple_bound(exponential(k, h)); }}});
  }
}

}  // namespace

std::vector<Claim> fat_tree_exchange_claims() {
  return {
      claim("fat.F26", "6.3.3, (6.4)", kHolds,
            "total exchange takes at least n^2 (k - 1)/(k^2 c_h) + 2h - 1 steps: exact if capacities are 1, "
            "weak if c_h cannot be filled or other levels matter as well. It takes at least the largest over "
            "i of ceil(N_(i-1) (n - N_(i-1)) / c'_i) + 2i - 1, and at least i - 1 plus the mean, over the "
            "packets that leave a branch of level i, of the steps that the branches and the way between them "
            "need, which is exact on the trees that are run",
            bounds_runs, bounds_checks),
      claim("fat.F27", "6.3.3, Fig. 6.11, (6.5)", kCorrected,
            "phase by phase, from the root down, a timetable of total exchange without any packet waiting "
            "takes the sum over i of ceil((k_i - 1) N_(i-1)^2 / c'_i), + 2h - 1 steps, for any capacities; "
            "(6.5) has c_i for c'_i. Routers that follow the timetable take at most that: a "
            "packet need not wait for its phase",
            phases_runs),
      claim("fat.F28", "6.3.3, 6.3.4", kHolds,
            "with capacities 1 total exchange takes n^2 (k-1)/k^2 + 2h - 1 steps at least, and no more: in "
            "lock-step, by first fit without waiting, and by routers with queues if all leaves send furthest "
            "first in the order of digits, in which case a queue grows to n^2 (k-1)^2/k^3 + 1 packets; the "
            "timetable of (6.5) is slightly above, routers that follow it take at most as long",
            constant_capacity_runs),
      claim("fat.F29", "6.3.3.1, (6.6)", kRefuted,
            "with w steps per leaf in which it receives nothing, w (T - 1) >= n (1 - k^-i)(2(h - i) + 1) for "
            "every i; (6.6) has 2n (1 - k^-i)(h - i + 1) <= w T, which trees of height 2 break for k = 6, 7, "
            "8, and the trees of one router that (6.6) is derived from: G_h, all routers of a thesis tree of "
            "4, 8 or 9 leaves made one",
            holes_of_leaves_runs),
      claim("fat.F30", "6.3.3.1, Theorem 6.10", kHolds,
            "with exponential capacities total exchange takes at least n + 2h - 2 log_k h - 2 steps; far "
            "from tight: it takes n - 1 plus the mean of 2j - 1 over the turning levels j of a leaf's "
            "packets, rounded up, which is n + 2h - 2 for k >= 3 and n + 2h - 3 for k = 2, h = 3 ... 6",
            exponential_bound_runs, exponential_bound_checks),
      claim("fat.F31", "7.1", kRefuted,
            "with exponential capacities n + 2h - 2 steps cannot be improved for k >= 3; for k = 2, h = 3 "
            "... 6, n + 2h - 3 do, without any packet waiting, and no fewer",
            conjecture_runs),
      claim(
          "fat.F32", "6.3.4", kCorrected,
          "the results carry over to arities that differ from level to level, but Theorem 6.8 and (6.5) "
          "only as corrected in F11 and F27: collectives with one port, scatters and multinode broadcasts "
          "take the steps of F02, F03, F05, F10, F17 and F24; total exchange takes n^2 (k_h - 1)/k_h^2 + "
          "2h - 1 steps with capacities 1, by the phases of F27 their sum (routers that follow them at most "
          "that), and with exponential capacities the bound of F26 (one more on some trees, as far as is "
          "known, the smallest 2 x 4 x 2)",
          mixed_runs),
      claim(
          "fat.F33", "6.3.3, 6.3.3.1", kMisprint,
          "with exponential capacities (6.4) predicts n - n/k + 2h - 1 steps (printed: 2h - 2); phase i "
          "sends over k c_(h-i) links (printed: k c with subscript h_i); the first external packets leave "
          "holes in T_1 (printed: T_0; by reading). G_i collapses the i levels next to the root, the last as "
          "6.1 numbers them",
          slips_runs, slips_checks)};
}

}  // namespace safnet
