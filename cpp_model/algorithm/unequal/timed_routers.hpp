// timed_routers - what is copied and combined on networks with routers whose links are not all alike.
//
// Routers copy packets but cannot combine them: processors combine, along trees of processors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/routed/routed_schedules.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// `sends`, of so many `packets`, bring each packet to all nodes, as those of timed_gossip(), in order of
/// time. The same without those to routers that bring no processor the packet, and as early as the others
/// then can be.
std::vector<Send> without_idle_routers(const Graph& graph, const LinkTimes& times, PortModel ports,
                                       std::span<const Send> sends, std::size_t packets);

/// The quickest of several trees of processors for a result at each of the roots, with the cycles in which
/// hops end, backwards in time, for add_combining(). `goal`: so many cycles are enough. `ports`: backwards in
/// time.
CombiningPlan timed_combining_plan(const Problem& problem, const LinkTimes& times, PortModel ports,
                                   std::span<const NodeId> roots, std::uint64_t goal);

}  // namespace safnet
