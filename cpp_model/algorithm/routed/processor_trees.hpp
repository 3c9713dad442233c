// processor_trees - trees of processors, along which those of any network with routers combine what they have
// for one result.
#pragma once

#include "cpp_model/algorithm/routed/routed_schedules.hpp"

namespace safnet {

/// The root informs every other processor.
CombiningTree star_of_processors(NodeId processors, NodeId root);
/// From the root on, each processor informs the next one.
CombiningTree chain_of_processors(NodeId processors, NodeId root);
/// The root informs the one in the middle of all, and both go on in the same way with their halves.
CombiningTree halved_processors(NodeId processors, NodeId root);
/// Grown step by step: each informed processor informs another one as soon as some shortest way to it is
/// free: the nearest, or the furthest, of those that are left.
CombiningTree grown_from_root(const Problem& problem, NodeId root, bool nearest_first);

}  // namespace safnet
