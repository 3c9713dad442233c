// The ledger on the reference stepper: what the hardware is going to be asked must be true of the policies
// themselves.
#include <map>
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/claim.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"
#include "testbench/support/schedule_oracle.hpp"

using namespace safnet;

namespace {

std::vector<ClaimCase> cases_of(const Claim& claim, bool full) {
  return claim.cases ? claim.cases(full) : std::vector<ClaimCase>{};
}
std::vector<ClaimCheck> checks_of(const Claim& claim, bool full) {
  return claim.checks ? claim.checks(full) : std::vector<ClaimCheck>{};
}

std::vector<OnlineCase> online_of(const Claim& claim, bool full) {
  return claim.online ? claim.online(full) : std::vector<OnlineCase>{};
}
std::vector<DynamicCase> dynamic_of(const Claim& claim, bool full) {
  return claim.dynamic ? claim.dynamic(full) : std::vector<DynamicCase>{};
}

// A timetable, not something that nodes decide for themselves.
bool is_planned(const ClaimCase& entry) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == entry.algorithm && algorithm.collective == entry.collective && algorithm.policy)
      return false;
  }
  return true;
}

void check_plan(const ClaimCase& entry) {
  const Problem problem{make_topology(entry.topology),
                        entry.collective,
                        entry.ports,
                        entry.root,
                        entry.tree,
                        entry.destination,
                        entry.active,
                        entry.messages};
  const OracleResult result = judge(find_planner(problem, entry.algorithm).plan(problem));
  if (!entry.expected_problem.empty()) {
    CHECK((result.missing > 0 || !result.problems.empty()));
    return;
  }
  CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
  CHECK(result.missing == 0);
  CHECK(holds(result.steps, entry.relation, entry.expected_steps));
  CHECK(result.steps >= lower_bound(problem).steps);
}

}  // namespace

TEST_CASE("every claim comes out on the reference stepper", "[claim]") {
  std::size_t run = 0, planned = 0;
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    for (const ClaimCase& entry : cases_of(claim, false)) {
      CAPTURE(entry.topology, entry.algorithm, to_string(entry.ports), entry.root, entry.tree);
      if (is_planned(entry)) {
        check_plan(entry);
        ++planned;
        continue;
      }
      // The stepper has no credits, and cannot tell that a run will never end.
      if (!entry.expected_problem.empty() || entry.queue_depth != 0) continue;
      Problem problem{make_topology(entry.topology),
                      entry.collective,
                      entry.ports,
                      entry.root,
                      entry.tree,
                      entry.destination};
      problem.active = entry.active;
      const Algorithm& algorithm = find_algorithm(problem, entry.algorithm);
      if (algorithm.pieces) problem.pieces = algorithm.pieces(problem);
      const Policy policy = algorithm.policy(problem);
      // The stepper has no grants either: where nodes compete for a receiver the hardware takes longer.
      if (entry.ports == PortModel::kOnePort && !policy.conflict_free) continue;
      ++run;
      const StepperResult result = ReferenceStepper(problem.graph, entry.ports, policy).run();
      CHECK(holds(result.steps, entry.relation, entry.expected_steps));
      CHECK(result.steps >= lower_bound(problem).steps);
      if (!entry.inspect) continue;
      RunOutcome outcome;
      outcome.steps = result.steps;
      outcome.delay_sum = result.delay_sum;
      outcome.deliveries = result.trace.deliveries.size();
      outcome.graph = &problem.graph;
      outcome.trace = &result.trace;
      outcome.transmissions = result.trace.transfers.size();
      outcome.peak_transit_queue = result.peak_transit;
      outcome.queue_peaks = &result.queue_peaks;
      // The policy already has the result of its scan. The stepper spends no steps on it: its hops are added.
      outcome.scan_cycles = policy.scan ? policy.scan->hops : 0;
      outcome.cycles = outcome.scan_cycles + result.steps;
      CHECK(entry.inspect(outcome) == "");
    }
  }
  CHECK(run > 1500);
  CHECK(planned > 200);
}

TEST_CASE("every check without hardware holds", "[claim]") {
  for (const Claim& claim : claims()) {
    for (const ClaimCheck& check : checks_of(claim, false)) {
      CAPTURE(claim.id, check.name);
      CHECK(check.check() == "");
    }
  }
}

TEST_CASE("every claim is of one paper, and every paper has claims", "[claim][paper]") {
  std::map<std::string, int> claims_of;
  for (const Claim& claim : claims()) ++claims_of[claim.id.substr(0, claim.id.find('.'))];
  CHECK(claims_of.size() == papers().size());
  for (const Paper& paper : papers()) CHECK(claims_of.count(paper.prefix) == 1);
}

TEST_CASE("inspections notice what is wrong", "[claim]") {
  for (const Claim& claim : claims()) {
    for (const ClaimCase& entry : cases_of(claim, false)) {
      if (!entry.inspect) continue;
      CAPTURE(claim.id, entry.topology);
      const Graph graph = make_topology(entry.topology);
      const Trace nothing;
      RunOutcome outcome;
      outcome.graph = &graph;
      outcome.trace = &nothing;
      outcome.peak_transit_queue = 1'000'000;
      outcome.transmissions = 1;
      CHECK(entry.inspect(outcome) != "");
    }
  }
}

TEST_CASE("claims are told apart, and each has something to run", "[claim]") {
  std::set<std::string> ids;
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    CHECK(ids.insert(claim.id).second);
    CHECK_FALSE(claim.section.empty());
    CHECK_FALSE(claim.statement.empty());
    CHECK(cases_of(claim, false).size() + checks_of(claim, false).size() + online_of(claim, false).size() +
              dynamic_of(claim, false).size() >
          0);
    for (const std::string* text : {&claim.id, &claim.section, &claim.statement}) {
      CHECK(text->find('\n') == std::string::npos);
    }
    for (const ClaimCase& entry : cases_of(claim, true)) {
      // All-port nodes of more ports take minutes to build; branches of fat trees have many links.
      const bool has_branches = entry.topology.starts_with("fat-tree:");
      CHECK(make_topology(entry.topology).max_degree() <= (has_branches                         ? 64
                                                           : entry.ports == PortModel::kAllPort ? 8
                                                                                                : 16));
      CHECK((entry.expected_steps > 0 || !entry.expected_problem.empty()));
    }
    for (const OnlineCase& run : online_of(claim, true)) CHECK(run.expected_cycles > 0);
  }
}

TEST_CASE("inspections of runs that find out who is active notice what is wrong", "[claim]") {
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    for (const OnlineCase& run : online_of(claim, false)) {
      if (!run.inspect) continue;
      CAPTURE(run.topology, run.active);
      // An inspection must refuse at least one of these two runs: one that takes a million cycles and
      // delivers after its end, and one in which all counts are 0.
      OnlineOutcome late, early;
      late.cycles = late.broadcast = late.packing = 1'000'000;
      late.last_delivery = 2'000'000;
      CHECK((run.inspect(late) != "" || run.inspect(early) != ""));
    }
    for (const DynamicCase& run : dynamic_of(claim, false)) {
      if (!run.inspect) continue;
      CAPTURE(run.topology);
      DynamicOutcome late, nothing;
      late.packets = run.packets;
      late.mean_delay = 1'000'000'000;
      late.final_backlog = 1'000'000'000;
      late.intervals = 1;
      late.cycles_of[1] = 1;
      CHECK((run.inspect(late) != "" || run.inspect(nothing) != ""));
    }
  }
}

TEST_CASE("the ledger has every row of chapters 2 to 5 that can be executed", "[claim]") {
  std::set<std::string> ids;
  for (const Claim& claim : claims()) ids.insert(claim.id);
  const auto expect = [&](const char* letter, int first, int last) {
    for (int i = first; i <= last; ++i) {
      CAPTURE(letter, i);
      CHECK(ids.count("thesis." + std::string(letter) + std::to_string(i)) == 1);
    }
  };
  expect("N", 1, 4);
  expect("B", 1, 10);
  expect("S", 1, 6);
  expect("T", 1, 20);
  expect("M", 1, 8);
  expect("X", 5, 7);
}

TEST_CASE("small connected graphs: 1, 2, 6, 21, 112 of 2 to 6 nodes", "[claim]") {
  std::map<NodeId, int> count;
  for (const std::string& word : small_connected_graphs(6)) ++count[make_topology(word).node_count()];
  CHECK(count == std::map<NodeId, int>{{2, 1}, {3, 2}, {4, 6}, {5, 21}, {6, 112}});
}
