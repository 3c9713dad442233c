// replay - a schedule on the hardware: program the tdm_nodes, let them run, hold what they did against the
// plan.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/schedule.hpp"
#include "sim/run/account.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/tdm/tdm_program.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

struct ReplayRequest : HardwareOptions {
  int buffers = 0;        ///< build nodes of so many instead; 0: as needed
  int program_depth = 4;  ///< instructions that each program queue of a node holds
  int feed_interval = 1;  ///< cycles between two instructions from a host for one program
  bool fitted = false;    ///< as in RunSettings: nodes with what the schedule needs and no more
};

struct ReplayResult : Account {
  NetworkModel model = NetworkModel::kRtl;
  TdmParameters parameters;
  Hardware hardware;
  bool fitted = false;              ///< as requested
  std::uint64_t planned_steps = 0;  ///< slot in which the last delivery was to complete
  std::uint64_t planned_cycles = 0;
  std::uint64_t on_time = 0;       ///< sends that started in the very cycle of the plan
  std::uint32_t peak_buffers = 0;  ///< this and the next: what the plan needs; see TdmProgram
  std::uint32_t peak_packets = 0;
  /// Most buffers in use at once at a node, by its own counter. Of the reference, which has a buffer for each
  /// packet: those that held one, complete or arriving.
  std::uint32_t measured_buffers = 0;
};

/// Runs a schedule. Builds the variant if it is missing. The schedule need not be valid: then the run is
/// late, stuck, or misses deliveries, and says so. Throws std::invalid_argument for what no hardware can run.
ReplayResult replay(const Schedule& schedule, const ReplayRequest& request, VariantStore& store);
/// The same with a program that has been compiled.
ReplayResult replay(const Schedule& schedule, const TdmProgram& program, const ReplayRequest& request,
                    VariantStore& store);

/// What the hardware did, as a schedule of the same packets. Its slots are those of the plan if every send
/// started with one, otherwise cycles.
Schedule schedule_of_replay(const Schedule& planned, const Trace& trace);

/// The hardware that a replay will use.
TdmParameters replay_parameters(const Schedule& schedule, const TdmProgram& program,
                                const ReplayRequest& request);

}  // namespace safnet
