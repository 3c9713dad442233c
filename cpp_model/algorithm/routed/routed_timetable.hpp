// routed_timetable - every collective on any network some of whose nodes only route.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// `shortest-ways`: packets take shortest ways, list scheduling says when. `combining-processors`: the same
/// of packets that processors combine, along the quickest of several trees of processors. `any-shortest-way`:
/// routers send packets on along shortest ways by themselves, one for each pair of processors. None promises
/// a number of steps.
std::vector<Algorithm> routed_timetable_algorithms();

}  // namespace safnet
