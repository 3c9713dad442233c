// reverse - a schedule backwards in time and direction: a scatter becomes a gather, a broadcast a reduction.
#pragma once

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Every send goes the other way over the same edge, and what was last comes first (thesis, chapter 3).
///
/// A packet with one destination becomes one from there to its origin. A packet with several becomes a
/// reduction: every node that it reached contributes a packet, nodes where it branched combine, its origin
/// gets the result. Scatter and gather, broadcast and reduction, partial exchange and partial gather turn
/// into each other; total exchange stays one. One-port stays one-port; one-port-send has no reverse.
/// Throws std::invalid_argument for a schedule that is not valid, has combined packets, is one-port-send or
/// has edges without a way back.
Schedule reverse(const Schedule& schedule);

}  // namespace safnet
