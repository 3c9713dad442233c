#include "sim/run/verdict.hpp"

#include <fmt/format.h>

#include <array>

namespace safnet {

const std::string& to_string(Verdict verdict) {
  static const std::array<std::string, 6> names{"optimal", "as-published", "within-bound",
                                                "worse",   "failed",       "stuck"};
  return names.at(static_cast<std::size_t>(verdict));
}

Promise promise_of(const Problem& problem, const Algorithm& algorithm, const std::optional<LowerBound>& bound,
                   int slot_cycles, int hop_cycles, int flits) {
  Promise promise;
  promise.bound = bound ? *bound : lower_bound(problem);
  if (slot_cycles == hop_cycles) {
    promise.closed_form = algorithm.closed_form(problem);
    promise.step_cycles = static_cast<std::uint32_t>(slot_cycles);
  } else {
    promise.bound.steps *= static_cast<std::uint64_t>(flits);
  }
  return promise;
}

Verdict judge(const Promise& promise, Account& account, std::uint32_t scan_cycles) {
  if (account.stuck) return Verdict::kStuck;
  std::vector<std::string>& problems = account.problems;
  if (promise.step_cycles && problems.empty() &&
      account.cycles != scan_cycles + std::uint64_t{account.steps} * *promise.step_cycles) {
    problems.push_back(fmt::format("{} cycles are not {} steps of {} cycles{}", account.cycles, account.steps,
                                   *promise.step_cycles,
                                   scan_cycles == 0 ? "" : fmt::format(" after {} of scan", scan_cycles)));
  }
  if (account.steps < promise.bound.steps && problems.empty()) {
    problems.push_back(
        fmt::format("{} steps are fewer than the lower bound of {}", account.steps, promise.bound.steps));
  }
  if (!problems.empty()) return Verdict::kFailed;
  if (account.steps == promise.bound.steps) return Verdict::kOptimal;
  if (!promise.closed_form || account.steps < *promise.closed_form) return Verdict::kWithinBound;
  if (account.steps == *promise.closed_form) return Verdict::kAsPublished;
  if (promise.closed_form_binds) {
    problems.push_back(
        fmt::format("{} steps are more than the closed form, {}", account.steps, *promise.closed_form));
  }
  return Verdict::kWorse;
}

}  // namespace safnet
