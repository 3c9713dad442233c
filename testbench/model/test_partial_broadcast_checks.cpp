// test_partial_broadcast_checks - the checks of partial broadcasts that need no hardware hold; a claim whose
// statement is not right as printed quotes what is printed.
#include <algorithm>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/packing_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

bool any_printed(const std::vector<ClaimCheck>& checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [](const ClaimCheck& c) { return c.printed || !c.printed_words.empty(); });
}

void check_all(const std::vector<ClaimCheck>& checks) {
  CHECK(!checks.empty());
  for (const ClaimCheck& check : checks) {
    CAPTURE(check.name);
    CHECK(check.check() == "");
  }
}

}  // namespace

TEST_CASE("what is said of partial broadcasts holds", "[partial_broadcast_checks]") {
  for (const bool torus : {false, true}) {
    check_all(single_class_checks(torus, false));
    check_all(split_checks(torus, false));
    check_all(whole_checks(torus, false));
    check_all(capacity_checks(torus, false));
  }
  for (const auto checks :
       {prefix_checks, subphase_checks, broadcast_phase_checks, class_order_checks, known_ranks_checks,
        taking_turns_checks, cube_single_class_checks, folded_whole_checks, folded_split_checks})
    check_all(checks(false));
}

TEST_CASE("what is said of partial broadcasts and does not hold as printed", "[partial_broadcast_checks]") {
  for (const auto checks : {packing_checks, monotone_routing_checks, two_node_torus_checks,
                            whole_as_printed_checks, folded_main_part_checks, accumulation_checks}) {
    check_all(checks(false));
    CHECK(any_printed(checks(false)));
  }
}

TEST_CASE("claims that formulas decide", "[partial_broadcast_checks]") {
  for (const Claim& claim : partial_broadcast_formula_claims()) {
    CAPTURE(claim.id);
    const std::vector<ClaimCheck> checks = claim.checks(false);
    check_all(checks);
    CHECK(any_printed(checks) == needs_counterexample(claim.finding));
  }
}
