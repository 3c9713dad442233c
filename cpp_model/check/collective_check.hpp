// collective_check - are a schedule's packets those of the collective that it says it is?
#pragma once

#include "cpp_model/check/findings.hpp"

namespace safnet {

/// Judges the rule ScheduleRule::kCollective for a schedule that names a collective, and adds to `findings`.
void check_collective(const Schedule& schedule, Findings& findings);

}  // namespace safnet
