// Beyond thesis chapter 4: total exchange where no theorem gives an optimal algorithm, by timetables.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/thesis/brute_force.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

ClaimCheck nothing_faster(const std::string& topology, PortModel ports, std::uint64_t steps) {
  return {
      fmt::format("{}: prices on {} prove {} steps", topology, ports == kAllPort ? "links" : "nodes", steps),
      [=] {
        const std::uint64_t bound = searched_exchange_bound(make_topology(topology), ports);
        return unless(bound == steps, "they prove {}", bound);
      }};
}

// Small graphs without any structure, trees to dense ones.
std::vector<std::string> random_graphs(bool full) {
  std::vector<std::string> words;
  for (std::uint64_t seed = 1; seed <= (full ? 60U : 12U); ++seed) {
    const std::uint64_t n = 4 + seed % 7;
    words.push_back(fmt::format("random:{},{},{}", n, std::min(n - 1 + seed % 5, n * (n - 1) / 2), seed));
  }
  return words;
}

// On a linear array a middle node is the bottleneck.
std::string check_middle_busy(const RunOutcome& outcome) {
  const NodeId middle = (outcome.graph->node_count() - 1) / 2;
  const auto sent = std::count_if(outcome.trace->transfers.begin(), outcome.trace->transfers.end(),
                                  [=](const Transfer& transfer) { return transfer.from == middle; });
  return unless(sent > 0 && static_cast<std::uint64_t>(sent) == outcome.steps,
                "node {} sends {} packets in {} steps", middle, sent, outcome.steps);
}

void one_port_linear_array_runs(bool full, Cases& cases) {
  for (std::uint64_t n = 2; n <= (full ? 48U : 16U); ++n)
    cases.push_back(exchange_case(linear_word(n), kOnePort, "rightward-then-leftward",
                                  n * n / 2 - (n % 2 == 0 ? 1 : 0), check_middle_busy));
}

Checks one_port_linear_array_checks(bool full) {
  // (4.5) at a middle node: n - 1 of its own, and all packets between its two sides.
  const auto check_middle = [](std::uint64_t n) {
    const std::uint64_t left = (n - 1) / 2, right = n - 1 - left;
    return unless(n - 1 + 2 * left * right == n * n / 2 - (n % 2 == 0 ? 1 : 0), "n = {}", n);
  };
  return joined(
      check_each(std::vector<std::uint64_t>{999}, "a middle node sends that many packets, n = 2...{}",
                 [=](std::uint64_t most) { return first_fault(range(2, most), check_middle); }),
      {nothing_faster(full ? "linear:16" : "linear:8", kOnePort, full ? 127 : 31)});
}

// Networks and steps of X4 and X8.
using KnownSteps = std::vector<std::pair<std::string, std::uint64_t>>;

// Runs of a planner that reaches the fewest steps: on networks where they are known, and on random graphs.
Cases list_scheduling_runs(const KnownSteps& known, PortModel ports, bool full) {
  Cases cases;
  for (const auto& [topology, steps] : known)
    cases.push_back(exchange_case(topology, ports, "list-scheduling", steps));
  for (const std::string& topology : random_graphs(full))
    cases.push_back(exchange_case(topology, ports, "list-scheduling",
                                  searched_exchange_bound(make_topology(topology), ports)));
  return cases;
}

Checks nothing_faster_checks(const KnownSteps& known, PortModel ports) {
  Checks checks;
  for (const auto& [topology, steps] : known) checks.push_back(nothing_faster(topology, ports, steps));
  return checks;
}

KnownSteps one_port_steps(bool full) {
  return with_more(full,
                   KnownSteps{{"mesh:3x3", 18},
                              {"mesh:4x3", 28},
                              {"mesh:4x4", 43},
                              {"generalized-petersen:5,2", 15},
                              {"tree:5,1", 5 + 20}},  // the centre's own and those between its leaves
                   {{"mesh:2x3x4", 64}, {"mesh:5x5", 85}});
}

Cases one_port_any_graph_runs(bool full) {
  return list_scheduling_runs(one_port_steps(full), kOnePort, full);
}

Checks one_port_any_graph_checks(bool full) { return nothing_faster_checks(one_port_steps(full), kOnePort); }

KnownSteps cayley_steps(bool full) {
  return with_more(full, KnownSteps{{"cube-connected-cycles:3", 36}, {"star:4", 21}, {"butterfly:3", 18}},
                   {{"cube-connected-cycles:4", 128}, {"butterfly:4", 64}});
}

KnownSteps other_steps(bool full) {
  return with_more(full, KnownSteps{{"mesh:3x3", 6}, {"mesh:4x3", 12}, {"mesh:4x4", 16}, {"tree:5,1", 5}},
                   {{"mesh:5x5", 30}});
}

Cases all_port_any_graph_runs(bool full) {
  Cases cases;
  for (const auto& [topology, steps] : cayley_steps(full))
    cases.push_back(exchange_case(topology, kAllPort, "node-invariant", steps));
  return joined(cases, list_scheduling_runs(other_steps(full), kAllPort, full));
}

Checks all_port_any_graph_checks(bool full) {
  return nothing_faster_checks(joined(other_steps(full), cayley_steps(full)), kAllPort);
}

}  // namespace

std::vector<Claim> general_exchange_claims() {
  return {
      claim("thesis.X3", "beyond chapter 4", kBeyond,
            "one-port total exchange on a linear array takes floor(n^2/2) steps, less one for even n, and no "
            "fewer: 4.2's algorithm to the right, then to the left; for even n the middle two first swap a "
            "packet",
            one_port_linear_array_runs, one_port_linear_array_checks),
      claim("thesis.X4", "beyond chapter 4", kBeyond,
            "one-port total exchange on any graph: ways that load all nodes evenly, then a matching per step "
            "that leaves no busiest node out, take as many steps as prices on nodes prove necessary: 18 on "
            "the 3x3 mesh, 28 on 4x3, 43 on 4x4, 64 on 2x3x4, 85 on 5x5, 15 on the Petersen graph, 25 on "
            "five leaves",
            one_port_any_graph_runs, one_port_any_graph_checks),
      claim("thesis.X8", "beyond chapter 4", kBeyond,
            "all-port total exchange: on Cayley graphs node 0's packets with one per port and step, "
            "translated, else ways that load all links evenly; as fast as links allow: cube-connected cycles "
            "36, 128 (on the cubes of 3 and 4 dimensions), star graph S_4 21, butterflies 18, 64, meshes "
            "(4x4 16, 5x5 30), five leaves 5",
            all_port_any_graph_runs, all_port_any_graph_checks)};
}

}  // namespace safnet
