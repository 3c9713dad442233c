// queue_scheduling - steps for millions of packets whose paths are given.
//
// First by the rule of list_schedule(), the packet with the furthest to go first, where what waits for a link
// is in a queue of 64 classes of distance, in each of which packets leave in the order in which they came.
// Then the steps are improved by going through them backwards and forwards in turn (justification, Li and
// Willis 1992): packets go their paths from the end to the start, and what was late in the pass before goes
// first. On the networks tried the first pass backwards took no more steps than the busiest link has packets.
// Time grows with the hops, but for a logarithm; memory is 8 to 12 bytes a hop and 12 a packet.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/tools/list_scheduling.hpp"
#include "cpp_model/algorithm/tools/many_paths.hpp"

namespace safnet {

/// The step of every hop of the paths, counted from 1, and the last of them.
struct TimedTable {
  std::vector<std::uint32_t> step;
  std::uint32_t last = 0;
};

/// Steps for all hops. Stops at `goal` steps, for example those of the busiest resource, which nothing along
/// these paths can beat, or after so many passes backwards or forwards. The same input gives the same steps.
TimedTable schedule_paths(const Occupancy& occupancy, const PathTable& paths, std::uint64_t goal,
                          std::uint32_t passes);

/// Adds the sends, in order, to a schedule that has none. Hop h of trip i is of packet trips[i].packet.
void add_sends(Schedule& schedule, const PathTable& paths, std::span<const Trip> trips,
               const TimedTable& timed);

}  // namespace safnet
