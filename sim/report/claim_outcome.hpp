// claim_outcome - what came of the runs and checks of a published statement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// Of one run or check.
struct ClaimOutcome {
  enum class Unit : std::uint8_t { kSteps, kCycles, kNothing };  ///< of what is counted
  std::string name;                                              ///< the command that does the same
  std::uint64_t measured = 0, expected = 0;
  std::uint64_t nodes = 0;
  bool on_hardware = true;
  bool lockstep = false;  ///< packets of several flits, in slots
  bool completed = true;  ///< false: the run was expected to go wrong, and did
  Unit unit = Unit::kSteps;
  std::string problem;  ///< empty: as expected
  std::string printed;  ///< what the printed statement says otherwise
  double seconds = 0;
  /// ": 7 steps", ": goes wrong", or nothing.
  std::string in_words() const;
};

/// Of a whole statement.
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

}  // namespace safnet
