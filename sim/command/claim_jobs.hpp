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

/// Every case by schedules runs with single-flit packets, where a step is a cycle, and with packets of
/// several flits over links with latency, where a step must be exactly a slot.
inline constexpr int kLockstepFlits = 4, kLockstepLatency = 1;

/// A timetable that several runs of a case share: planned once, by the first of them, and forgotten after the
/// last.
struct SharedPlan;

/// A case by schedules, as one of its runs.
struct ScheduledCase : ClaimCase {
  RunRequest request;
  bool lockstep = false;
  std::shared_ptr<SharedPlan> plan;  ///< null: a policy
  std::shared_ptr<RunPlan> planned;  ///< by plan_hardware(), for the run
};

/// One run or check.
struct ClaimJob {
  std::size_t claim = 0;  ///< by its place among those that were chosen
  std::variant<ClaimCheck, ScheduledCase, OnlineCase, DynamicCase> what;
};

std::vector<ClaimJob> claim_jobs(const std::vector<const Claim*>& chosen, bool full);

/// The hardware that a job needs, as far as it is known before it is run: what a timetable needs is known
/// once it is planned. Routers are planned here, once: the job keeps the plan for its run.
std::optional<Hardware> plan_hardware(ClaimJob& job);

/// Runs it and judges what comes out. Does not throw: what goes wrong is the outcome's problem.
ClaimOutcome run_claim_job(ClaimJob& job, NodePool& pool);

}  // namespace safnet
