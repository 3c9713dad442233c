// partial_broadcast_schedule - plans of partial broadcasts and accumulations as schedules: which packet every
// transfer carries.
#pragma once

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The transfers as a schedule in cycles, for check_schedule(). A broadcast packet is made of the packed one,
/// and an unpacked result of what was combined, unless packets are split: halves are packets of their own. An
/// accumulation's packets are combined at every node where they meet. Prefix packets are packets of one hop.
Schedule schedule_of_plan(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                          const PartialPlan& plan);

}  // namespace safnet
