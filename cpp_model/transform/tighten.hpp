// tighten - makes schedules of steps shorter: every send stays on its link and moves to an earlier step in
// which its packet is there and link and ports are free.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Moves all sends as late as possible without a later end, beginning with the last one, then as early as
/// possible, beginning with the first one, and repeats this until it shortens nothing ("forward-backward
/// improvement" of project schedules, Tormos and Lova 2001). Never makes a schedule longer. A combined packet
/// waits for its parts, also for those that go into it over a loopback (sum_parts.hpp). Run time is linear in
/// the sends times the steps looked through; a schedule of more than kMostTightened resources times steps, of
/// more than kMostTightenedSends sends, or in which sums wait, for parts of parts as well, for more than
/// kMostTightenedWaits arrivals in all, is left as it is. The schedule must be a valid one of steps:
/// packets of one flit, no latency, slots of one cycle. One with sums that are sent before tdm_nodes can have
/// them (first_late_sum()) is left as it is.
void tighten(Schedule& schedule);
/// Places all sends anew, in the order of `turn` (a number per send), of equal turn those first that start
/// earlier; each in the first step in which its packet is there and link and ports are free. A send must not
/// depend on one that comes later in this order. Then tightens. Sums are in time for tdm_nodes afterwards,
/// even if the schedule becomes longer.
void place_in_turn(Schedule& schedule, const std::vector<std::uint32_t>& turn);
inline constexpr std::size_t kMostTightenedSends = 1'000'000;
inline constexpr std::size_t kMostTightenedWaits = std::size_t{1} << 24;
inline constexpr std::uint64_t kMostTightened = std::uint64_t{1} << 28;

}  // namespace safnet
