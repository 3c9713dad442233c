// tighten - schedules of steps made shorter: every send stays on its link, and moves to an earlier step where
// its packet is there and link and ports are free.
#pragma once

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Moves all sends as far back as they can go without a later end, the last first, then as far forward as
/// they can, the first first, again and again until that shortens nothing ("forward-backward improvement" of
/// project schedules, Tormos and Lova 2001). Never makes it longer. What is combined waits for its parts.
/// Linear in the sends times the steps looked through; nothing is done beyond kMostTightened resources times
/// steps. The schedule must be a valid one of steps: packets of one flit, no latency, slots of one cycle.
void tighten(Schedule& schedule);
inline constexpr std::uint64_t kMostTightened = std::uint64_t{1} << 28;

}  // namespace safnet
