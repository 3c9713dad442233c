// lower_bound - steps that no algorithm whatsoever can beat, exact integers.
#pragma once

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// The largest of the bounds of this folder that apply to the problem. Takes up to a few tenths of a second
/// for a thousand nodes. Throws std::invalid_argument for nodes that do not exist.
LowerBound lower_bound(const Problem& problem);

/// The same in cycles, for a network whose links differ in latency or width: packets of `flits` flits, over
/// links that take `link_latency` cycles beside their own. lower_bound() of such a network is this for
/// packets of one flit.
LowerBound lower_bound_in_cycles(const Problem& problem, std::uint32_t flits, std::uint32_t link_latency);

}  // namespace safnet
