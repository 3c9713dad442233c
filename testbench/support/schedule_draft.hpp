// schedule_draft - schedules that tests change in one place before they are checked.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"

namespace safnet::testbench {

/// A packet of a draft.
struct Row {
  NodeId origin;
  std::uint32_t tag, flits;
  std::vector<NodeId> destinations;
  std::vector<PacketIndex> parts;
};

/// A schedule whose packets can be changed.
struct Draft {
  Schedule schedule;
  std::vector<Row> packets;

  explicit Draft(Schedule of) : schedule(std::move(of)) {
    const PacketList& list = schedule.packets;
    for (PacketIndex p = 0; p < list.size(); ++p) {
      packets.push_back({list.origin(p),
                         list.tag(p),
                         list.flits(p),
                         {list.destinations(p).begin(), list.destinations(p).end()},
                         {list.parts(p).begin(), list.parts(p).end()}});
    }
  }
  const Schedule& written() {
    schedule.packets = {};
    for (const Row& row : packets)
      schedule.packets.add(row.origin, row.tag, row.flits, row.destinations, row.parts);
    return schedule;
  }
};

/// What a report says first: "valid", or the first violation.
inline std::string first_words(const ScheduleReport& report) {
  return report.valid() ? "valid" : report.violations.front().text;
}

}  // namespace safnet::testbench
