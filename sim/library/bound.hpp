// bound - steps that no schedule of a task can beat, and why.
#pragma once

#include <cstdint>
#include <string>

#include "sim/library/task.hpp"
#include "sim/library/topology.hpp"

namespace safnet::lab {

/// A lower bound.
struct Bound {
  std::uint64_t steps = 0;  ///< that every schedule takes at least
  std::string reason;       ///< the argument, in words
};

/// The largest bound that is known without planning; `task.algorithm` does not matter.
Bound lower_bound(const Topology& topology, const Task& task);

/// The proof of that bound as JSON, for scripts/check_certificate.py. Throws std::invalid_argument if there
/// is none yet for bounds of its kind.
std::string certificate(const Topology& topology, const Task& task);

}  // namespace safnet::lab
