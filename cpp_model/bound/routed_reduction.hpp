// routed_reduction - how soon processors alone can combine packets, where other nodes only route.
#pragma once

#include <cstdint>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Packets that processor v can receive per step; its neighbours may be nodes that only route.
std::uint64_t intake(const Graph& graph, NodeId v, PortModel ports);

/// For one result at processor `root`, of packets that only processors combine. Read backwards in time, the
/// result informs processors: every packet that a processor has received informs the processor that made it,
/// and whatever it was made from had been received there before. A processor informs as many others per step
/// as it can receive packets, and informing one takes as many steps as it is hops away. In a fat tree the
/// subtrees of a level inform each other in the same way over the branches above them; with one port, the
/// node above a subtree sends at most one packet per step into it.
LowerBound routed_reduction_bound(const Problem& problem, NodeId root);

}  // namespace safnet
