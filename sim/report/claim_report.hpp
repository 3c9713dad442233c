// claim_report - the outcomes of `safnet verify`: lines for people, JSON and JUnit for programs, a page on
// the findings.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/claim/claim.hpp"
#include "sim/report/report.hpp"

namespace safnet {

/// What came of one run or check.
struct ClaimOutcome {
  enum class Unit : std::uint8_t { kSteps, kCycles, kNothing };  ///< of `measured` and `expected`
  std::string name;                                              ///< the command that does the same
  std::uint64_t measured = 0, expected = 0;
  std::uint64_t nodes = 0;
  bool on_hardware = true;
  bool lockstep = false;  ///< packets of several flits, in slots
  bool completed = true;  ///< false: the run was expected to go wrong, and did
  Unit unit = Unit::kSteps;
  std::string problem;  ///< empty: as expected
  std::string printed;  ///< what the printed statement says, if that differs
  double seconds = 0;
  /// ": 7 steps", ": goes wrong", or nothing.
  std::string in_words() const;
};

/// What came of a whole statement.
struct ClaimRow {
  const Claim* claim = nullptr;
  std::vector<ClaimOutcome> outcomes = {};

  /// The outcome on the smallest network that contradicts the printed statement; null if none does.
  const ClaimOutcome* counterexample() const;
  /// Every outcome is as expected, and something contradicts the statement if it does not hold as printed.
  bool holds() const;
  std::string verdict() const;  ///< of Finding, or "FAILED"
  std::size_t runs() const;     ///< on hardware
  std::size_t checks() const { return outcomes.size() - runs(); }
  double seconds() const;
  /// "4..9 / 4..9": steps or cycles over all runs, as measured and as expected; "-" if there are none.
  std::string range() const;
};

/// A line for each claim, with the smallest counterexample and what failed below it.
std::string claims_text(const std::vector<ClaimRow>& rows);
Json claims_json(const std::vector<ClaimRow>& rows);
/// A test suite for each claim, a test case for each run and check.
std::string claims_junit(const std::vector<ClaimRow>& rows);
/// A page in Markdown on what was found of these rows, for readers who do not know the papers: by paper,
/// first what does not hold as printed, then all statements.
std::string claims_page(const std::vector<ClaimRow>& rows);

}  // namespace safnet
