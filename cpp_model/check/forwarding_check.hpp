// forwarding_check - does a schedule keep to a limit on forwarding?
#pragma once

#include <cstdint>

#include "cpp_model/check/schedule_report.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Adds a violation for every send that ends a chain of more than `most` links (see Forwarding) to the report
/// on a schedule, and words for the first of them. A schedule that is not valid is not looked at: its chains
/// mean nothing.
void check_forwarding(const Schedule& schedule, std::uint32_t most, ScheduleReport& report);

}  // namespace safnet
