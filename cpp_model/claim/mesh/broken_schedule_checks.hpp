// broken_schedule_checks - does check_schedule() see schedules of partial broadcasts that are broken in one
// place?
#pragma once

#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// Every transfer of a few schedules is doubled, left out, moved, or cut short (mesh.V0).
std::vector<ClaimCheck> broken_schedules_checks(bool full);

}  // namespace safnet
