// recording - what there is to see of a run or a plan: which packet was on which link when. Pages, Perfetto's
// traces and tables of transfers are made of it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct Recording {
  explicit Recording(Schedule of) : schedule(std::move(of)) {}

  /// The network, the packets and their sends. Slots are steps where every send began with one, else cycles.
  Schedule schedule;
  /// By packet, the cycle in which its source generated it; empty: sources have all from the start.
  std::vector<std::uint32_t> generated;
  /// By packet, what it is: a place among the words; empty: there is no more to say than the packets do.
  std::vector<std::uint8_t> kinds;
  std::vector<std::string> kind_words;
  /// What the network does from a cycle on, in order of time; empty: one thing all the time.
  struct Phase {
    std::uint32_t first_cycle = 1;
    std::string words;  ///< "packing", "interval 3: packing"
  };
  std::vector<Phase> phases;

  /// The cycle from which on a packet of a source's own may leave.
  std::uint32_t available(PacketIndex p) const { return generated.empty() ? 1 : generated[p]; }
};

/// Steps, or cycles, of a recording, both ends included; both count from 1.
struct StepRange {
  std::uint64_t first = 1, last = ~std::uint64_t{0};
};
struct CycleRange {
  std::uint64_t first = 1, last = ~std::uint64_t{0};
  bool holds(std::uint64_t cycle) const { return first <= cycle && cycle <= last; }
};
/// The cycles of these steps, a step being a slot of the schedule.
CycleRange cycles_of_steps(const Schedule& schedule, const StepRange& steps);

}  // namespace safnet
