// load_bound - what all links, all nodes or one node have to carry, thesis (4.4), for any collective of
// personal packets.
#pragma once

#include <cstdint>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// Every packet takes as many hops as its destination is away, or more; the links (all-port) or the nodes
/// (one-port, thesis (4.4): average status) carry one packet per step each. Rounded up.
LowerBound hops_bound(const Graph& graph, const Demand& demand, PortModel ports);

/// The largest distance of a packet's origin and destination.
LowerBound distance_bound(const Graph& graph, const Demand& demand);

/// One node sends another `packets` packets: their distance, and the ports at both ends.
LowerBound transfer_bound(const Problem& problem, std::uint64_t packets);

/// One-port: a node sends its own packets and forwards those between the parts that the network falls into
/// without it, one per step: for total exchange (n - 1) + sum over i != j of |C_i| |C_j|. It also receives
/// one per step, unless the model is kOnePortSend: the packets for it and those it forwards. The largest over
/// all nodes.
LowerBound node_bound(const Graph& graph, const Demand& demand, PortModel ports);

}  // namespace safnet
