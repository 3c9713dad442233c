// msccl_write - schedules as programs for the MSCCL runtimes, in XML.
#pragma once

#include <string>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The schedule as a program: a thread block per peer and channel (parallel links are channels), one for
/// local work. Read onto the same network it takes no more steps. Throws std::invalid_argument, naming what
/// the format cannot hold: above all packets that are none of its collectives, and nodes that only route.
std::string msccl_text(const Schedule& schedule);

}  // namespace safnet
