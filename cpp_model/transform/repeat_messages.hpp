// repeat_messages - algorithms for one message made to do for M: packets repeated, timetables overlapped.
#pragma once

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The policy with every packet injected `problem.messages` times, message by message.
Policy repeat_policy(const Problem& problem, Policy policy);

/// The schedule of steps `one` of one message, repeated for each: every repetition begins as soon after the
/// last as links and ports allow, found by trying while that takes little time, otherwise when the last has
/// ended. `one` holds the packets of collective_packets() first. Throws std::invalid_argument if it becomes
/// too large.
Schedule repeat_schedule(const Problem& problem, const Schedule& one);

}  // namespace safnet
