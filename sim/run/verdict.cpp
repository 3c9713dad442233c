#include "sim/run/verdict.hpp"

#include <fmt/format.h>

#include <array>

namespace safnet {

const std::string& to_string(Verdict verdict) {
  static const std::array<std::string, 6> names{"optimal", "as-published", "within-bound",
                                                "worse",   "failed",       "stuck"};
  return names.at(static_cast<std::size_t>(verdict));
}

Promise promise_of(const RunRequest& request, const Algorithm& algorithm, int slot_cycles, int hop_cycles) {
  Promise promise;
  if (request.problem.graph.has_unequal_links()) {
    promise.bound = lower_bound_in_cycles(request.problem, static_cast<std::uint32_t>(request.flits),
                                          static_cast<std::uint32_t>(request.link_latency));
    return promise;
  }
  promise.bound = request.bound ? *request.bound : lower_bound(request.problem);
  if (slot_cycles == hop_cycles) {
    promise.closed_form = request.closed_form ? *request.closed_form : algorithm.closed_form(request.problem);
    promise.step_cycles = static_cast<std::uint32_t>(slot_cycles);
  } else {
    promise.bound.steps *= static_cast<std::uint64_t>(request.flits);
  }
  if (request.hosts == HostStart::kEmpty) {
    // No packet is in a node before its host has injected it: in lockstep it leaves in the second step at the
    // earliest.
    const bool in_steps = promise.step_cycles.has_value();
    promise.bound.steps += in_steps ? 1 : static_cast<std::uint64_t>(request.flits);
    promise.bound.reason += in_steps ? "; one more, in which hosts inject" : "; and the first injection";
    if (promise.closed_form) ++*promise.closed_form;
  }
  return promise;
}

Verdict judge(const Promise& promise, Account& account, std::uint32_t scan_cycles) {
  if (account.stuck) return Verdict::kStuck;
  const std::vector<std::string>& problems = account.problems;
  if (promise.step_cycles && problems.empty() &&
      account.cycles != scan_cycles + std::uint64_t{account.steps} * *promise.step_cycles) {
    account.complain("{} cycles are not {} steps of {} cycles{}", account.cycles, account.steps,
                     *promise.step_cycles,
                     scan_cycles == 0 ? "" : fmt::format(" after {} of scan", scan_cycles));
  }
  if (account.steps < promise.bound.steps && problems.empty())
    account.complain("{} steps are fewer than the lower bound of {}", account.steps, promise.bound.steps);
  if (!problems.empty()) return Verdict::kFailed;
  if (account.steps == promise.bound.steps) return Verdict::kOptimal;
  if (!promise.closed_form || account.steps < *promise.closed_form) return Verdict::kWithinBound;
  if (account.steps == *promise.closed_form) return Verdict::kAsPublished;
  if (promise.closed_form_binds)
    account.complain("{} steps are more than the closed form, {}", account.steps, *promise.closed_form);
  return Verdict::kWorse;
}

}  // namespace safnet
