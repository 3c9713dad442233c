#include "sim/report/claim_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace safnet {

std::string ClaimOutcome::in_words() const {
  if (!on_hardware || unit == Unit::kNothing) return "";
  return completed ? fmt::format(": {} {}", measured, unit == Unit::kCycles ? "cycles" : "steps")
                   : ": goes wrong";
}

const ClaimOutcome* ClaimRow::counterexample() const {
  const ClaimOutcome* smallest = nullptr;
  for (const ClaimOutcome& o : outcomes) {
    if (o.printed.empty() || !o.problem.empty()) continue;
    if (smallest == nullptr || o.nodes < smallest->nodes) smallest = &o;
  }
  return smallest;
}

bool ClaimRow::holds() const {
  return !outcomes.empty() && std::ranges::all_of(outcomes, &std::string::empty, &ClaimOutcome::problem) &&
         (claim->finding == Finding::kHolds) == (counterexample() == nullptr);
}

std::string ClaimRow::verdict() const { return holds() ? to_string(claim->finding) : "FAILED"; }

std::size_t ClaimRow::runs() const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, true, &ClaimOutcome::on_hardware));
}

double ClaimRow::seconds() const {
  double sum = 0;
  for (const ClaimOutcome& o : outcomes) sum += o.seconds;
  return sum;
}

std::string ClaimRow::range() const {
  std::vector<std::uint64_t> measured, expected;
  bool cycles = false;
  for (const ClaimOutcome& o : outcomes) {
    if (!o.on_hardware || !o.completed || o.unit == ClaimOutcome::Unit::kNothing) continue;
    measured.push_back(o.measured);
    expected.push_back(o.expected);
    cycles |= o.unit == ClaimOutcome::Unit::kCycles;
  }
  if (measured.empty()) return "-";
  const auto [low, high] = std::ranges::minmax(measured);
  const auto [expected_low, expected_high] = std::ranges::minmax(expected);
  return fmt::format("{}..{} / {}..{}{}", low, high, expected_low, expected_high, cycles ? " cycles" : "");
}

}  // namespace safnet
