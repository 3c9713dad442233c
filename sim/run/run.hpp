// run - one collective on the hardware: choose parameters, program the nodes, let them run, account for every
// packet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/account.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/verdict.hpp"

namespace safnet {

struct RunResult : Account {
  std::string algorithm;
  std::string algorithm_source;
  std::string choice;  ///< why this algorithm, if the program chose it
  NodeChoice node = NodeChoice::kRouter;
  /// The routers serve packets in order of arrival, although the policy has ranks or orders of service: it is
  /// carried out, but not with the steps that are promised for it.
  bool order_ignored = false;
  Hardware hardware;
  PifoParameters parameters;       ///< of tdm_nodes: those that they have too; queue_depth is their buffers
  std::uint32_t pieces = 1;        ///< that packets were split into; `parameters.flits` is the length of one
  std::uint32_t scan_cycles = 0;   ///< of exchange_nodes, before the first step; from the hardware
  std::uint64_t host_waiting = 0;  ///< packets that did not fit into the queues at the start: hosts kept them
  std::uint32_t window = 0;        ///< messages of a host on their way at once; 0: as many as there are
  std::optional<std::uint64_t> closed_form;
  LowerBound lower_bound;
  Verdict verdict = Verdict::kFailed;
  /// Timetables: buffers that the fullest node needs; what its own counter says.
  std::uint32_t planned_buffers = 0, measured_buffers = 0;
  bool validated = false;                ///< the trace was replayed against causality and port limits
  std::shared_ptr<const Schedule> plan;  ///< of a timetable, with the run's packets, if a trace was asked for
};

/// Runs what was planned. Builds the variant if it is missing. If a policy for several messages needs deeper
/// queues than there can be and gets stuck, it runs again with a window of as many messages as the queues
/// hold.
RunResult run(const RunPlan& plan, VariantStore& store);
/// Plans and runs. Throws std::invalid_argument for what the user got wrong.
RunResult run_collective(const RunRequest& request, VariantStore& store);

/// Runs a policy that no algorithm of the registry made.
RunResult run_policy(const RunRequest& request, const Algorithm& algorithm, const Policy& policy,
                     VariantStore& store);

/// The trace of a run as a schedule.
Schedule schedule_of_run(const RunRequest& request, const RunResult& result);

}  // namespace safnet
