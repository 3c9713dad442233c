// comparison_report - two schedules beside each other, in words and as JSON; see README.md for the fields.
#pragma once

#include <string>

#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/schedule/schedule_difference.hpp"
#include "sim/page/compare_page.hpp"
#include "sim/report/report.hpp"

namespace safnet {

/// Two files with schedules, and in what they differ.
struct ComparedSchedules {
  std::string first_path, second_path;
  ReadSchedule first, second;
  ScheduleDifference difference;
};
Json to_json(const ComparedSchedules& compared);
std::string to_text(const ComparedSchedules& compared);
/// What their page says.
ComparisonStory story_of(const ComparedSchedules& compared);

}  // namespace safnet
