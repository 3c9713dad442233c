// Fragopoulou and Akl, TR 94-363, multinode broadcast and scattering (5.3, 5.5) and Lemma 5 (section 2): what
// is run for each statement and what must come out.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "cpp_model/algorithm/torus/torus_exchange.hpp"
#include "cpp_model/algorithm/torus/torus_multinode_broadcast.hpp"
#include "cpp_model/bound/exact.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr CollectiveKind kBroadcastKind = CollectiveKind::kMultinodeBroadcast;
constexpr CollectiveKind kAccumulationKind = CollectiveKind::kMultinodeAccumulation;
constexpr CollectiveKind kExchangeKind = CollectiveKind::kTotalExchange;

// MT_{n,k}.
struct Sides {
  std::uint32_t n, k;
  std::uint64_t nodes() const {
    std::uint64_t nodes = 1;
    for (std::uint32_t i = 0; i < n; ++i) nodes *= k;
    return nodes;
  }
  std::string topology() const {
    if (k == 2) return fmt::format("doubled-cube:{}", n);
    return fmt::format("torus:{}", fmt::join(std::vector<std::uint32_t>(n, k), "x"));
  }
  std::string name() const { return fmt::format("MT_{{{},{}}}", n, k); }
  MultidimensionalTorus torus() const { return {n, k}; }
  TorusNetwork network() const { return {torus(), false}; }
};

std::vector<Sides> run_tori(bool full) {
  std::vector<Sides> list{{1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {3, 3}};
  if (full)
    list.insert(list.end(), {{1, 6}, {1, 8}, {2, 5}, {2, 6}, {3, 4}, {2, 8}, {4, 3}, {3, 5}, {3, 6}, {4, 4}});
  return list;
}
constexpr const char* kRunToriInWords =
    "6 tori to 27 nodes; full: 16, to 256 nodes; M of 1, 3, 2n and the least that all splits divide";
// Too large for the hardware in short time: the packets of node 0 and Lemma 5.
std::vector<Sides> counted_tori(bool full) {
  std::vector<Sides> list{{2, 16}, {5, 3}, {3, 8}};
  if (full)
    list.insert(list.end(),
                {{3, 7}, {4, 5}, {6, 3}, {2, 32}, {5, 4}, {4, 6}, {4, 7}, {7, 3}, {5, 5}, {4, 8}, {6, 4}});
  return list;
}

// Parts that the messages for a nonfull node are split into, for every period there is.
std::set<std::uint32_t> splits(const MultidimensionalTorus& torus) {
  std::set<std::uint32_t> parts;
  for (const NodeId v : torus.generators()) {
    if (v != 0) parts.insert(torus.label_count() / torus.period(v));
  }
  return parts;
}
bool splits_evenly(const MultidimensionalTorus& torus, std::uint32_t messages) {
  const auto parts = splits(torus);
  return std::all_of(parts.begin(), parts.end(), [&](std::uint32_t part) { return messages % part == 0; });
}
std::set<std::uint32_t> message_counts(const Sides& sides) {
  std::uint32_t least = 1;
  for (const std::uint32_t part : splits(sides.torus())) least = std::lcm(least, part);
  return {1, 3, 2 * sides.n, least};
}

// Section 5.1.
std::uint64_t broadcast_bound(const Sides& s, std::uint64_t m) {
  return divide_up(m * (s.nodes() - 1), 2 * s.n);
}
std::uint64_t exchange_bound(const Sides& s, std::uint64_t m) {
  const std::uint64_t k = s.k;
  return divide_up(k % 2 == 0 ? m * s.nodes() * k : m * (k * k - 1) * (s.nodes() / k), 8);
}
std::uint64_t broadcast_sends(const Sides& s, std::uint64_t m) { return m * s.nodes() * (s.nodes() - 1); }
std::uint64_t exchange_sends(const Sides& s, std::uint64_t m) {
  const std::uint64_t k = s.k, n = s.n, nodes = s.nodes();
  return k % 2 == 0 ? n * m * k * nodes * nodes / 4 : n * m * (k * k - 1) * (nodes / k) * nodes / 4;
}
// Sum over the necklaces but that of node 0 of `steps`.
std::uint64_t over_necklaces(const MultidimensionalTorus& torus,
                             const std::function<std::uint64_t(NodeId generator)>& steps) {
  std::uint64_t sum = 0;
  for (const NodeId v : torus.generators()) sum += v == 0 ? 0 : steps(v);
  return sum;
}
std::uint64_t split_steps(const MultidimensionalTorus& torus, NodeId v, std::uint64_t m) {
  return divide_up(m * torus.period(v), torus.label_count());
}
std::uint64_t bsg_broadcast_steps(const MultidimensionalTorus& torus, std::uint64_t m) {
  return over_necklaces(torus, [&](NodeId v) { return split_steps(torus, v, m); });
}
std::uint64_t bsg_exchange_steps(const MultidimensionalTorus& torus, std::uint64_t m) {
  return over_necklaces(torus, [&](NodeId v) { return torus.distance(v) * split_steps(torus, v, m); });
}
std::uint64_t necklaces_but_one(const MultidimensionalTorus& torus) {
  return over_necklaces(torus, [](NodeId) { return 1; });
}

ClaimCase run(const Sides& sides, CollectiveKind collective, const std::string& algorithm,
              std::uint32_t messages, std::uint64_t steps) {
  ClaimCase entry{.topology = sides.topology(),
                  .collective = collective,
                  .ports = PortModel::kAllPort,
                  .algorithm = algorithm,
                  .tree = {},
                  .expected_steps = steps};
  entry.messages = messages;
  return entry;
}

using Inspection = std::function<std::string(const RunOutcome&)>;
Inspection sends_are(std::uint64_t expected) {
  return [expected](const RunOutcome& o) -> std::string {
    const std::size_t sends = o.trace->transfers.size();
    return sends == expected ? "" : fmt::format("{} packets crossed links, expected {}", sends, expected);
  };
}
// Every link carries a packet in every step.
Inspection all_links_busy(std::uint64_t expected) {
  return [expected](const RunOutcome& o) -> std::string {
    if (std::string wrong = sends_are(expected)(o); !wrong.empty()) return wrong;
    std::vector<std::uint64_t> busy(o.steps + 1);
    for (const Transfer& transfer : o.trace->transfers) ++busy.at(transfer.step);
    for (std::uint64_t step = 1; step <= o.steps; ++step) {
      if (busy[step] != o.graph->link_count())
        return fmt::format("step {}: {} of {} links busy", step, busy[step], o.graph->link_count());
    }
    return {};
  };
}

// What the packets of node 0 do: everything arrives once, no two packets of any nodes meet (Lemma 5), in that
// many steps.
std::string check_relative(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                           std::uint64_t steps) {
  if (const auto step = first_shared_port(network, sends)) return fmt::format("step {}: packets meet", *step);
  return last_step(sends) == steps ? "" : fmt::format("{} steps, expected {}", last_step(sends), steps);
}
std::string check_broadcast(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                            std::uint32_t messages, std::uint64_t steps) {
  const RelativeDeliveries d = relative_deliveries(network, sends, messages);
  if (d.again + d.missing + d.not_there != 0)
    return fmt::format("{} twice, {} missing, {} sent too early", d.again, d.missing, d.not_there);
  return check_relative(network, sends, steps);
}
std::string check_exchange(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                           std::uint32_t messages, std::uint64_t steps) {
  if (std::string wrong = fault_of_exchange(network, sends, messages); !wrong.empty()) return wrong;
  return check_relative(network, sends, steps);
}

using MakeCheck = std::function<std::string(const Sides&, std::uint32_t messages)>;
// A check for every larger torus, with one message and three.
std::vector<ClaimCheck> on_counted_tori(bool full, const std::string& what, const MakeCheck& check) {
  std::vector<ClaimCheck> checks;
  for (const Sides& sides : counted_tori(full)) {
    for (const std::uint32_t m : {1U, 3U}) {
      checks.push_back({fmt::format("{}, M = {}: {}, node 0 and Lemma 5", sides.name(), m, what),
                        [sides, m, check] { return check(sides, m); }});
    }
  }
  return checks;
}

// Do the translates of two links by all nodes meet?
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
std::string check_lemma_5(const Sides& sides) {
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

Claim lemma_5() {
  Claim claim{
      "torus.L5", "TR 94-363, 2, Lemma 5",
      "if all nodes do the same, translated, no two packets meet if, and only if, what one node's packets "
      "use in a step are links of different dimensions",
      Finding::kHolds, "all pairs of links of 5 tori to 16 nodes; full: 8, to 36; without hardware"};
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    std::vector<Sides> tori{{1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}};
    if (full) tori.insert(tori.end(), {{2, 5}, {3, 3}, {2, 6}});
    for (const Sides& sides : tori)
      checks.push_back(
          {fmt::format("{}: all pairs of links", sides.name()), [sides] { return check_lemma_5(sides); }});
    return checks;
  };
  return claim;
}

std::string check_bound(const Sides& sides, CollectiveKind collective, std::uint32_t messages,
                        std::uint64_t expected) {
  Problem problem{make_topology(sides.topology()), collective, PortModel::kAllPort};
  problem.messages = messages;
  const std::uint64_t bound = lower_bound(problem).steps;
  return bound == expected ? "" : fmt::format("bound of {} steps, expected {}", bound, expected);
}

// For every torus that is run, M = 1 ... 2n.
std::vector<ClaimCheck> checks_of_bounds(bool full, CollectiveKind collective,
                                         std::uint64_t (*expected)(const Sides&, std::uint64_t)) {
  std::vector<ClaimCheck> checks;
  for (const Sides& sides : run_tori(full)) {
    checks.push_back({fmt::format("{}: the bounds known here say the same, M to 2n", sides.name()),
                      [sides, collective, expected] {
                        std::string wrong;
                        for (std::uint32_t m = 1; m <= 2 * sides.n && wrong.empty(); ++m)
                          wrong = check_bound(sides, collective, m, expected(sides, m));
                        return wrong;
                      }});
  }
  return checks;
}

Claim broadcast_bounds() {
  Claim claim{"torus.M1", "TR 94-363, 5.1, Table 5",
              "multinode broadcast takes ceil(M (k^n - 1) / 2n) steps or more and M (k^n - 1) k^n sends (k "
              ">= 3); both "
              "are met",
              Finding::kHolds, kRunToriInWords};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : message_counts(sides)) {
        cases.push_back(run(sides, kBroadcastKind, "torus-packed-necklaces", m, broadcast_bound(sides, m)));
        cases.back().inspect = sends_are(broadcast_sends(sides, m));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) { return checks_of_bounds(full, kBroadcastKind, broadcast_bound); };
  return claim;
}

Claim bsg_broadcasts() {
  Claim claim{
      "torus.M2", "TR 94-363, 5.3",
      "depth first over the spanning graph, without acknowledgements: M (k^n - 1) / 2n steps if every 2n/P "
      "divides M, all links busy in every step; backwards, as accumulation, the same",
      Finding::kHolds,
      "6 tori to 27 nodes; full: 16, to 256 nodes, accumulation to 125; those M of 1, 3, 2n and the least "
      "that "
      "all splits divide"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : message_counts(sides)) {
        if (!splits_evenly(sides.torus(), m)) continue;
        const std::uint64_t steps = m * (sides.nodes() - 1) / (2 * sides.n);
        for (const CollectiveKind kind : {kBroadcastKind, kAccumulationKind}) {
          if (kind == kAccumulationKind && sides.nodes() > 125) continue;
          cases.push_back(run(sides, kind, "torus-bsg", m, steps));
          cases.back().inspect = all_links_busy(broadcast_sends(sides, m));
        }
      }
    }
    return cases;
  };
  return claim;
}

Claim acknowledgements() {
  Claim claim{
      "torus.M3", "TR 94-363, 5.3",
      "with acknowledgements that take a step each, as the text has it, the traversal takes #necklaces - 1 "
      "steps more than without, and 2n (#necklaces - 1) k^n sends more",
      Finding::kRefuted, "6 tori to 27 nodes; full: 13, to 125 nodes; M of 1 and 2n"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      if (sides.nodes() > 125) continue;
      const MultidimensionalTorus torus = sides.torus();
      const std::uint64_t more = necklaces_but_one(torus);
      for (const std::uint32_t m : {1U, 2 * sides.n}) {
        ClaimCase entry = run(sides, kBroadcastKind, "torus-bsg-acknowledged-as-published", m,
                              bsg_broadcast_steps(torus, m) + more);
        entry.inspect = sends_are(broadcast_sends(sides, m) + 2 * sides.n * more * sides.nodes());
        entry.printed = fmt::format("{} steps", broadcast_bound(sides, m));
        cases.push_back(std::move(entry));
      }
    }
    return cases;
  };
  return claim;
}

// What the letter of step 2 does, over the packets of all nodes.
std::string check_split_by_parent(const Sides& sides, std::uint64_t again, std::uint64_t missing) {
  const TorusNetwork network = sides.network();
  const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
  const auto sends = bsg_broadcast_split_by_parent(network.torus, subtree, 2 * sides.n);
  const RelativeDeliveries d = relative_deliveries(network, sends, 2 * sides.n);
  const std::uint64_t nodes = sides.nodes();
  if (d.again * nodes == again && d.missing * nodes == missing) return {};
  return fmt::format("{} messages arrive again, {} never", d.again * nodes, d.missing * nodes);
}

Claim whose_period() {
  Claim claim{
      "torus.M4", "TR 94-363, 5.3, step 2",
      "messages are split by the period of the child that gets them; by that of the node that forwards them, "
      "as printed, nodes get messages again, or (k even) never",
      Finding::kCorrected, "8 tori to 64 nodes, M = 2n; without hardware"};
  claim.checks = [](bool) {
    struct Count {
      Sides sides;
      std::uint64_t again, missing;
    };
    std::vector<ClaimCheck> checks;
    for (const Count& c : {Count{{1, 4}, 8, 0}, Count{{1, 6}, 12, 0}, Count{{1, 8}, 16, 0},
                           Count{{2, 4}, 192, 128}, Count{{3, 3}, 648, 0}, Count{{2, 6}, 432, 576},
                           Count{{3, 4}, 3072, 5376}, Count{{3, 5}, 6000, 0}}) {
      checks.push_back({fmt::format("{}, M = {}: {} messages arrive again, {} never", c.sides.name(),
                                    2 * c.sides.n, c.again, c.missing),
                        [c] { return check_split_by_parent(c.sides, c.again, c.missing); },
                        "every node gets every message once"});
    }
    for (const Sides& sides : run_tori(true)) {
      checks.push_back(
          {fmt::format("{}, M = {}: by the child's period every message once", sides.name(), 2 * sides.n),
           [sides] {
             const TorusNetwork network = sides.network();
             const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
             const std::uint32_t m = 2 * sides.n;
             return check_broadcast(network, bsg_broadcast(network.torus, subtree, m), m,
                                    bsg_broadcast_steps(network.torus, m));
           }});
    }
    return checks;
  };
  return claim;
}

Claim other_splits() {
  Claim claim{
      "torus.M5", "TR 94-363, 5.3",
      "for other M the traversal takes the sum over the necklaces of ceil(MP/2n) steps, which is more than "
      "ceil(M (k^n - 1) / 2n) on many tori",
      Finding::kRefuted,
      "6 tori to 27 nodes; full: 16, to 256 nodes; M of 1 and 3; node 0 and Lemma 5 to 512; full: to 4096"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : {1U, 3U}) {
        const MultidimensionalTorus torus = sides.torus();
        if (splits_evenly(torus, m)) continue;
        ClaimCase entry = run(sides, kBroadcastKind, "torus-bsg", m, bsg_broadcast_steps(torus, m));
        if (entry.expected_steps > broadcast_bound(sides, m))
          entry.printed = fmt::format("{} steps", broadcast_bound(sides, m));
        cases.push_back(std::move(entry));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) {
    return on_counted_tori(full, "spanning graph", [](const Sides& sides, std::uint32_t m) {
      const TorusNetwork network = sides.network();
      const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
      return check_broadcast(network, bsg_broadcast(network.torus, subtree, m), m,
                             bsg_broadcast_steps(network.torus, m));
    });
  };
  return claim;
}

// Within one part in `parts` of the bound.
std::string check_close(std::uint64_t steps, std::uint64_t bound, std::uint64_t parts) {
  return steps >= bound && (steps - bound) * parts <= bound
             ? ""
             : fmt::format("{} steps, the bound is {}", steps, bound);
}

Claim bst_and_packed_broadcasts() {
  Claim claim{
      "torus.M6", "TR 94-363, 5.3, last paragraph",
      "over the spanning tree M (#necklaces - 1) steps, for M = 1 asymptotically optimal; beyond the text: "
      "with the nodes of nonfull necklaces packed, ceil(M (k^n - 1) / 2n) for every M, also backwards",
      Finding::kHolds,
      "6 tori to 27 nodes; full: 16, to 256 nodes, accumulation to 125; M of 1 and 3; node 0 and Lemma 5 to "
      "512; full: to 4096"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : {1U, 3U}) {
        cases.push_back(run(sides, kBroadcastKind, "torus-bst", m, m * necklaces_but_one(sides.torus())));
        cases.back().inspect = sends_are(broadcast_sends(sides, m));
        if (sides.nodes() > 125) continue;
        cases.push_back(
            run(sides, kAccumulationKind, "torus-packed-necklaces", m, broadcast_bound(sides, m)));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks =
        on_counted_tori(full, "packed necklaces", [](const Sides& sides, std::uint32_t m) {
          const TorusNetwork network = sides.network();
          return check_broadcast(network, packed_broadcast(network.torus, m), m, broadcast_bound(sides, m));
        });
    for (const Sides& sides : {Sides{4, 8}, Sides{5, 5}, Sides{7, 3}}) {
      checks.push_back(
          {fmt::format("{}: the spanning tree is within one percent of the bound", sides.name()), [sides] {
             return check_close(necklaces_but_one(sides.torus()), broadcast_bound(sides, 1), 100);
           }});
    }
    return checks;
  };
  return claim;
}

Claim exchange_bounds() {
  Claim claim{
      "torus.X1", "TR 94-363, 5.1 and 5.5, Table 5",
      "multinode scattering takes M k^(n+1) / 8 steps or more (k even), M (k^2 - 1) k^(n-1) / 8 (k odd), and "
      "2n k^n times as many sends; both are met (k >= 3)",
      Finding::kHolds,
      "6 tori to 27 nodes; full: 16, to 256 nodes; M of 1, 3, 2n and the least that all splits divide, "
      "beyond "
      "125 nodes 1"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : message_counts(sides)) {
        if (sides.nodes() > 125 && m > 1) continue;
        cases.push_back(run(sides, kExchangeKind, "torus-koenig-exchange", m, exchange_bound(sides, m)));
        cases.back().inspect = sends_are(exchange_sends(sides, m));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) { return checks_of_bounds(full, kExchangeKind, exchange_bound); };
  return claim;
}

Claim bsg_exchanges() {
  Claim claim{
      "torus.X2", "TR 94-363, 5.5",
      "multinode scattering over the spanning graph, a block of messages after the other, meets the bound if "
      "every 2n/P divides M; all links are busy in every step",
      Finding::kHolds, "6 tori to 27 nodes; full: 14, to 125 nodes, and 256 with one M; the least M and 2n"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      std::uint32_t runs = 0;
      for (const std::uint32_t m : message_counts(sides)) {
        if (!splits_evenly(sides.torus(), m) || (sides.nodes() > 125 && (sides.k != 4 || ++runs > 1)))
          continue;
        cases.push_back(run(sides, kExchangeKind, "torus-bsg-exchange", m, exchange_bound(sides, m)));
        cases.back().inspect = all_links_busy(exchange_sends(sides, m));
      }
    }
    return cases;
  };
  return claim;
}

Claim other_exchange_splits() {
  Claim claim{
      "torus.X3", "TR 94-363, 5.5",
      "for other M it takes the sum over the necklaces of d ceil(MP/2n) steps, d being their "
      "distance, which is "
      "more than the bound on many tori",
      Finding::kRefuted,
      "6 tori to 27 nodes; full: 16, to 256 nodes; M of 1 and 3; node 0 and Lemma 5 to 512; full: to 4096"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      for (const std::uint32_t m : {1U, 3U}) {
        const MultidimensionalTorus torus = sides.torus();
        if (splits_evenly(torus, m) || (sides.nodes() > 125 && m > 1)) continue;
        ClaimCase entry = run(sides, kExchangeKind, "torus-bsg-exchange", m, bsg_exchange_steps(torus, m));
        if (entry.expected_steps > exchange_bound(sides, m))
          entry.printed = fmt::format("{} steps", exchange_bound(sides, m));
        cases.push_back(std::move(entry));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) {
    return on_counted_tori(full, "spanning graph", [](const Sides& sides, std::uint32_t m) {
      const TorusNetwork network = sides.network();
      return check_exchange(network, bsg_exchange(network.torus, m), m, bsg_exchange_steps(network.torus, m));
    });
  };
  return claim;
}

Claim bst_exchanges() {
  const auto steps = [](const MultidimensionalTorus& torus) {
    return over_necklaces(torus, [&](NodeId v) { return torus.distance(v); });
  };
  Claim claim{
      "torus.X4", "TR 94-363, 5.5, last paragraph",
      "multinode scattering of one message over the spanning tree takes the sum of the necklaces' distances, "
      "asymptotically the bound",
      Finding::kHolds, "6 tori to 27 nodes; full: 16, to 256 nodes"};
  claim.cases = [steps](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      cases.push_back(run(sides, kExchangeKind, "torus-bst-exchange", 1, steps(sides.torus())));
      cases.back().inspect = sends_are(exchange_sends(sides, 1));
    }
    return cases;
  };
  claim.checks = [steps](bool) {
    std::vector<ClaimCheck> checks;
    for (const Sides& sides : {Sides{4, 8}, Sides{5, 5}}) {
      checks.push_back({fmt::format("{}: within one percent of the bound", sides.name()), [sides, steps] {
                          return check_close(steps(sides.torus()), exchange_bound(sides, 1), 100);
                        }});
    }
    return checks;
  };
  return claim;
}

Claim koenig_exchanges() {
  Claim claim{
      "torus.X5", "TR 94-363, 5.5, beyond the text",
      "colouring messages x links meets the bound of multinode scattering for every M (n >= 2, k odd or M "
      "even)",
      Finding::kHolds,
      "6 tori to 27 nodes; full: 14, to 125 nodes; M of 2 and 5; node 0 and Lemma 5 to 512; full: to 4096"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : run_tori(full)) {
      if (sides.nodes() > 125) continue;
      for (const std::uint32_t m : {2U, 5U}) {
        if (sides.n == 1 && sides.k % 2 == 0 && m % 2 == 1) continue;
        cases.push_back(run(sides, kExchangeKind, "torus-koenig-exchange", m, exchange_bound(sides, m)));
        if (exchange_bound(sides, 1) * 2 * sides.n * sides.nodes() == exchange_sends(sides, 1))
          cases.back().inspect = all_links_busy(exchange_sends(sides, m));
      }
    }
    return cases;
  };
  claim.checks = [](bool full) {
    return on_counted_tori(full, "colouring", [](const Sides& sides, std::uint32_t m) {
      const TorusNetwork network = sides.network();
      return check_exchange(network, koenig_exchange(network, m), m, exchange_bound(sides, m));
    });
  };
  return claim;
}

Claim parity_exchanges() {
  Claim claim{"torus.X6", "TR 94-363, 5.5, beyond the text",
              "rings of even k with odd M: if all nodes do the same (M k^2 + 2k) / 8 steps, above the bound; "
              "with the odd "
              "half-way message sent up by even nodes and down by odd ones ceil(M k^2 / 8)",
              Finding::kHolds, "k of 4 to 10, M of 1 to 3; full: to 20"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (std::uint32_t k = 4; k <= (full ? 20 : 10); k += 2) {
      for (const std::uint32_t m : {1U, 2U, 3U}) {
        const Sides ring{1, k};
        cases.push_back(run(ring, kExchangeKind, "torus-koenig-exchange", m, exchange_bound(ring, m)));
      }
    }
    return cases;
  };
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t k = 4; k <= 20; k += 2) {
      for (const std::uint32_t m : {1U, 3U}) {
        checks.push_back({fmt::format("k = {}, M = {}: all nodes alike", k, m), [k, m] {
                            const Sides ring{1, k};
                            const std::uint64_t steps = (m * k * k + 2 * k) / 8;
                            if (steps <= exchange_bound(ring, m))
                              return fmt::format("{} is the bound", steps);
                            return check_exchange(ring.network(), koenig_exchange(ring.network(), m), m,
                                                  steps);
                          }});
      }
    }
    return checks;
  };
  return claim;
}

// Links that two packets would use at once if the parallel links of a doubled cube were one.
std::string check_collisions(std::uint32_t n, std::uint32_t m, std::uint64_t expected) {
  const Sides sides{n, 2};
  const MultidimensionalTorus torus = sides.torus();
  const auto sends = bsg_broadcast(torus, first_subtree(torus, ParentRule::kCorrected), m);
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  for (const RelativeSend& send : sends) used.emplace(send.step, send.label % n);
  const std::uint64_t collisions = (sends.size() - used.size()) * sides.nodes();
  return collisions == expected ? "" : fmt::format("{} collisions", collisions);
}

Claim cubes() {
  Claim claim{"torus.K1", "TR 94-363, 1 and 5, k = 2",
              "MT_{n,2} is a cube; with every edge doubled the spanning graph meets the formulas if 2n "
              "divides M, and not "
              "for M = 1; by matchings and colourings max(n, bound) is met in doubled and single cubes",
              Finding::kRefuted,
              "cubes and doubled cubes of 1 to 4 dimensions, M of 1, n and 2n; full: to 6 dimensions"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (std::uint32_t n = 1; n <= (full ? 6 : 4); ++n) {
      const Sides doubled{n, 2};
      const MultidimensionalTorus torus = doubled.torus();
      const std::uint64_t others = doubled.nodes() - 1;
      for (const std::uint32_t m : std::set<std::uint32_t>{1, n, 2 * n}) {
        const auto against = [&](ClaimCase entry, std::uint64_t formula) {
          if (entry.expected_steps > formula) entry.printed = fmt::format("{} steps", formula);
          cases.push_back(std::move(entry));
        };
        if (n <= 4) {  // 8 ports
          against(run(doubled, kBroadcastKind, "torus-bsg", m, bsg_broadcast_steps(torus, m)),
                  broadcast_bound(doubled, m));
          against(run(doubled, kExchangeKind, "torus-bsg-exchange", m, bsg_exchange_steps(torus, m)),
                  exchange_bound(doubled, m));
          cases.push_back(run(doubled, kBroadcastKind, "cube-matching", m,
                              std::max<std::uint64_t>(n, broadcast_bound(doubled, m))));
          cases.push_back(run(doubled, kExchangeKind, "torus-koenig-exchange", m,
                              std::max<std::uint64_t>(n, exchange_bound(doubled, m))));
        }
        const std::string cube = fmt::format("hypercube:{}", n);
        ClaimCase broadcast = run(doubled, kBroadcastKind, "cube-matching", m,
                                  std::max<std::uint64_t>(n, divide_up(m * others, n)));
        ClaimCase exchange = run(doubled, kExchangeKind, "torus-koenig-exchange", m,
                                 std::max<std::uint64_t>(n, m * (others + 1) / 2));
        broadcast.topology = exchange.topology = cube;
        cases.push_back(std::move(broadcast));
        cases.push_back(std::move(exchange));
      }
    }
    return cases;
  };
  claim.checks = [](bool) {
    struct Collisions {
      std::uint32_t n, m;
      std::uint64_t count;
    };
    std::vector<ClaimCheck> checks;
    for (const auto& [n, m, count] :
         {Collisions{1, 1, 0}, Collisions{1, 2, 2}, Collisions{2, 2, 8}, Collisions{2, 4, 24},
          Collisions{3, 3, 48}, Collisions{3, 6, 168}, Collisions{4, 8, 960}}) {
      checks.push_back({fmt::format("single cube of {} dimensions, M = {}: {} collisions", n, m, count),
                        [n, m, count] { return check_collisions(n, m, count); }});
    }
    // Where even a doubled cube cannot meet max(n, bound): in step 1 of M = 1 half of all links have nothing
    // new.
    checks.push_back({"doubled cube of 8 dimensions, M = 1: 17 steps, one above max(n, bound)", [] {
                        const TorusNetwork network{MultidimensionalTorus(8, 2), false};
                        return check_broadcast(network, matched_broadcast(network, 1), 1, 17);
                      }});
    return checks;
  };
  return claim;
}

Claim printed_parents() {
  Claim claim{
      "torus.T9", "TR 94-363, 4, Definition 9",
      "with '<= floor(k/2)', as printed, subtree 0 of the spanning graph falls apart for every even k, and "
      "multinode broadcast leaves messages undelivered; with '< k/2' it does not",
      Finding::kCorrected, "even k: 4 tori to 64 nodes, M = 2n; node 0 alone; runs to 16 nodes"};
  claim.cases = [](bool) {
    std::vector<ClaimCase> cases;
    for (const Sides& sides : {Sides{1, 4}, Sides{2, 4}}) {
      cases.push_back(run(sides, kBroadcastKind, "torus-bsg-as-printed", 2 * sides.n, 0));
      cases.back().expected_problem = "never reached";
      cases.back().printed = "every node gets every message";
    }
    return cases;
  };
  claim.checks = [](bool) {
    struct Count {
      Sides sides;
      std::uint64_t steps, missing;
    };
    std::vector<ClaimCheck> checks;
    for (const Count& c :
         {Count{{1, 4}, 2, 8}, Count{{2, 4}, 8, 448}, Count{{2, 6}, 24, 1584}, Count{{3, 4}, 32, 11904}}) {
      checks.push_back({fmt::format("{}, M = {}: {} steps, {} messages never arrive", c.sides.name(),
                                    2 * c.sides.n, c.steps, c.missing),
                        [c]() -> std::string {
                          const TorusNetwork network = c.sides.network();
                          const auto sends = bsg_broadcast(
                              network.torus, first_subtree(network.torus, ParentRule::kAsPrinted),
                              2 * c.sides.n);
                          const std::uint64_t missing =
                              relative_deliveries(network, sends, 2 * c.sides.n).missing * c.sides.nodes();
                          if (last_step(sends) == c.steps && missing == c.missing) return {};
                          return fmt::format("{} steps, {} missing", last_step(sends), missing);
                        },
                        "every node gets every message"});
    }
    return checks;
  };
  return claim;
}

}  // namespace

std::vector<Claim> torus_multinode_claims() {
  return {lemma_5(),          printed_parents(),           broadcast_bounds(),
          bsg_broadcasts(),   acknowledgements(),          whose_period(),
          other_splits(),     bst_and_packed_broadcasts(), exchange_bounds(),
          bsg_exchanges(),    other_exchange_splits(),     bst_exchanges(),
          koenig_exchanges(), parity_exchanges(),          cubes()};
}

}  // namespace safnet
