// run - one collective on the hardware: choose parameters, program the nodes, let them run, account for every
// packet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/machine/pifo_fabric.hpp"

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

enum class NodeKind : std::uint8_t {
  kAutomatic,  ///< pifo_nodes for a policy, tdm_nodes for a timetable
  kPifo,       ///< routers that decide for themselves; a timetable becomes labels and ranks
  kTdm,        ///< nodes that obey a timetable; a policy is written down beforehand
};
const std::string& to_string(NodeKind kind);  ///< "auto", "pifo", "tdm"

struct RunRequest {
  explicit RunRequest(Problem wanted) : problem(std::move(wanted)) {}
  Problem problem;
  std::string
      algorithm;  ///< empty: the best policy that applies; "auto": the best of all, see choose_algorithm
  NodeKind node = NodeKind::kAutomatic;
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
  unsigned threads = 1;
  bool skip_idle = true;
  bool keep_trace = false;
  NodePool* pool = nullptr;    ///< keeps nodes between runs of one thread; see FabricOptions
  bool whole_network = false;  ///< run network.sv or tdm_network.sv instead of the fabric
  bool exact_buffers = true;   ///< tdm_nodes of exactly the buffers needed; else of sizes that variants share
  WaveRequest wave;
  std::vector<LinkFault> faults;  ///< active from the start to the end of cycle `fault_until`
  std::uint32_t fault_until = 0;
  /// Called now and then with (deliveries so far, expected, cycle).
  std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)> on_progress;
  /// Called before hardware is built; true: nodes so large that it takes minutes.
  std::function<void(bool)> on_build;
};

enum class Verdict : std::uint8_t {
  kOptimal,      ///< steps equal the lower bound
  kAsPublished,  ///< steps equal the closed form
  kWithinBound,  ///< better than the closed form, or above the lower bound where there is no closed form
  kWorse,        ///< more steps than the closed form
  kFailed,       ///< not all was delivered, or a rule was broken
  kStuck,        ///< the run stopped making progress
};
std::string to_string(Verdict verdict);

struct RunResult {
  std::string algorithm;
  std::string algorithm_source;
  std::string choice;  ///< why this algorithm, if it was the program's to choose
  NodeKind node = NodeKind::kPifo;
  NodeParameters parameters;
  std::uint32_t steps = 0;   ///< slot in which the last delivery completed, counted from 1; from the hardware
  std::uint32_t cycles = 0;  ///< clock cycles until then, those of a scan included; from the hardware
  std::uint32_t pieces = 1;  ///< that packets were split into; `parameters.flits` is the length of one
  std::uint32_t scan_cycles = 0;  ///< of exchange_nodes, before the first step; from the hardware
  std::optional<std::uint64_t> closed_form;
  LowerBound lower_bound;
  Verdict verdict = Verdict::kFailed;
  std::uint64_t transmissions = 0;
  std::uint64_t delivered = 0;
  std::uint64_t expected_deliveries = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint32_t peak_queue = 0;          ///< largest occupancy of any queue, the host's own packets included
  std::uint32_t peak_transit_queue = 0;  ///< the same without them
  std::vector<QueuePeak> queue_peaks;    ///< per link; pifo_nodes under all-port only
  std::uint64_t delay_sum = 0;           ///< of the delivery steps; mean_delay = delay_sum / delivered
  /// Timetables: buffers that the fullest node needs; what its own counter says; sends that were late.
  std::uint32_t planned_buffers = 0, measured_buffers = 0;
  std::uint64_t late = 0;
  bool validated = false;  ///< the trace was replayed against causality and port limits
  double build_seconds = 0;
  double run_seconds = 0;
  std::uint64_t node_evaluations = 0;
  std::vector<std::string> problems;     ///< what is wrong, one line each; empty if all checks hold
  std::vector<std::string> waits;        ///< stuck: who waits for whom
  Trace trace;                           ///< if it was asked for
  std::shared_ptr<const Schedule> plan;  ///< of a timetable, with the run's packets, if a trace was asked for

  /// Exit code of the command line: 0 all checks hold, 1 a check failed, 3 stuck.
  int exit_code() const;
};

/// RTL parameters for a request. Throws std::invalid_argument if no hardware can run it (too many ports,
/// nodes, flits or too much memory), naming the value and the legal range.
NodeParameters choose_parameters(const RunRequest& request, const Policy& policy);
/// The kind of node that a policy runs on, with these parameters.
AnyParameters node_parameters(const NodeParameters& chosen, const Policy& policy);

/// Runs a policy on pifo_nodes, or on their reference; run_collective() chooses what.
RunResult run_policy(const RunRequest& request, const Algorithm& algorithm, const Policy& policy,
                     VariantStore& store);

/// Runs it. Builds the variant if it is missing. Throws std::invalid_argument for what the user got wrong.
RunResult run_collective(const RunRequest& request, VariantStore& store);

/// The trace of a run as a schedule.
Schedule schedule_of_run(const RunRequest& request, const RunResult& result);

/// Parameters only, without running: what a set of requests will have to build.
AnyParameters parameters_of(const RunRequest& request);

}  // namespace safnet
