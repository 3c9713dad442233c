// large_exchange - personal packets on large networks: ways for groups of packets, then their steps.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A timetable for any collective of personal packets, named `algorithm`, on any network of nodes that all
/// process: many_paths(), then schedule_paths(). Time grows with the hops of the packets, and with
/// destinations times links; memory with packets and hops, about 100 and 50 bytes.
Schedule plan_large(const Problem& problem, const char* algorithm);

}  // namespace safnet
