// fault_of - the first thing that is wrong with a schedule, for tests of what makes schedules.
#pragma once

#include <string>

#include "cpp_model/check/schedule_check.hpp"

namespace safnet::testbench {

/// Empty if it is valid. The checker itself is held against an oracle in test_schedule_check_oracle.cpp.
inline std::string fault_of(const Schedule& schedule) {
  const ScheduleReport report = check_schedule(schedule, 1);
  return report.valid() ? "" : report.violations.front().text;
}

}  // namespace safnet::testbench
