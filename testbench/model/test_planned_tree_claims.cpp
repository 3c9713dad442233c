// The claims on planned one-to-all collectives: every case by its planner, without hardware.
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

TEST_CASE("claims on planned one-to-all collectives come out of their planners", "[planned_tree_claims]") {
  std::size_t run = 0;
  std::set<std::string> ids;
  for (const Claim& claim : planned_tree_claims()) {
    ids.insert(claim.id);
    CHECK(claim.cases(true).size() > claim.cases(false).size());
    for (const ClaimCase& entry : claim.cases(false)) {
      CAPTURE(claim.id, entry.topology, to_string(entry.collective), entry.algorithm, entry.root, entry.tree);
      const Problem problem{make_topology(entry.topology), entry.collective, entry.ports, entry.root,
                            entry.tree};
      CHECK(problem.graph.max_degree() <= 8);
      const Schedule schedule = find_planner(problem, entry.algorithm).plan(problem);
      CHECK(fault_of(schedule) == "");
      CHECK(steps_of(schedule) == entry.expected_steps);
      ++run;
      if (!entry.inspect) continue;
      Trace trace;
      RunOutcome outcome;
      outcome.trace = &trace;
      CHECK(entry.inspect(outcome) != "");
      trace.transfers.resize(schedule.sends.size());
      CHECK(entry.inspect(outcome) == "");
    }
    if (!claim.checks) continue;
    for (const ClaimCheck& check : claim.checks(false)) {
      CAPTURE(check.name);
      CHECK(check.check() == "");
    }
  }
  CHECK(run > 200);
  CHECK(ids == std::set<std::string>{"thesis.S7", "thesis.X1", "thesis.X2"});
}
