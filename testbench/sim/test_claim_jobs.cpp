// Verdicts on claims: what a counterexample must show, and what decided it. What a quick and a full
// verification run.
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "sim/command/claim_jobs.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

ClaimOutcome five_things_against(Relation relation, int value) {
  ClaimCheck check{.name = "five", .check = [] { return ""; }};
  check.printed = Printed<>{{relation, value, "things"}, [] { return Rational(5); }};
  ClaimJob job{0, check};
  NodePool pool(0);
  return run_claim_job(job, pool);
}

std::string verdict(Finding finding, const ClaimOutcome& outcome) {
  const Claim claim{.id = "a.B1", .section = "1", .statement = "it is so", .finding = finding};
  return ClaimRow{&claim, "1 check", {outcome}}.verdict();
}

// What a verification of a claim runs, as if all came out as expected.
ClaimRow row_before_run(const Claim& claim, bool full) {
  ClaimRow row{&claim};
  for (const ClaimJob& job : claim_jobs({&claim}, full)) row.outcomes.push_back(outcome_before_run(job));
  return row;
}

std::multiset<std::string> names_of_runs(const ClaimRow& row) {
  std::multiset<std::string> names;
  for (const ClaimOutcome& outcome : row.outcomes) {
    if (outcome.on_hardware()) names.insert(outcome.name);
  }
  return names;
}

std::string name_of_counterexample(const ClaimRow& row) {
  const ClaimOutcome* smallest = row.counterexample();
  return smallest == nullptr ? "" : smallest->name;
}

}  // namespace

TEST_CASE("the runs of a quick verification share few kinds of nodes", "[claim][variant]") {
  std::vector<const Claim*> all;
  for (const Claim& claim : claims()) all.push_back(&claim);
  std::set<Hardware> kinds;
  for (ClaimJob& job : claim_jobs(all, false)) {
    if (const std::optional<Hardware> hardware = plan_hardware(job)) kinds.insert(*hardware);
  }
  CHECK(kinds.size() <= 16);  // timetables, which are planned when they are run, have eight more
}

TEST_CASE("a counterexample contradicts what is printed, or the claim fails", "[claim]") {
  const ClaimOutcome against = five_things_against(Relation::kAtLeast, 6);
  CHECK(against.problem == "");
  CHECK(against.contradiction() == "; 5 things; printed: at least 6 things");
  CHECK(verdict(Finding::kRefuted, against) == "refuted");
  CHECK(verdict(Finding::kHolds, against) == "FAILED");

  const ClaimOutcome weak = five_things_against(Relation::kAtLeast, 4);
  CHECK(weak.problem == "5 things do not contradict the paper's at least 4 things");
  CHECK(verdict(Finding::kRefuted, weak) == "FAILED");
  CHECK(five_things_against(Relation::kExactly, 5).problem != "");
  CHECK(five_things_against(Relation::kLessThan, 5).problem == "");
  CHECK(five_things_against(Relation::kAtMost, 5).problem != "");
  CHECK(five_things_against(Relation::kMoreThan, 5).problem == "");
}

TEST_CASE("a claim is decided by the strongest of what its outcomes were decided by", "[claim]") {
  const Claim claim{.id = "a.B1", .section = "1", .statement = "it is so"};
  ClaimRow row{&claim, "", {}};
  CHECK(row.decided_by() == Decider::kComputation);
  for (const Decider next : {Decider::kComputation, Decider::kTimetable, Decider::kPlannedRouter,
                             Decider::kScanNode, Decider::kRouter}) {
    ClaimOutcome& outcome = row.outcomes.emplace_back();
    outcome.decided_by = next;
    CHECK(row.decided_by() == next);
    CHECK(row.decided().at(next) == 1);
  }
}

TEST_CASE("a full verification has every run of a quick one, and its counterexamples", "[claim]") {
  for (const Claim& claim : claims()) {
    CAPTURE(claim.id);
    const ClaimRow quick = row_before_run(claim, false), full = row_before_run(claim, true);
    CHECK_FALSE(quick.outcomes.empty());
    std::vector<std::string> left_out;
    std::ranges::set_difference(names_of_runs(quick), names_of_runs(full), std::back_inserter(left_out));
    CHECK_THAT(left_out, Catch::Equals(std::vector<std::string>{}));
    // A check of the quick verification may be part of a larger one: only their number is compared.
    CHECK(full.decided()[Decider::kComputation] >= quick.decided()[Decider::kComputation]);
    CHECK(name_of_counterexample(full) == name_of_counterexample(quick));
    CHECK(needs_counterexample(claim.finding) == (quick.counterexample() != nullptr));
  }
}
