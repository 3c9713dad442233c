// schedule_check - is a schedule valid? Judged from the schedule alone: links, ports, store and forward, and
// what must arrive where.
//
// It knows nothing of algorithms, buffers or programs. A planned schedule, one read from a file and a trace
// of the hardware are judged by the same rules. Time and memory grow linearly with packets and sends (some 12
// bytes a packet, 4 a send); only names out of order are sorted, and only results that share a packet with
// others are looked into one by one.
#pragma once

#include <cstddef>

#include "cpp_model/check/schedule_report.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Judges a schedule. Keeps the first `limit` violations: packets first, then sends in order of time, then
/// what never arrived. After a violation judging goes on as if the offending packet or send were right, so
/// that one mistake is reported once where possible: a packet that is sent too early counts as arrived, and
/// two packets that share a link are not reported for sharing its ports as well. Throws std::invalid_argument
/// for 2^32 sends or more.
ScheduleReport check_schedule(const Schedule& schedule, std::size_t limit = 20);

}  // namespace safnet
