// The ledger on the reference stepper: what the hardware is going to be asked must be true of the policies
// themselves.
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/claim.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/catch.hpp"
#include "testbench/reference_stepper.hpp"

using namespace safnet;

TEST_CASE("every claim comes out on the reference stepper", "[claim]") {
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    const std::vector<ClaimCase> cases = claim.cases(false);
    CHECK_FALSE(cases.empty());
    for (const ClaimCase& entry : cases) {
      CAPTURE(entry.topology, entry.algorithm, to_string(entry.ports), entry.root, entry.tree);
      const Problem problem{make_topology(entry.topology), entry.collective, entry.ports, entry.root,
                            entry.tree};
      const Policy policy = find_algorithm(problem, entry.algorithm).policy(problem);
      const StepperResult result = ReferenceStepper(problem.graph, entry.ports, policy).run();
      CHECK(result.steps == entry.expected_steps);
      CHECK(result.steps >= lower_bound(problem).steps);
      if (!entry.inspect) continue;
      RunOutcome outcome;
      outcome.steps = result.steps;
      outcome.delay_sum = result.delay_sum;
      outcome.deliveries = result.trace.deliveries.size();
      outcome.graph = &problem.graph;
      outcome.trace = &result.trace;
      CHECK(entry.inspect(outcome) == "");
    }
  }
}

TEST_CASE("inspections notice what is wrong", "[claim]") {
  for (const Claim& claim : claims()) {
    for (const ClaimCase& entry : claim.cases(false)) {
      if (!entry.inspect) continue;
      CAPTURE(claim.id, entry.topology);
      const Graph graph = make_topology(entry.topology);
      const Trace nothing;
      RunOutcome outcome;
      outcome.graph = &graph;
      outcome.trace = &nothing;
      CHECK(entry.inspect(outcome) != "");
    }
  }
}

TEST_CASE("claims are told apart, and full runs include the quick ones", "[claim]") {
  std::set<std::string> ids;
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    CHECK(ids.insert(claim.id).second);
    CHECK_FALSE(claim.section.empty());
    CHECK_FALSE(claim.statement.empty());
    CHECK_FALSE(claim.sizes.empty());
    CHECK(claim.cases(true).size() >= claim.cases(false).size());
    for (const std::string* text : {&claim.id, &claim.section, &claim.statement, &claim.sizes}) {
      CHECK(text->find('\n') == std::string::npos);
    }
    for (const ClaimCase& entry : claim.cases(true)) {
      CHECK_NOTHROW(make_topology(entry.topology));
      CHECK(entry.expected_steps > 0);
    }
  }
}
