// Fragopoulou and Akl, TR 94-363: Lemma 5 (section 2) and multinode broadcast (5.3), M1 to M6 and T9.
#include <fmt/format.h>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/multinode_runs.hpp"

namespace safnet {
namespace {

// Do any two translates, of link `a` or of link `b`, coincide?
bool translates_meet(const MultidimensionalTorus& torus, const DimensionedLink& a, const DimensionedLink& b) {
  std::vector<std::uint8_t> used(std::size_t{torus.node_count()} * torus.label_count(), 0);
  for (const DimensionedLink& link : {a, b}) {
    for (NodeId s = 0; s < torus.node_count(); ++s) {
      const DimensionedLink there = torus.translate(s, link);
      if (std::exchange(used[std::size_t{there.tail} * torus.label_count() + there.label], 1) != 0)
        return true;
    }
  }
  return false;
}

std::string check_lemma_5(const EqualSides& sides) {
  const MultidimensionalTorus torus = sides.torus();
  for (NodeId v = 0; v < torus.node_count(); ++v) {
    for (std::uint32_t label = 0; label < torus.label_count(); ++label) {
      for (NodeId u = 0; u <= v; ++u) {
        for (std::uint32_t other = 0; other < torus.label_count(); ++other) {
          if (u == v && other == label) continue;
          if (translates_meet(torus, {v, label}, {u, other}) != (label == other))
            return fmt::format("links of labels {} at {} and {} at {}", label, v, other, u);
        }
      }
    }
  }
  return {};
}

Checks lemma_5_checks(bool full) {
  return check_each(
      with_more<EqualSides>(full, {{1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}}, {{2, 5}, {3, 3}, {2, 6}}),
      [](const EqualSides& sides) { return sides.name() + ": all pairs of links"; }, check_lemma_5);
}

void printed_parents_runs(bool, Cases& cases) {
  for (const EqualSides& sides : {EqualSides{1, 4}, EqualSides{2, 4}}) {
    cases.push_back(run(sides, kMultinodeBroadcast, "torus-bsg-as-printed", 2 * sides.n, 0));
    cases.back().expected_problem = "never reached";
    cases.back().printed = {{kExactly, broadcast_sends(sides, 2 * sides.n), "messages that arrive"},
                            [](const RunOutcome& o) -> Rational { return o.deliveries; }};
  }
}

// Nodes that do not hang together with node 0 if subtree 0 has the printed parents.
std::uint64_t unreached(const EqualSides& sides) {
  const TorusDefinitions torus = sides.definitions();
  std::uint64_t nodes = 0;
  for (const NodeId g : torus.generators) {
    NodeId v = g;
    while (v != 0 && torus.generator[v] == v) v = torus.parent_of_generator(v, ParentRule::kAsPrinted);
    if (v != 0) nodes += torus.period[g];
  }
  return nodes;
}

Checks printed_parents_checks(bool) {
  return check_each(
      std::vector<EqualSides>{{1, 4}, {2, 4}, {2, 6}, {3, 4}},
      [](const EqualSides& sides) {
        return fmt::format("{}, M = {}: {} messages never arrive", sides.name(), 2 * sides.n,
                           unreached(sides) * 2 * sides.n * sides.nodes());
      },
      [](const EqualSides& sides) {
        const std::uint32_t m = 2 * sides.n;
        const TorusNetwork network = network_of(sides);
        const auto sends =
            bsg_broadcast(network.torus, first_subtree(network.torus, ParentRule::kAsPrinted), m);
        const std::uint64_t missing = relative_deliveries(network, sends, m).missing * sides.nodes();
        return unless(missing == unreached(sides) * m * sides.nodes(), "{} never arrive", missing);
      });
}

void broadcast_bounds_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : message_counts(sides)) {
      cases.push_back(run(sides, kMultinodeBroadcast, "torus-packed-necklaces", m, broadcast_bound(sides, m),
                          transfers_are(broadcast_sends(sides, m))));
    }
  }
}

void bsg_broadcasts_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : message_counts(sides)) {
      if (!splits_evenly(sides, m)) continue;
      const std::uint64_t steps = m * (sides.nodes() - 1) / (2 * sides.n);
      for (const CollectiveKind kind : {kMultinodeBroadcast, kMultinodeAccumulation}) {
        if (kind == kMultinodeAccumulation && sides.nodes() > 125) continue;
        cases.push_back(run(sides, kind, "torus-bsg", m, steps, all_links_busy(broadcast_sends(sides, m))));
      }
    }
  }
}

void acknowledgements_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    if (sides.nodes() > 125) continue;
    const std::uint64_t more = necklaces_but_one(sides);
    for (const std::uint32_t m : {1U, 2 * sides.n}) {
      const std::uint64_t sends = broadcast_sends(sides, m) + 2 * sides.n * more * sides.nodes();
      cases.push_back(against_bound(run(sides, kMultinodeBroadcast, "torus-bsg-acknowledged-as-published", m,
                                        necklace_steps(sides, m) + more, transfers_are(sends)),
                                    broadcast_bound(sides, m)));
    }
  }
}

std::string check_bsg_broadcast(const EqualSides& sides, std::uint32_t m) {
  const TorusNetwork network = network_of(sides);
  const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
  return check_broadcast(network, bsg_broadcast(network.torus, subtree, m), m, necklace_steps(sides, m));
}

void whose_period_runs(bool full, Cases& cases) {
  for (const EqualSides& sides :
       with_more<EqualSides>(full, {{1, 4}, {2, 4}, {3, 3}}, {{1, 6}, {1, 8}, {2, 6}, {3, 4}, {3, 5}})) {
    const std::uint32_t m = 2 * sides.n;
    const std::uint64_t sends = broadcast_sends(sides, m);
    cases.push_back(
        run(sides, kMultinodeBroadcast, "torus-bsg", m, broadcast_bound(sides, m), transfers_are(sends)));
    cases.push_back(run(sides, kMultinodeBroadcast, "torus-bsg-split-by-parent-as-printed", m, 0));
    cases.back().expected_problem = "delivered more than once";
    cases.back().printed = {{kExactly, sends, "packets that cross links"},
                            [](const RunOutcome& o) -> Rational { return o.transmissions; }};
  }
}

Checks whose_period_checks(bool) {
  return check_each(
      std::vector<EqualSides>{{1, 4}, {1, 6}, {2, 3}, {2, 4}, {2, 6}, {3, 3}, {3, 4}},
      [](const EqualSides& sides) {
        return sides.name() + ": some messages never arrive if, and only if, k is even and n > 1";
      },
      [](const EqualSides& sides) {
        const TorusNetwork network = network_of(sides);
        const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
        const std::uint32_t m = 2 * sides.n;
        const auto sends = bsg_broadcast_split_by_parent(network.torus, subtree, m);
        const std::uint64_t missing = relative_deliveries(network, sends, m).missing;
        return unless((missing > 0) == (sides.k % 2 == 0 && sides.n > 1), "{} never arrive", missing);
      });
}

void other_splits_runs(bool full, Cases& cases) {
  const auto add = [&](const EqualSides& sides, std::uint32_t m) {
    if (splits_evenly(sides, m)) return;
    cases.push_back(against_bound(run(sides, kMultinodeBroadcast, "torus-bsg", m, necklace_steps(sides, m)),
                                  broadcast_bound(sides, m)));
  };
  add({2, 4}, 5);
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : {1U, 3U}) add(sides, m);
  }
}

Checks other_splits_checks(bool full) { return on_counted_tori(full, "spanning graph", check_bsg_broadcast); }

void bst_and_packed_broadcasts_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : {1U, 3U}) {
      cases.push_back(run(sides, kMultinodeBroadcast, "torus-bst", m, m * necklaces_but_one(sides),
                          transfers_are(broadcast_sends(sides, m))));
      if (sides.nodes() > 125) continue;
      cases.push_back(
          run(sides, kMultinodeAccumulation, "torus-packed-necklaces", m, broadcast_bound(sides, m)));
    }
  }
}

Checks bst_and_packed_broadcasts_checks(bool full) {
  Checks checks = on_counted_tori(full, "packed necklaces", [](const EqualSides& sides, std::uint32_t m) {
    const TorusNetwork network = network_of(sides);
    return check_broadcast(network, packed_broadcast(network.torus, m), m, broadcast_bound(sides, m));
  });
  for (const EqualSides& sides : {EqualSides{4, 8}, EqualSides{5, 5}, EqualSides{7, 3}}) {
    checks.push_back(
        {fmt::format("{}: the spanning tree is within one percent of the bound", sides.name()),
         [sides] { return check_close(necklaces_but_one(sides), broadcast_bound(sides, 1), 100); }});
  }
  return checks;
}

}  // namespace

std::vector<Claim> torus_multinode_broadcast_claims() {
  return {
      claim("torus.L5", "TR 94-363, 2, Lemma 5", kHolds,
            "if all nodes do the same, translated, no two packets meet if, and only if, what one node's "
            "packets use in a step are links of different dimensions",
            lemma_5_checks),
      claim("torus.T9", "TR 94-363, 4, Definition 9", kCorrected,
            "with '<= floor(k/2)', as printed, subtree 0 of the spanning graph falls apart for every "
            "even k, and multinode broadcast leaves messages undelivered; with '< k/2' it does not",
            printed_parents_runs, printed_parents_checks),
      claim("torus.M1", "TR 94-363, 5.1, Table 5", kHolds,
            "multinode broadcast takes ceil(M (k^n - 1) / 2n) steps or more and M (k^n - 1) k^n sends (k "
            ">= 3); both are met",
            broadcast_bounds_runs, std::bind_front(checks_of_bounds, kMultinodeBroadcast, broadcast_bound)),
      claim("torus.M2", "TR 94-363, 5.3", kHolds,
            "depth first over the spanning graph, without acknowledgements: M (k^n - 1) / 2n steps if "
            "every 2n/P divides M, all links busy in every step; backwards, as accumulation, the same",
            bsg_broadcasts_runs),
      claim("torus.M3", "TR 94-363, 5.3", kRefuted,
            "with acknowledgements that take a step each, as the text has it, the traversal takes "
            "#necklaces - 1 steps more than without, and 2n (#necklaces - 1) k^n sends more",
            acknowledgements_runs),
      claim("torus.M4", "TR 94-363, 5.3, step 2", kCorrected,
            "messages are split by the period of the child that gets them; by that of the node that "
            "forwards them, as printed, nodes get messages again, or (k even, n > 1) never",
            whose_period_runs, whose_period_checks),
      claim(
          "torus.M5", "TR 94-363, 5.3 to 5.5, Tables 1 and 5", kCorrected,
          "subgroups of M P/2n messages must be whole, for every period P: only then does the traversal "
          "take ceil(M (k^n - 1) / 2n) steps, whatever M the ceilings promise; for other M the sum over the "
          "necklaces of ceil(MP/2n), more on many tori. Scatter (S2) and multinode scattering (X3) are "
          "split alike",
          other_splits_runs, other_splits_checks),
      claim("torus.M6", "TR 94-363, 5.3, last paragraph", kHolds,
            "over the spanning tree M (#necklaces - 1) steps, for M = 1 asymptotically optimal; beyond "
            "the text: with the nodes of nonfull necklaces packed, ceil(M (k^n - 1) / 2n) for every M, "
            "also backwards",
            bst_and_packed_broadcasts_runs, bst_and_packed_broadcasts_checks)};
}

}  // namespace safnet
