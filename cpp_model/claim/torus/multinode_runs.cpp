#include "cpp_model/claim/torus/multinode_runs.hpp"

#include <fmt/format.h>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// As check_broadcast(), for any collective.
std::string check_relative(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                           std::uint64_t steps) {
  if (const auto step = first_shared_port(network, sends)) return fmt::format("step {}: packets meet", *step);
  return unless(last_step(sends) == steps, "{} steps, expected {}", last_step(sends), steps);
}

std::string check_bound(const EqualSides& sides, CollectiveKind collective, std::uint32_t messages,
                        std::uint64_t expected) {
  Problem problem{make_topology(sides.topology()), collective, kAllPort};
  problem.messages = messages;
  const std::uint64_t bound = lower_bound(problem).steps;
  return unless(bound == expected, "bound of {} steps, expected {}", bound, expected);
}
// Tori that would take too long on the hardware: only node 0's plan is checked, by Lemma 5.
std::vector<EqualSides> counted_tori(bool full) {
  return with_more<EqualSides>(
      full, {{2, 16}, {5, 3}, {3, 8}},
      {{3, 7}, {4, 5}, {6, 3}, {2, 32}, {5, 4}, {4, 6}, {4, 7}, {7, 3}, {5, 5}, {4, 8}, {6, 4}});
}

}  // namespace

std::vector<EqualSides> run_tori(bool full) {
  return with_more<EqualSides>(
      full, {{1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {3, 3}},
      {{1, 6}, {1, 8}, {2, 5}, {2, 6}, {3, 4}, {2, 8}, {4, 3}, {3, 5}, {3, 6}, {4, 4}});
}

std::set<std::uint32_t> message_counts(const EqualSides& sides) {
  std::uint32_t least = 1;
  while (!splits_evenly(sides, least)) ++least;
  return {1, 3, 2 * sides.n, least};
}

std::uint64_t broadcast_bound(const EqualSides& s, std::uint64_t m) {
  return divide_up(m * (s.nodes() - 1), 2 * s.n);
}

std::uint64_t exchange_bound(const EqualSides& s, std::uint64_t m) {
  const std::uint64_t k = s.k;
  return divide_up(k % 2 == 0 ? m * s.nodes() * k : m * (k * k - 1) * (s.nodes() / k), 8);
}

std::uint64_t broadcast_sends(const EqualSides& s, std::uint64_t m) {
  return m * s.nodes() * (s.nodes() - 1);
}

std::uint64_t exchange_sends(const EqualSides& s, std::uint64_t m) {
  const std::uint64_t k = s.k, n = s.n, nodes = s.nodes();
  return k % 2 == 0 ? n * m * k * nodes * nodes / 4 : n * m * (k * k - 1) * (nodes / k) * nodes / 4;
}

ClaimCase run(const EqualSides& sides, CollectiveKind collective, const std::string& algorithm,
              std::uint32_t count, std::uint64_t steps, Inspection inspect) {
  return messages(all_port_case(sides.topology(), collective, algorithm, steps, std::move(inspect)), count);
}

Inspection all_links_busy(std::uint64_t expected) {
  return [expected](const RunOutcome& o) -> std::string {
    if (std::string wrong = transfers_are(expected)(o); !wrong.empty()) return wrong;
    std::vector<std::uint64_t> busy(o.steps + 1);
    for (const Transfer& transfer : o.trace->transfers) ++busy.at(transfer.step);
    for (std::uint64_t step = 1; step <= o.steps; ++step) {
      if (busy[step] != o.graph->link_count())
        return fmt::format("step {}: {} of {} links busy", step, busy[step], o.graph->link_count());
    }
    return {};
  };
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

Checks on_counted_tori(bool full, const std::string& what,
                       const std::function<std::string(const EqualSides&, std::uint32_t)>& check) {
  Checks checks;
  for (const EqualSides& sides : counted_tori(full)) {
    for (const std::uint32_t m : {1U, 3U}) {
      checks.push_back({fmt::format("{}, M = {}: {}, node 0 and Lemma 5", sides.name(), m, what),
                        [sides, m, check] { return check(sides, m); }});
    }
  }
  return checks;
}

ClaimCase against_bound(ClaimCase entry, std::uint64_t bound) {
  if (entry.messages > 1 && entry.expected_steps > bound) entry.printed = {{kExactly, bound}, {}};
  return entry;
}

Checks checks_of_bounds(CollectiveKind collective,
                        std::uint64_t (*expected)(const EqualSides&, std::uint64_t), bool full) {
  return check_each(
      run_tori(full),
      [](const EqualSides& sides) {
        return fmt::format("{}: the bounds known here say the same, M = 1 to {}", sides.name(), 2 * sides.n);
      },
      [=](const EqualSides& sides) {
        return first_fault(range<std::uint32_t>(1, 2 * sides.n), [&](std::uint32_t m) {
          return check_bound(sides, collective, m, expected(sides, m));
        });
      });
}

std::string check_close(std::uint64_t steps, std::uint64_t bound, std::uint64_t parts) {
  return unless(steps >= bound && (steps - bound) * parts <= bound, "{} steps, the bound is {}", steps,
                bound);
}

}  // namespace safnet
