// verdict - an account held against what was promised: closed form, lower bound, the length of a step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/run/account.hpp"
#include "sim/run/run_request.hpp"

namespace safnet {

enum class Verdict : std::uint8_t {
  kOptimal,      ///< steps equal the lower bound
  kAsPublished,  ///< steps equal the closed form
  kWithinBound,  ///< better than the closed form, or above the lower bound where there is no closed form
  kWorse,        ///< more steps than the closed form
  kFailed,       ///< not all was delivered, or a rule was broken
  kStuck,        ///< the run stopped making progress
};
const std::string& to_string(Verdict verdict);

/// What is known before a run about how long it takes.
struct Promise {
  LowerBound bound;  ///< steps that no algorithm can beat
  ClosedForm closed_form;
  /// Whether more steps than the closed form are a failure: not if queues are so short that senders may wait.
  bool closed_form_binds = true;
  /// Cycles of a step if packets start on slot boundaries alone; nothing if nodes run freely.
  std::optional<std::uint32_t> step_cycles;
};

/// The promise of an algorithm. A step is a packet's time on a link, `hop_cycles`, if `slot_cycles` says so.
/// In free running a step is a cycle: closed forms, which count steps, say nothing then, and the lower bound
/// is multiplied by the packets' flits, as every packet holds each link and each port for that many cycles.
/// Where hosts start with empty queues both are of the step more that the first injection takes.
Promise promise_of(const RunRequest& request, const Algorithm& algorithm, int slot_cycles, int hop_cycles);

/// Judges, and adds a line to the problems for each promise that was broken. `scan_cycles`: of the account's
/// cycles, those before the first step.
Verdict judge(const Promise& promise, Account& account, std::uint32_t scan_cycles = 0);

}  // namespace safnet
