// schedule_commands - `safnet plan`, `check`, `replay` and `convert`: schedules made, judged, run,
// translated.
#pragma once

#include <string>

#include "cpp_model/schedule/problem.hpp"
#include "sim/run/replay.hpp"

namespace safnet {

struct PlanOptions {
  std::string algorithm = "auto";
  std::uint32_t flits = 1, link_latency = 0;
  bool lockstep = true;
  bool reverse = false;
  std::string operation = "sum";
  std::string output;  ///< file; empty: only the summary
  bool json = false;
};

/// Where a schedule comes from, for the commands that read one.
struct ScheduleSource {
  std::string path;
  std::string topology;       ///< for formats that hold none
  std::string ports = "all";  ///< for formats that do not say
};

struct ReplayOptions {
  ReplayRequest request;
  bool pifo = false;                          ///< on pifo_nodes
  bool force = false;                         ///< even if the schedule is not valid
  std::uint32_t flits = 0, link_latency = 0;  ///< gives a schedule of steps these packets; 0 flits: as it is
  std::string trace;                          ///< file for what the hardware did, as a schedule
  std::string wave_nodes, wave_cycles;
  bool json = false;
};

/// Each returns the exit code: 0 all is well, 1 the schedule is not valid or its run not as planned, 3 stuck.
/// Throw std::invalid_argument for what the user got wrong.
int plan_command(const Problem& problem, const PlanOptions& options);
int check_command(const ScheduleSource& source, bool json);
int replay_command(const ScheduleSource& source, ReplayOptions options, VariantStore& store);
int convert_command(const ScheduleSource& source, const std::string& output);

}  // namespace safnet
