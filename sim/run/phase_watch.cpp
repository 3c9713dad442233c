#include "sim/run/phase_watch.hpp"

namespace safnet {

PhaseWatch::PhaseWatch(const Machine& machine)
    : machine_(machine), phase_(machine.status(0).scan.phase), phases_{{.phase = phase_}} {}

ScanStatus PhaseWatch::after(std::uint32_t cycle) {
  const ScanStatus status = machine_.status(0).scan;
  if (phase_ != ScanPhase::kIdle) {
    ++cycles_[static_cast<std::size_t>(phase_)];
    last_cycle_ = cycle;
  }
  if (status.phase != phase_) phases_.push_back({cycle + 1, status.intervals + 1, status.phase});
  phase_ = status.phase;
  return status;
}

void PhaseWatch::judge(const Graph& graph, std::uint64_t intervals, Problems& problems) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const ScanStatus status = machine_.status(v).scan;
    if (status.intervals != intervals)
      problems.add("node {}: intervals_o counts {}, {} have ended", graph.node_name(v), status.intervals,
                   intervals);
    if (status.last_cycle != last_cycle_)
      problems.add("node {}: last_cycle_o counts {}, the interval ended in cycle {}", graph.node_name(v),
                   status.last_cycle, last_cycle_);
    for (std::size_t p = 1; p < kScanPhases; ++p) {
      if (status.phase_cycles[p] != cycles_[p])
        problems.add("node {}: phase_cycles_o[{}] counts {}, the phase lasted {} cycles", graph.node_name(v),
                     p, status.phase_cycles[p], cycles_[p]);
    }
  }
  cycles_ = {};
}

}  // namespace safnet
