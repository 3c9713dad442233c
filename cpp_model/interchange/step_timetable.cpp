#include "cpp_model/interchange/step_timetable.hpp"

#include <fmt/format.h>

namespace safnet {

std::string packet_name(const PacketList& packets, PacketIndex p) {
  return fmt::format("packet {} of node {}", packets.tag(p), packets.origin(p));
}

std::string what_steps_cannot_say(const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.flits(p) != packets.longest())
      return fmt::format("{} has {} flits, others {}", packet_name(packets, p), packets.flits(p),
                         packets.longest());
  }
  if (schedule.network.has_unequal_links()) return "links differ in latency or width";
  const std::uint64_t takes = std::uint64_t{packets.longest()} + schedule.link_latency;
  if (takes > schedule.slot_cycles)
    return fmt::format("packets take {} cycles and slots {}, not in lockstep", takes, schedule.slot_cycles);
  if (packets.combines() && schedule.operation != Operation::kSum)
    return fmt::format("operation '{}', not sum", to_string(schedule.operation));
  return {};
}

}  // namespace safnet
