// Thesis 4.2 and 4.3, total exchange on linear arrays and rings: what is run for each statement and what
// must come out.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Sizes = std::vector<std::uint64_t>;

ClaimCase on_linear(std::uint64_t n, const std::string& algorithm, std::uint64_t steps,
                    Inspection inspect = {}) {
  return exchange_case(linear_word(n), kAllPort, algorithm, steps, std::move(inspect));
}
ClaimCase on_ring(std::uint64_t n, const std::string& algorithm, std::uint64_t steps,
                  Inspection inspect = {}) {
  return exchange_case(ring_word(n), kAllPort, algorithm, steps, std::move(inspect));
}

// Steps in which packets leave node `from` for node `to`, by packet.
std::map<PacketId, std::uint64_t> departures(const RunOutcome& outcome, NodeId from, NodeId to) {
  std::map<PacketId, std::uint64_t> steps;
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.from == from && outcome.graph->peer(t.from, t.port).node == to) steps[t.packet] = t.step;
  }
  return steps;
}

// (4.9): on the way right, the packet of node k for node i < n leaves node j in step jn - ji + k; that for
// node n, by the paragraph before Lemma 4.1, in step j - k + 1. Nodes are numbered from 1 as in the thesis.
std::string check_departures(const RunOutcome& outcome) {
  const std::uint64_t n = outcome.graph->node_count();
  for (std::uint64_t j = 1; j < n; ++j) {
    const auto steps = departures(outcome, static_cast<NodeId>(j - 1), static_cast<NodeId>(j));
    for (std::uint64_t i = j + 1; i <= n; ++i) {
      for (std::uint64_t k = 1; k <= j; ++k) {
        const std::uint64_t expected = i == n ? j - k + 1 : j * n - j * i + k;
        const auto found = steps.find({static_cast<NodeId>(k - 1), static_cast<std::uint32_t>(i - 1)});
        if (found == steps.end() || found->second != expected) {
          return fmt::format("packet of node {} for {} leaves node {} in step {}, expected {}", k, i, j,
                             found == steps.end() ? 0 : found->second, expected);
        }
      }
    }
  }
  return {};
}

// (4.8) with J = 3, k = 1, on six nodes: from the step in which m_1(5) leaves node 2 to the one in which
// m_2(5) leaves node 4, as the left side is printed; it is meant to leave node 2 as well.
Rational steps_apart(const RunOutcome& outcome) {
  const PacketId first{0, 4}, second{1, 4};
  return Rational(departures(outcome, 3, 4).at(second)) - Rational(departures(outcome, 1, 2).at(first));
}

// Lemma 4.2: node j, j <= n/2, sends its last packet to the right in step jn - j^2, and node n - j + 1 then
// gets its last.
std::string check_phase_ends(const RunOutcome& outcome) {
  const std::uint64_t n = outcome.graph->node_count();
  for (std::uint64_t j = 1; 2 * j <= n; ++j) {
    std::uint64_t last_sent = 0, last_received = 0;
    for (const auto& [packet, step] :
         departures(outcome, static_cast<NodeId>(j - 1), static_cast<NodeId>(j))) {
      last_sent = std::max(last_sent, step);
    }
    for (const auto& [packet, step] :
         departures(outcome, static_cast<NodeId>(n - j - 1), static_cast<NodeId>(n - j))) {
      if (packet.tag == n - j) last_received = std::max(last_received, step);
    }
    if (last_sent != j * n - j * j || last_received != last_sent) {
      return fmt::format("phase {}: last packet sent in step {}, received in step {}, expected {}", j,
                         last_sent, last_received, j * n - j * j);
    }
  }
  return {};
}

// Fig. 4.2: on six nodes, nodes 1 to 5 send to the right without a gap until steps 5, 8, 9, 8, 5.
std::string check_six_nodes(const RunOutcome& outcome) {
  const std::uint64_t expected[] = {5, 8, 9, 8, 5};
  for (NodeId v = 0; v < 5; ++v) {
    const auto steps = departures(outcome, v, v + 1);
    std::uint64_t last = 0;
    for (const auto& [packet, step] : steps) last = std::max(last, step);
    if (last != expected[v])
      return fmt::format("node {} sends last in step {}, expected {}", v + 1, last, expected[v]);
    if (steps.size() != last)
      return fmt::format("node {} sends {} packets in {} steps: it is idle in between", v + 1, steps.size(),
                         last);
  }
  return {};
}

void departure_times_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : range(4, full ? 24 : 10))
    cases.push_back(on_linear(n, "furthest-first", quarter_square(n), check_departures));
  cases.push_back(printed(
      on_linear(6, "furthest-first", 9, check_departures),
      {{kExactly, 1, "steps from m_1(5) leaving node 2 to m_2(5) leaving node 4", "(4.8)"}, steps_apart}));
}

void phase_ends_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : range(2, full ? 32 : 12))
    cases.push_back(on_linear(n, "furthest-first", quarter_square(n), check_phase_ends));
}

void linear_optimal_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : full ? joined(range(2, 48), {64}) : joined(range(2, 16), {24, 32}))
    cases.push_back(on_linear(n, "furthest-first", quarter_square(n)));
}

void linear_rules_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : full ? Sizes{4, 8, 16, 30} : Sizes{4, 8, 16}) {
    cases.push_back(on_linear(n, "message-shift", quarter_square(n)));
    cases.push_back(on_linear(n, "closest-first", quarter_square(n) + (n - 1) / 2));
  }
}

void odd_rings_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : range(3, full ? 41 : 21, 2)) {
    for (const char* rule :
         {"furthest-first", "closest-first", "message-shift", "transit-first", "message-shift-any-order"}) {
      cases.push_back(on_ring(n, rule, (n * n - 1) / 8));
    }
  }
}

// Lemma 4.4, on the hardware: in every step node i sends clockwise what node 0 sends, both numbers moved by
// i.
std::string check_nodes_alike(const RunOutcome& outcome) {
  const NodeId n = outcome.graph->node_count();
  std::map<std::uint32_t, PacketId> of_node_0;  // by step
  std::vector<std::size_t> sent(n, 0);
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.port != 0) continue;
    ++sent[t.from];
    if (t.from == 0) of_node_0[t.step] = t.packet;
  }
  if (of_node_0.empty() || std::count(sent.begin(), sent.end(), of_node_0.size()) != n)
    return "nodes send different numbers of packets";
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.port != 0) continue;
    const auto found = of_node_0.find(t.step);
    if (found == of_node_0.end() || (found->second.source + t.from) % n != t.packet.source ||
        (found->second.tag + t.from) % n != t.packet.tag) {
      return fmt::format("in step {} node {} sends what node 0 does not", t.step, t.from);
    }
  }
  return {};
}

// Closest-first at node i of a ring of n nodes, ties to the source furthest away, of packets that travel
// clockwise; packets are (source, destination).
using Message = std::pair<std::uint64_t, std::uint64_t>;
Message closest_first(const std::vector<Message>& queue, std::uint64_t i, std::uint64_t n) {
  return *std::min_element(queue.begin(), queue.end(), [&](const Message& a, const Message& b) {
    const auto key = [&](const Message& m) {
      return std::pair((m.second + n - i) % n, n - (i + n - m.first) % n);
    };
    return key(a) < key(b);
  });
}
Message moved(const Message& m, std::uint64_t by, std::uint64_t n) {
  return {(m.first + by) % n, (m.second + by) % n};
}
std::vector<Message> moved(std::vector<Message> queue, std::uint64_t by, std::uint64_t n) {
  for (Message& m : queue) m = moved(m, by, n);
  return queue;
}

// The equations of Definition 4.1.
enum class Equation { kFirst, kSecondAsPrinted, kSecondCorrected };

// Of 950 sets of messages at nodes i of rings: those on which the equation fails for closest-first.
std::uint64_t failures(Equation equation) {
  std::mt19937_64 random(1);
  std::uint64_t count = 0;
  for (int sample = 0; sample < 950; ++sample) {
    const std::uint64_t n = 5 + random() % 12, i = 1 + random() % (n - 1), back = n - i;
    std::vector<Message> queue;
    while (queue.size() < 4) {
      const Message m{random() % n, random() % n};
      if (m.first != m.second && std::find(queue.begin(), queue.end(), m) == queue.end()) queue.push_back(m);
    }
    // Does node `to`, from the queue moved by `by`, pick the packet that node `at` picks, moved as well?
    const auto holds = [&](std::uint64_t by, std::uint64_t to, std::uint64_t at) {
      return closest_first(moved(queue, by, n), to, n) == moved(closest_first(queue, at, n), by, n);
    };
    const bool right = equation == Equation::kFirst             ? holds(i, i, 0)
                       : equation == Equation::kSecondAsPrinted ? holds(back, i, 0)
                                                                : holds(back, 0, i);
    count += right ? 0 : 1;
  }
  return count;
}

void node_invariance_runs(bool, Cases& cases) {
  for (const std::uint64_t n : range(5, 15, 2)) {
    for (const char* rule : {"furthest-first", "closest-first", "message-shift", "transit-first"}) {
      cases.push_back(on_ring(n, rule, (n * n - 1) / 8, check_nodes_alike));
    }
  }
}

Checks node_invariance_checks(bool) {
  const auto never = [](Equation equation) {
    const std::uint64_t found = failures(equation);
    return unless(found == 0, "fails on {}", found);
  };
  const auto as_printed = [] { return failures(Equation::kSecondAsPrinted); };
  return {{"closest-first on 950 sets of messages: first equation", [=] { return never(Equation::kFirst); }},
          {"closest-first on 950 sets of messages: second equation as corrected",
           [=] { return never(Equation::kSecondCorrected); }},
          {.name = "closest-first on 950 sets of messages: second equation as printed",
           .check = [=] { return unless(as_printed() > 0, "it holds"); },
           .printed = Printed<>{{kExactly, 0, "sets of messages on which it fails"}, as_printed}}};
}

void even_rings_plain_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : range(4, full ? 40 : 20, 2)) {
    for (const char* rule : {"furthest-first", "closest-first", "message-shift", "transit-first"}) {
      cases.push_back(on_ring(n, rule, n * (n + 2) / 8));
    }
  }
}

void even_rings_parity_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : full ? joined(range(2, 64, 2), {100, 128}) : range(2, 32, 2)) {
    cases.push_back(on_ring(n, "parity-message-shift", eighth_square(n)));
    cases.push_back(on_ring(n, "parity-furthest-first", eighth_square(n)));
  }
}

void even_rings_parity_closest_runs(bool full, Cases& cases) {
  for (const std::uint64_t n : range(4, full ? 64 : 32, 2)) {
    cases.push_back(on_ring(n, "parity-closest-first", eighth_square(n) + n / 4));
    cases.push_back(on_ring(n, "parity-shift-closest-queued", eighth_square(n) + (n % 4 == 0 ? 1 : 0)));
  }
}

void mean_delay_runs(bool, Cases& cases) {
  for (const std::uint64_t n : {7U, 11U, 15U, 21U}) {
    const std::uint64_t m = (n - 1) / 2, steps = m * (m + 1) / 2;
    // Closest-first delivers what is d hops away in step d(d + 1)/2. In message shift, round r
    // moves the m - r + 1 packets that are left. Furthest-first delivers everything in the last m
    // steps.
    const std::pair<const char*, std::uint64_t> rules[] = {
        {"closest-first", 2 * n * (m * (m + 1) * (m + 2) / 6)},
        {"message-shift", 2 * n * (m * (m + 1) * (2 * m + 1) / 6)},
        {"furthest-first", n * m * (2 * steps - m + 1)}};
    for (const auto& [rule, delay_sum] : rules) {
      cases.push_back(on_ring(n, rule, steps, [sum = delay_sum](const RunOutcome& o) {
        return unless(o.delay_sum == sum, "sum of delivery steps {}, expected {}", o.delay_sum, sum);
      }));
    }
  }
}

}  // namespace

std::vector<Claim> line_and_ring_claims() {
  return {
      claim("thesis.T4", "4.2, Lemma 4.1, (4.8) and (4.9)", kMisprint,
            "linear array, furthest-first: the packet of k for i <= n - 1 leaves node j in step jn - ji + k, "
            "that for n in step j - k + 1; the left side of (4.8) is of node J - 1, not J + 1",
            departure_times_runs),
      claim("thesis.T5", "4.2, Lemma 4.2", kHolds,
            "linear array, furthest-first: node j sends its last packet in step jn - j^2", phase_ends_runs),
      claim("thesis.T6", "4.2, Theorem 4.3", kHolds,
            "linear array, furthest-first: ceil((n^2 - 1)/4) steps, the bisection bound",
            linear_optimal_runs),
      claim("thesis.T7", "4.2, beyond the text", kBeyond,
            "linear array: first in, first out from sorted queues is optimal too; closest-first costs "
            "floor((n - 1)/2) more",
            linear_rules_runs),
      claim("thesis.T8", "4.2, Fig. 4.2", kHolds,
            "on six nodes the last packets to the right leave in steps 5, 8, 9, 8, 5, without a gap",
            on_linear(6, "furthest-first", 9, check_six_nodes)),
      claim("thesis.T9", "4.3.1, Theorem 4.5", kHolds,
            "odd ring, any node-invariant rule: (n^2 - 1)/8 steps, optimal", odd_rings_runs),
      claim("thesis.T11", "4.3.2", kHolds,
            "even ring, any node-invariant rule: n(n + 2)/8 steps, not optimal", even_rings_plain_runs),
      claim("thesis.T12", "4.3.2, Theorem 4.6", kHolds,
            "even ring, directions by parity: message-shift takes ceil((n^2 - 1)/8) steps, optimal; so does "
            "furthest-first",
            even_rings_parity_runs),
      claim("thesis.T12-order", "4.3.2, beyond the text", kBeyond,
            "even ring, directions by parity: the order matters; closest-first costs floor(n/4) steps more, "
            "queues sorted closest first 1 more if 4 | n",
            even_rings_parity_closest_runs),
      claim("thesis.T13", "4.3.1", kHolds,
            "odd ring: closest-first has a smaller mean delay than message shift and furthest-first, (m + "
            "1)(m + 2)/6 steps for n = 2m + 1",
            mean_delay_runs),
      claim("thesis.T10", "4.3.1, Definition 4.1, Lemma 4.4", kMisprint,
            "node-invariant rules keep all nodes of a ring alike; the second equation of the definition "
            "reads f_0(Q (-) i) = f_i(Q) (-) i",
            node_invariance_runs, node_invariance_checks)};
}

}  // namespace safnet
