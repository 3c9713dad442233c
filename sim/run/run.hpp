// run - one collective on the hardware: choose parameters, program the nodes, let them run, account for every
// packet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/account.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/verdict.hpp"

namespace safnet {

enum class SlotMode : std::uint8_t {
  kLockstep,  ///< a step lasts flits + link latency (+ grant) cycles; packets start on slot boundaries
  kFree,      ///< a packet may start in any cycle; steps are cycles
};
enum class GrantMode : std::uint8_t { kAutomatic, kOn, kOff };
enum class NetworkModel : std::uint8_t {
  kRtl,
  kSystemC,  ///< the reference, cpp_model/systemc: same parameters, same checks, no waveform, one thread
};

enum class NodeChoice : std::uint8_t {
  kAutomatic,  ///< routers for a policy, tdm_nodes for a timetable
  kRouter,     ///< nodes that decide for themselves; a timetable becomes labels and ranks
  kTdm,        ///< nodes that obey a timetable; a policy is written down beforehand
};
const std::string& to_string(NodeChoice choice);  ///< "auto", "pifo" (what routers are by default), "tdm"

struct RunRequest : HardwareOptions {
  explicit RunRequest(Problem wanted) : problem(std::move(wanted)) {}
  Problem problem;
  std::string
      algorithm;  ///< empty: the best policy that applies; "auto": the best of all, see choose_algorithm
  NodeChoice node = NodeChoice::kAutomatic;
  SharedRouterKind router = pifo_router();  ///< what routers are
  /// The algorithm's schedule of steps, if it has been planned already.
  std::shared_ptr<const Schedule> steps;
  /// Steps that no algorithm can beat, if more is known than lower_bound() finds.
  std::optional<LowerBound> bound;
  NetworkModel model = NetworkModel::kRtl;
  int flits = 1;
  int link_latency = 0;  ///< cycles
  SlotMode slot = SlotMode::kLockstep;
  int queue_depth = 0;  ///< packets per input and queue; 0: as many as can ever wait, up to 4096
  int host_depth =
      0;  ///< packets of its own that a node's queue takes; 0: all, up to 4096. The host keeps the rest
  GrantMode grants = GrantMode::kAutomatic;
  bool exact_buffers = true;  ///< tdm_nodes of exactly the buffers needed; else of sizes that variants share
};

struct RunResult : Account {
  std::string algorithm;
  std::string algorithm_source;
  std::string choice;  ///< why this algorithm, if it was the program's to choose
  NodeChoice node = NodeChoice::kRouter;
  /// The routers serve packets in order of arrival, although the policy has ranks or orders of service: it is
  /// carried out, but not with the steps that are promised for it.
  bool order_ignored = false;
  Hardware hardware;
  PifoParameters parameters;      ///< of a timetable those that both kinds have; queue_depth: buffers
  std::uint32_t pieces = 1;       ///< that packets were split into; `parameters.flits` is the length of one
  std::uint32_t scan_cycles = 0;  ///< of exchange_nodes, before the first step; from the hardware
  std::optional<std::uint64_t> closed_form;
  LowerBound lower_bound;
  Verdict verdict = Verdict::kFailed;
  /// Timetables: buffers that the fullest node needs; what its own counter says.
  std::uint32_t planned_buffers = 0, measured_buffers = 0;
  bool validated = false;                ///< the trace was replayed against causality and port limits
  std::shared_ptr<const Schedule> plan;  ///< of a timetable, with the run's packets, if a trace was asked for
};

/// What an algorithm makes of a problem, sized for the hardware: a policy of routers or a timetable.
struct RunPlan {
  RunRequest request;  ///< with the pieces and the bound that the choice led to
  const Algorithm* algorithm = nullptr;
  std::string why;  ///< this algorithm, if it was the program's to choose
  struct Routers {
    Policy policy;
    PifoParameters parameters;
  };
  struct Timetable {
    std::shared_ptr<const Schedule> schedule;  ///< with the run's packets
    std::shared_ptr<const TdmProgram> program;
    TdmParameters parameters;
  };
  std::variant<Routers, Timetable> what;
  bool order_ignored = false;  ///< see RunResult
  Hardware hardware;
};

/// Chooses, plans and sizes. Throws std::invalid_argument for what the user got wrong.
RunPlan plan_run(const RunRequest& request);
/// Runs what was planned. Builds the variant if it is missing.
RunResult run(const RunPlan& plan, VariantStore& store);
/// Both.
RunResult run_collective(const RunRequest& request, VariantStore& store);

/// Runs a policy that no algorithm of the registry made.
RunResult run_policy(const RunRequest& request, const Algorithm& algorithm, const Policy& policy,
                     VariantStore& store);

/// Whether the request's routers would serve the policy's packets, or the ports of a packet, in another order
/// than it says, as plain routers do.
bool ignores_order(const RunRequest& request, const Policy& policy);

/// RTL parameters for a request. Throws std::invalid_argument if no hardware can run it (too many ports,
/// nodes, flits or too much memory), naming the value and the legal range.
PifoParameters choose_parameters(const RunRequest& request, const Policy& policy);

/// The trace of a run as a schedule.
Schedule schedule_of_run(const RunRequest& request, const RunResult& result);

}  // namespace safnet
