// sccl_file - algorithms of SCCL and msccl-tools as JSON (*.msccl.json): topology, chunks, global steps.
//
// What maps onto what is in README.md here.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/interchange/read_schedule.hpp"

namespace safnet {

/// Reads an algorithm; `shown` names the file in messages. Where every step has one round, sends keep their
/// rounds as steps; otherwise they are scheduled in the order of the file, each as early as links, ports and
/// its data allow, within the published number of rounds. Throws std::invalid_argument with one line.
ReadSchedule read_sccl(std::string_view text, const std::string& shown);

/// The schedule in this format, one step per slot. Reading it gives the same schedule. Throws
/// std::invalid_argument, naming what the format cannot hold: packets of different lengths, packets that take
/// longer than a slot, operations other than sums, combinations that shared addresses do not express.
std::string sccl_text(const Schedule& schedule);

}  // namespace safnet
