// phase_watch - the phases of scan_nodes as the testbench sees them, cycle by cycle, against what the nodes
// counted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/problems.hpp"

namespace safnet {

/// A phase begins, in an interval; both cycles and intervals count from 1.
struct PhaseStart {
  std::uint32_t first_cycle = 1, interval = 1;
  ScanPhase phase = ScanPhase::kIdle;
};

/// Counts the cycles that node 0 spends in each phase; the timetable is the same for all nodes.
class PhaseWatch {
 public:
  explicit PhaseWatch(const Machine& machine);
  /// To be called after each cycle; returns what node 0 says then.
  ScanStatus after(std::uint32_t cycle);
  /// The last cycle in which node 0 was in a phase.
  std::uint32_t last_cycle() const { return last_cycle_; }
  /// Adds a line to `problems` for every counter of intervals, phases or the end of the interval that says
  /// otherwise; `intervals` have ended, the last one in last_cycle(). The next interval begins.
  void judge(const Graph& graph, std::uint64_t intervals, Problems& problems);
  /// Every phase so far.
  const std::vector<PhaseStart>& phases() const { return phases_; }

 private:
  const Machine& machine_;
  ScanPhase phase_;  // of the cycle that comes
  std::array<std::uint32_t, kScanPhases> cycles_{};
  std::uint32_t last_cycle_ = 0;
  std::vector<PhaseStart> phases_;
};

}  // namespace safnet
