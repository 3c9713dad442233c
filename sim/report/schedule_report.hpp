// schedule_report - schedules as they were planned, checked and replayed, in words and as JSON; see
// sim/report/README.md for the fields.
#pragma once

#include <optional>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "sim/report/report.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run.hpp"

namespace safnet {

/// A schedule and how it came about.
struct PlannedSchedule {
  const Problem& problem;
  const Choice& choice;
  const Schedule& schedule;
  ScheduleReport report;
  LowerBound bound;
  double plan_seconds = 0, check_seconds = 0;
  std::string written_to;  ///< path of the file; empty: it was not written
  std::optional<WholeFigures> whole = {};
};
Json to_json(const PlannedSchedule& planned);
std::string to_text(const PlannedSchedule& planned);

/// A schedule from a file, and what the checker says of it.
struct CheckedSchedule {
  std::string path;
  ReadSchedule file;
  ScheduleReport report;
};
Json to_json(const CheckedSchedule& checked);
std::string to_text(const CheckedSchedule& checked);

/// The same, and its replay on tdm_nodes.
Json to_json(const CheckedSchedule& checked, const ReplayResult& result);
std::string to_text(const CheckedSchedule& checked, const ReplayResult& result);

/// The same, and its run on pifo_nodes, whose closed form is the number of planned steps.
Json to_json(const CheckedSchedule& checked, const RunRequest& request, const RunResult& result);
std::string to_text(const CheckedSchedule& checked, const RunRequest& request, const RunResult& result);

/// Flits of the shortest packet; 0 without packets.
std::uint32_t shortest_packet(const Schedule& schedule);

/// The lower bound in slots; none if the schedule does not say which collective it is, or has no bound.
std::optional<LowerBound> bound_of(const Schedule& schedule);

}  // namespace safnet
