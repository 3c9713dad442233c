// fat_tree_timetable - timetables of every collective on fat trees, in any port model, for any number of
// messages: routers only route, leaves combine.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "list-schedule" for broadcast, scatter, gather, multinode broadcast, total and partial exchange, partial
///   gather: every packet takes the only way there is, list_scheduling.hpp says when.
/// - "combining-leaves" for reduction and multinode accumulation: trees of leaves, each of which combines
///   what the leaves below it send with its own. Of several trees that with the fewest steps: level by level,
///   one leaf of every subtree for each result; the same in the subtrees of one level, and from these
///   straight to the root (of level 0: all leaves send to the root); a chain of the leaves from left to
///   right; or, for one root, trees grown backwards in time, the root first.
/// - "combining-leaves" for allreduce, the best of: every leaf sends all others its packet, and all combine;
///   a reduction and then a broadcast; level by level, the leaves at the same place in all subtrees of a node
///   send each other what they have combined (recursive doubling, where nodes have two children).
std::vector<Algorithm> fat_tree_timetable_algorithms();

}  // namespace safnet
