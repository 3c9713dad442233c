// stated_intervals - how long intervals of partial broadcasts take by the text of their papers, written down
// for the ledger alone.
//
// The timetables of the runs come from cpp_model/bound/partial_broadcast_time. Nothing here uses a function
// of that file, so that a run which keeps a wrong timetable is noticed.
#pragma once

#include <cstdint>

#include "cpp_model/bound/partial_broadcast_time.hpp"

namespace safnet {

/// Cycles of the phases of an interval. An accumulation combines as long as a broadcast takes, and unpacks as
/// long as it would pack.
struct StatedInterval {
  std::uint64_t class_scan = 0, rank_scan = 0, packing = 0, broadcast = 0;
  std::uint64_t total() const { return class_scan + rank_scan + packing + broadcast; }
};
/// Meshes 3.1 and 3.2, folded cubes 3; tori whose batches take turns by the statement of mesh.A25. A prefix
/// packet is one flit; M = `active`.
StatedInterval stated_interval(const DigitShape& shape, const PartialBroadcastSettings& settings,
                               std::uint64_t active);

/// X and V of the papers in cycles: an interval of M packets takes X M + V at most.
struct StatedLine {
  Rational x, v;
  Rational at(std::uint64_t active) const { return x * active + v; }
};
/// Meshes (9a) to (10b); folded cubes, Corollary 1; a split folded cube by folded.B10. Neither header flits
/// nor latency.
StatedLine stated_line(const DigitShape& shape, const PartialBroadcastSettings& settings);

/// Meshes (11): what the mean delay is at most, for `rate` packets per node and unit of time, of which X and
/// V are multiples. The rate must be below 1 / (N X + V).
Rational stated_mean_delay(std::uint64_t nodes, const StatedLine& line, const Rational& rate);
/// Folded cubes (6), in slots.
Rational stated_folded_mean_delay(std::uint32_t d, const Rational& prefix_step, const Rational& rate);

}  // namespace safnet
