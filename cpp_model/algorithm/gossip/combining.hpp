// combining - reductions, multinode accumulations and allreduces out of multicasts backwards.
#pragma once

#include <span>
#include <vector>

#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Is it a reduction or multinode accumulation, which are planned backwards?
bool combines(CollectiveKind kind);

/// Adds results to a schedule that has the contributions: packet r*n + v is what node v contributes to result
/// r, of n nodes.
///
/// `multicasts`: over the links turned round, packet r goes from `roots[r]` to all other nodes; starts from
/// 1. Backwards, the last first, every node waits for those that it would have sent to, combines what they
/// send with its own, and sends that where it would have had the packet from. Combined packets of result r
/// get the tag results + r; the last one, at the root, has the root as its destination, or `for_all` nodes.
/// Returns the results' packets. The sends are appended, not sorted. Throws std::logic_error if the
/// multicasts do not reach every node once.
std::vector<PacketIndex> add_reductions(Schedule& schedule, std::span<const NodeId> roots,
                                        std::span<const Send> multicasts, bool for_all);

}  // namespace safnet
