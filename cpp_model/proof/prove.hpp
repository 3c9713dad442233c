// prove - finds an argument for a lower bound that can be checked from the network alone.
#pragma once

#include <optional>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/proof/proof.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// An argument for the whole of a bound that lower_bound() or tightest_bound() has found for the problem or,
/// where links differ, lower_bound_in_cycles() for packets of so many flits; nothing if none is known that
/// this folder has a form for. Its witness says where to look. Takes up to some seconds for a thousand nodes.
std::optional<Proof> prove(const Problem& problem, const LowerBound& bound, std::uint32_t flits = 1,
                           std::uint32_t link_latency = 0);

}  // namespace safnet
