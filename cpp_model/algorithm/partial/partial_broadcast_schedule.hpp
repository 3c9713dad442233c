// partial_broadcast_schedule - plans of partial broadcasts and accumulations as schedules.
#pragma once

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The transfers as a schedule in cycles, for check_schedule(); see partial_schedule_writer.hpp for what its
/// packets are. Halves are packets of their own.
Schedule schedule_of_plan(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                          const PartialPlan& plan);

}  // namespace safnet
