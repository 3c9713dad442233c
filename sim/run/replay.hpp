// replay - a schedule on the hardware: program the tdm_nodes, let them run, hold what they did against the
// plan.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "sim/tdm/tdm_fabric.hpp"
#include "sim/tdm/tdm_program.hpp"
#include "sim/variant/variant.hpp"

namespace safnet {

struct ReplayRequest {
  unsigned threads = 1;
  bool skip_idle = true;
  bool keep_trace = false;
  bool whole_network = false;  ///< run tdm_network.sv instead of the fabric
  bool exact_buffers = true;   ///< build nodes with exactly the buffers that are needed
  int buffers = 0;             ///< build nodes of so many instead; 0: as needed
  int program_depth = 4;       ///< instructions that each program queue of a node holds
  int feed_interval = 1;       ///< cycles between two instructions from a host for one program
  NodePool* pool = nullptr;    ///< keeps nodes between runs; see FabricOptions
  WaveRequest wave;
  std::vector<LinkFault> faults;  ///< active from the start to the end of cycle `fault_until`
  std::uint32_t fault_until = 0;
  /// Called now and then with (deliveries so far, expected, cycle).
  std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)> on_progress;
};

struct ReplayResult {
  TdmParameters parameters;
  std::uint64_t planned_steps = 0;  ///< slot in which the last delivery was to complete
  std::uint64_t planned_cycles = 0;
  std::uint32_t steps = 0;   ///< slot in which it did; from the hardware
  std::uint32_t cycles = 0;  ///< cycle in which it did; from the hardware
  std::uint64_t transmissions = 0;
  std::uint64_t on_time = 0;  ///< sends that started in the very cycle of the plan
  std::uint64_t late = 0;     ///< sends that could not, by the nodes' own account
  std::uint64_t delivered = 0;
  std::uint64_t expected_deliveries = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t delay_sum = 0;     ///< of the slots of all deliveries
  std::uint32_t peak_buffers = 0;  ///< what the plan needs; see TdmProgram
  std::uint32_t peak_packets = 0;
  std::uint32_t measured_buffers = 0;  ///< most buffers in use at once at a node, by its own counter
  bool stuck = false;
  double build_seconds = 0;
  double run_seconds = 0;
  std::uint64_t node_evaluations = 0;
  std::vector<std::string> problems;  ///< what is wrong, one line each; empty: all as planned
  std::vector<std::string> waits;     ///< stuck: who waits for what
  Trace trace;                        ///< if it was asked for

  /// 0 all as planned, 1 something is wrong or late, 3 stuck.
  int exit_code() const { return stuck ? 3 : problems.empty() ? 0 : 1; }
};

/// Runs it. Builds the variant if it is missing. The schedule need not be valid: then the run is late, stuck,
/// or misses deliveries, and says so. Throws std::invalid_argument for what no hardware can run.
ReplayResult replay(const Schedule& schedule, const ReplayRequest& request, VariantStore& store);
/// The same with a program that has been compiled.
ReplayResult replay(const Schedule& schedule, const TdmProgram& program, const ReplayRequest& request,
                    VariantStore& store);

/// What the hardware did, as a schedule of the same packets. Slots are those of the plan if everything
/// started with one, otherwise cycles.
Schedule schedule_of_replay(const Schedule& planned, const Trace& trace);

/// The hardware that a replay will use.
TdmParameters replay_parameters(const Schedule& schedule, const TdmProgram& program,
                                const ReplayRequest& request);

}  // namespace safnet
