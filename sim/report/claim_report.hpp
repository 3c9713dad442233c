// claim_report - the outcomes of `safnet verify`: lines for people, JSON and JUnit for programs, a page on
// the findings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cpp_model/claim/claim.hpp"
#include "sim/report/report.hpp"

namespace safnet {

/// What decided the number that came out: routers, which choose for themselves what they send next;
/// scan_nodes, which find out who is active; scan_nodes with packets that arrive at random; routers that are
/// given the ways and ranks of a timetable, and may be ahead of it; nodes that carry out a timetable, whose
/// plan sets the number of steps; or computation without hardware. Strongest first.
enum class Decider : std::uint8_t { kRouter, kScanNode, kDynamic, kPlannedRouter, kTimetable, kComputation };
inline constexpr std::size_t kDeciders = 6;
/// "router", "scan node", "dynamic", "planned router", "timetable", "computation".
const std::string& to_string(Decider decider);

/// How many of something each decider decided.
using ByDecider = std::map<Decider, std::size_t>;
/// "router 24, timetable 12, computation 3": the strongest first, those of none left out.
std::string to_words(const ByDecider& counts);

/// What came of one run or check.
struct ClaimOutcome {
  enum class Unit : std::uint8_t { kSteps, kCycles, kNothing };  ///< of `measured` and `expected`
  std::string name;                                              ///< the command that does the same
  std::uint64_t measured = 0, expected = 0;
  /// The same run with hosts that start with empty queues, on routers.
  std::optional<std::uint64_t> with_empty_hosts;
  std::uint64_t nodes = 0;
  Decider decided_by = Decider::kComputation;
  bool lockstep = false;  ///< packets of several flits, in slots
  bool completed = true;  ///< false: the run was expected to go wrong, and did
  Unit unit = Unit::kSteps;
  Relation relation = Relation::kExactly;  ///< of `measured` to `expected`
  std::string problem;                     ///< empty: as expected
  /// What the printed statement says, if that differs, and what was found of the same quantity.
  std::optional<PrintedValue> printed;
  Rational found = 0;
  double seconds = 0;
  bool on_hardware() const { return decided_by != Decider::kComputation; }
  /// "router: ring:3 ... --ports one: 3 steps; printed: 2 steps". Of an outcome with `printed`.
  std::string contradiction() const;
  const char* unit_word() const { return unit == Unit::kCycles ? "cycles" : "steps"; }
};

/// What came of a whole statement.
struct ClaimRow {
  const Claim* claim = nullptr;
  std::string sizes = {};  ///< on which it was tried, in words
  std::vector<ClaimOutcome> outcomes = {};

  /// The run on the smallest network that contradicts the printed statement; if no run does, a computation;
  /// null if nothing does.
  const ClaimOutcome* counterexample() const;
  /// Every outcome is as expected, and something contradicts the statement if it does not hold as printed.
  bool holds() const;
  std::string verdict() const;  ///< of Finding, or "FAILED"
  ByDecider decided() const;    ///< outcomes
  /// The strongest of what decided its outcomes.
  Decider decided_by() const;
  double seconds() const;
  /// "4..9 / 4..9": steps or cycles over all runs, as measured and as expected, with ">=" or "<=" before
  /// what is expected if all are so bounded; "-" if there are none.
  std::string range() const;
  /// "+1", "+1..2": how many steps more the runs take if hosts start with empty queues; empty if none was
  /// made.
  std::string more_with_empty_hosts() const;
};

/// The table of claims, line by line, so that each can be printed as soon as it is decided.
class ClaimLines {
 public:
  /// The columns are as wide as what is known of the claims before they are decided.
  explicit ClaimLines(const std::vector<ClaimRow>& rows);
  std::string heading() const;
  /// A claim's line, with the smallest counterexample and what failed below it.
  std::string of(const ClaimRow& row) const;

 private:
  template <class... Words>
  std::string line(const Words&... words) const;
  std::size_t id_ = 5, section_ = 7;
};
Json claims_json(const std::vector<ClaimRow>& rows);
/// A test suite for each claim, a test case for each run and check.
std::string claims_junit(const std::vector<ClaimRow>& rows);
/// A page in Markdown on what was found of these rows, for readers who do not know the papers: by paper,
/// first what does not hold as printed, then all statements. The same after a quick and after a full
/// verification if both come out alike: the smallest counterexample is among the quick sizes.
std::string claims_page(const std::vector<ClaimRow>& rows);

/// The same as a page: a row per claim, its runs and checks below it. `command`: that repeats it.
std::string ledger_page(const std::vector<ClaimRow>& rows, const std::string& command);

}  // namespace safnet
