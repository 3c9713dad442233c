// large_exchange - personal packets on large networks: ways by destination, then steps by queues.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A timetable for any collective of personal packets, named `algorithm`, on any network of nodes that all
/// process: balanced_flows(), then schedule_paths() by the best of a few rules. Time grows with the hops of
/// the packets, and destinations times links.
Schedule plan_large(const Problem& problem, const char* algorithm);

}  // namespace safnet
