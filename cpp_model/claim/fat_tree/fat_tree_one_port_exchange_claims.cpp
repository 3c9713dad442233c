// Thesis 6.2.4 and 6.2.5: total exchange on fat trees whose nodes send one packet at a time (F10 to F12), and
// which arity is best for each collective (F13, F14).
//
// In every case no node sends more than one packet in a step, and may receive any number. N_i = k_1 ... k_i
// leaves are below a node of level i, n = N_h; k is the arity of a tree whose arities are equal.
#include <fmt/format.h>

#include <bit>

#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// Theorem 6.6 and Table 6.1: a child of the root has n^2 (2k + 1)(k - 1)/k^3 packets to send.
std::uint64_t printed_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = k_of(tree);
  return n * n / (k * k) * (2 * k + 1) * (k - 1) / k + 2 * tree.height() - 3;
}

bool is_wrong_as_printed(const FatTree& tree) {
  return tree.height() >= 2 && tree.is_uniform() &&
         printed_exchange_steps(tree) != one_port_exchange_steps(tree);
}

constexpr std::uint32_t kMostExchangeLeaves = 81;

Checks exchange_bound_checks(bool full) {
  return check_each(
      all_trees(full),
      [](const FatTree& tree) { return tree.spelling() + ": what some router must send takes as long"; },
      [](const FatTree& tree) {
        return compare(bound_of_routers(make_topology(tree.spelling()), true), one_port_exchange_steps(tree));
      });
}

ClaimCase exchange_run(const FatTree& tree, const std::string& algorithm = "parent-first",
                       Inspection inspect = {}) {
  return one_send(tree, kTotalExchange, algorithm, one_port_exchange_steps(tree), 0, std::move(inspect));
}

// No run is below the theorem; those with two children take what it says, others more.
void exchange_bound_runs(bool full, Cases& cases) {
  for (const FatTree& tree : uniform_trees(full, kMostExchangeLeaves)) {
    const std::uint64_t least = printed_exchange_steps(tree);
    const bool is_tight = k_of(tree) == 2;
    cases.push_back(exchange_run(tree, "parent-first", [least, is_tight](const RunOutcome& o) {
      return unless(o.steps >= least && (o.steps == least) == is_tight,
                    "{} steps, the theorem has at least {}", o.steps, least);
    }));
  }
}

void exchange_steps_taken_runs(bool full, Cases& cases) {
  for (const FatTree& tree : all_trees(full, kMostExchangeLeaves)) {
    cases.push_back(exchange_run(tree));
    if (is_wrong_as_printed(tree)) cases.back().printed = {{kExactly, printed_exchange_steps(tree)}};
    if (!full && !tree.is_uniform()) continue;
    cases.push_back(exchange_run(tree, "first-come-first-served"));
    // A label per packet, a rank per turn: nodes with many of them are built for full runs alone.
    if (full || tree.leaves() <= 9) cases.push_back(exchange_run(tree, "parent-first-in-turns"));
  }
  for (const FatTree& tree : uniform_trees(full, 27)) {
    cases.push_back(exchange_run(tree, "parent-first-ascending"));
    ClaimCase slower = at_least(exchange_run(tree, "parent-first-nearest"));
    ++slower.expected_steps;
    cases.push_back(slower);
    slower.algorithm = "children-first";
    if (k_of(tree) == 2) cases.push_back(slower);
  }
}

void exchange_queues_runs(bool full, Cases& cases) {
  const auto inspect = [](const RunOutcome& outcome) {
    const auto packets = [](const FatTree& t, std::uint32_t i, std::uint32_t inner) {
      return std::uint64_t{t.leaves_below(i)} * (t.leaves() - t.leaves_below(inner));
    };
    return inspect_phases(
        outcome, [&](const FatTree& t, std::uint32_t i) { return i + packets(t, i, i); },
        [&](const FatTree& t, std::uint32_t i) { return i + packets(t, i, i - 1); });
  };
  for (const FatTree& tree : uniform_trees(full, kMostExchangeLeaves)) {
    if (tree.height() >= 3) cases.push_back(exchange_run(tree, "parent-first", inspect));
  }
}

// All trees of n = 64 leaves; that of 8 children has nodes of 9 ports.
std::vector<FatTree> trees_of_64_leaves(bool full) {
  return with_more<FatTree>(full, {FatTree::uniform(2, 6), FatTree::uniform(4, 3)}, {FatTree::uniform(8, 2)});
}

// How a time grows with k among the trees of 4096 leaves: the formula alone.
ClaimCheck growth_check(const char* collective, std::uint64_t (*steps)(const FatTree&),
                        std::uint32_t smallest_at) {
  const std::vector<std::uint32_t> arities{2, 4, 8, 16};
  return {fmt::format("{}, 4096 leaves, k = {}: the formulas", collective, fmt::join(arities, ", ")),
          [arities, steps, smallest_at]() -> std::string {
            std::uint64_t last = 0;
            for (const std::uint32_t k : arities) {
              std::uint32_t h = 1;
              while (power(k, h) < 4096) ++h;
              const std::uint64_t now = steps(FatTree::uniform(k, h));
              if (last != 0 && (k <= smallest_at ? now >= last : now <= last))
                return fmt::format("{} steps with {} children, {} with fewer", now, k, last);
              last = now;
            }
            return {};
          }};
}

void best_arity_runs(bool full, Cases& cases) {
  for (const FatTree& tree : trees_of_64_leaves(full)) {
    const std::uint64_t n = tree.leaves(), k = k_of(tree), h = tree.height();
    cases.push_back(one_send(tree, kBroadcast, "parent-first", (k + 1) * h - 1));
    cases.push_back(one_send(tree, kMultinodeBroadcast, "parent-first", k * n + (k + 1) * (h - 2) + 1));
  }
}

Checks best_arity_checks(bool) {
  return {growth_check("broadcast", one_port_broadcast_steps, 4),
          growth_check("multinode broadcast", one_port_multinode_broadcast_steps, 2)};
}

void arity_of_an_exchange_runs(bool full, Cases& cases) {
  const std::vector<FatTree> small{FatTree::uniform(2, 4), FatTree::uniform(4, 2)};
  for (const FatTree& tree : with_more(full, small, trees_of_64_leaves(true))) {
    cases.push_back(exchange_run(tree));
    if (k_of(tree) == 2) continue;
    const std::uint64_t n = tree.leaves(), height_of_binary = std::bit_width(n) - 1U;
    cases.back().printed = {
        {kLessThan, n * n / 8 * 5 + 2 * height_of_binary - 3, {}, "larger k are better than 2"}};
  }
}

}  // namespace

std::vector<Claim> fat_tree_one_port_exchange_claims() {
  return {
      claim("fat.F10", "6.2.4, Theorem 6.6", kHolds,
            "total exchange needs at least n^2 (2k + 1)(k - 1)/k^3 + 2h - 3 steps: exact if k = 2, weak if "
            "k >= 3. The root sends n^2 (k - 1)/k packets, so then n^2 (k - 1)/k + 2h - 1 is exact. If "
            "arities differ: the largest of N_i (2n - N_(i-1) - N_i) + 2i - 1 over all i",
            exchange_bound_runs, exchange_bound_checks),
      claim("fat.F11", "6.2.4, Fig. 6.8, Theorem 6.8, Table 6.1", kRefuted,
            "Fig. 6.8 takes n^2 5/8 + 2h - 3 steps if k = 2, as printed, but n^2 (k - 1)/k + 2h - 1 if k >= "
            "3, and no algorithm takes fewer. Children may take turns (those that nothing waits for miss "
            "theirs), or be served in the order of arrival; routers without phases do as well. With phases "
            "leaves may as well send to leaf 0 first, then 1, ... Leaves that send nearest-first are slower, "
            "and so are, with k = 2, routers that send to their children first",
            exchange_steps_taken_runs),
      claim("fat.F12", "6.2.4, Lemma 6.7", kHolds,
            "a router of level i ends phase A in step i + k^i (n - k^i); if i <= h - 2 it has nothing left "
            "after step i + k^i (n - k^(i-1)), before its parent ends phase A, and gets nothing from it "
            "until then",
            exchange_queues_runs),
      claim("fat.F13", "6.2.5", kHolds,
            "of the trees of n leaves broadcast is fastest on that of k = 4, multinode broadcast on that of "
            "k = 2: 17, 14, 17 and 141, 262, 513 steps on 64 leaves, k = 2, 4, 8",
            best_arity_runs, best_arity_checks),
      claim("fat.F14", "6.2.5", kRefuted,
            "total exchange takes some n^2 steps whatever k, more the larger k is, and is fastest on binary "
            "trees: 2569, 3077, 3587 steps on 64 leaves, k = 2, 4, 8. Printed: larger k are better, n "
            "sqrt(n) with k = sqrt(n)",
            arity_of_an_exchange_runs, growth_check("total exchange", one_port_exchange_steps, 2))};
}

}  // namespace safnet
