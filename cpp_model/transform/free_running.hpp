// free_running - a schedule of steps for nodes that start packets in any cycle.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Gives a schedule of steps (see in_lockstep()) packets of `flits` flits: a slot is a cycle, and every send
/// starts as soon as its packet is there and link and ports are free, in the order of the plan. Throws
/// std::invalid_argument for a schedule that is not of steps.
Schedule free_running(Schedule steps, std::uint32_t flits, std::uint32_t link_latency);

}  // namespace safnet
