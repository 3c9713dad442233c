// first_violation - what is wrong with a schedule, for tests.
#pragma once

#include <string>

#include "cpp_model/check/schedule_check.hpp"

namespace safnet::testbench {

/// The first thing that the checker finds; empty if the schedule is valid.
inline std::string first_violation(const Schedule& schedule) {
  const ScheduleReport report = check_schedule(schedule, 1);
  return report.valid() ? "" : report.violations.front().text;
}

}  // namespace safnet::testbench
