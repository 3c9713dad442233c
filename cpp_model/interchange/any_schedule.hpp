// any_schedule - schedules in whatever format a file's name says.
#pragma once

#include <string>

#include "cpp_model/interchange/read_schedule.hpp"

namespace safnet {

struct ScheduleReading {
  /// The network, for formats that hold none (MSCCL XML): a spelling of make_topology(). Empty: not given.
  std::string topology = {};
  /// The port model, for formats that hold none (MSCCL XML).
  PortModel ports = PortModel::kAllPort;
  MscclReading msccl = {};
};

/// Reads FILE.json, FILE.json.gz (schedule_reader), FILE.msccl.json (SCCL) or FILE.xml (MSCCL). Throws
/// std::invalid_argument with one line that names the file and what is wrong.
ReadSchedule read_any_schedule(const std::string& path, const ScheduleReading& reading);

/// Writes in the format that the name of the file says. Throws std::invalid_argument if the format cannot
/// hold the schedule, naming what.
void write_any_schedule(const Schedule& schedule, const std::string& path);

}  // namespace safnet
