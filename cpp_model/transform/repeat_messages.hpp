// repeat_messages - algorithms for one message made to do for M: packets repeated, timetables overlapped.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The policy with every packet injected `problem.messages` times, message by message, each a round.
Policy repeat_policy(const Problem& problem, Policy policy);

/// Repeats `one`, a schedule of steps for one message, for each message. A repetition begins in the first
/// step after the last one's begin in which links and ports allow it; where searching for that would take
/// long, when the last one has ended. `one` lists the packets of collective_packets() first. Throws
/// std::invalid_argument if the result becomes too large.
Schedule repeat_schedule(const Problem& problem, const Schedule& one);

}  // namespace safnet
