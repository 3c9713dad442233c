// tighten - schedules of steps made shorter: every send stays on its link, and moves to an earlier step where
// its packet is there and link and ports are free.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Moves all sends as far back as they can go without a later end, the last first, then as far forward as
/// they can, the first first, again and again until that shortens nothing ("forward-backward improvement" of
/// project schedules, Tormos and Lova 2001). Never makes it longer. What is combined waits for its parts.
/// Linear in the sends times the steps looked through; nothing is done beyond kMostTightened resources times
/// steps, or kMostTightenedSends. The schedule must be a valid one of steps: packets of one flit, no latency,
/// slots of one cycle.
void tighten(Schedule& schedule);
/// Places all sends anew, those of smaller `turn` first (a number per send), of equal ones those that start
/// earlier; each in the first step in which its packet is there and link and ports are free. What comes
/// before a send, by `turn` and start, must not depend on it. Then tightens.
void place_in_turn(Schedule& schedule, const std::vector<std::uint32_t>& turn);
inline constexpr std::size_t kMostTightenedSends = 1'000'000;
inline constexpr std::uint64_t kMostTightened = std::uint64_t{1} << 28;

}  // namespace safnet
