// step_timetable - what a schedule must be like for formats that know steps, not cycles.
#pragma once

#include <string>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// "packet 3 of node 0": tag and origin.
std::string packet_name(const PacketList& packets, PacketIndex p);

/// What a format of steps cannot say of a schedule: packets of different lengths, packets that take longer
/// than a slot, operations other than sums. Empty if there is nothing.
std::string what_steps_cannot_say(const Schedule& schedule);

}  // namespace safnet
