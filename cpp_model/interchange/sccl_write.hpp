// sccl_write - schedules as algorithms of SCCL and msccl-tools, in JSON (*.msccl.json).
#pragma once

#include <string>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The schedule in this format, one step per slot. Reading it gives the same schedule. Throws
/// std::invalid_argument, naming what the format cannot hold: packets of different lengths, packets that take
/// longer than a slot, operations other than sums, combinations that shared addresses do not express.
std::string sccl_text(const Schedule& schedule);

}  // namespace safnet
