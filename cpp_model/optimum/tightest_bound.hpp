// tightest_bound - the lower bound of a collective, or what a search has proved.
#pragma once

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// lower_bound(), or the larger bound that searched_optimum() or searched_allreduce() has proved, if
/// lower_bound() is below `steps`, the steps of a known schedule. The search may take some seconds, once.
LowerBound tightest_bound(const Problem& problem, std::uint64_t steps);

}  // namespace safnet
