// claim_jobs - the runs and checks that the claims of the ledger ask for.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "cpp_model/claim/claim.hpp"
#include "sim/report/claim_report.hpp"
#include "sim/run/run.hpp"

namespace safnet {

/// Every ScheduledCase is run twice: with packets of one flit, where a step is a cycle, and with packets of
/// kLockstepFlits over links with latency, where a step must be exactly a slot.
inline constexpr int kLockstepFlits = 4, kLockstepLatency = 1;

/// A timetable that several runs of a case share: the first of them plans it, and it is freed after the last.
struct SharedPlan;

/// One run of a case that is carried out by a policy or a timetable.
struct ScheduledCase : ClaimCase {
  RunRequest request;
  bool lockstep = false;
  std::shared_ptr<SharedPlan> plan;  ///< null: a policy
  std::shared_ptr<RunPlan> planned;  ///< by plan_hardware(), for the run
};

/// One run or check.
struct ClaimJob {
  std::size_t claim = 0;  ///< index among the chosen claims
  std::variant<ClaimCheck, ScheduledCase, OnlineCase, DynamicCase> what;
};

std::vector<ClaimJob> claim_jobs(const std::vector<const Claim*>& chosen, bool full);

/// The hardware that a job needs, as far as it is known before it is run: what a timetable needs is known
/// once it is planned. Routers are planned here, once: the job keeps the plan for its run.
std::optional<Hardware> plan_hardware(ClaimJob& job);

/// What is known of a job that has not been run: its name, the number of nodes, what decides its outcome,
/// what is expected of it, and what the paper says of it. Without a problem, as if all came out so.
ClaimOutcome outcome_before_run(const ClaimJob& job);

/// Runs a job and judges its outcome. Does not throw: an exception becomes the outcome's `problem`.
ClaimOutcome run_claim_job(ClaimJob& job, NodePool& pool);

}  // namespace safnet
