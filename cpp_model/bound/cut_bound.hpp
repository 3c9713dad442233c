// cut_bound - what has to cross the border between two parts of a network, thesis (4.1), for any collective
// of personal packets.
#pragma once

#include "cpp_model/bound/best_cut.hpp"
#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// All-port: each link across carries a packet per step, from the first step in which a packet can have
/// reached it to the last after which the packet can still reach its destination. If all nodes are origins
/// and destinations that is ceil(packets / links).
LowerBound cut_bound(const Graph& graph, const Cut& cut, const Demand& demand);

/// Nodes with one port for sending, and one for receiving unless the model is kOnePortSend: in a step as many
/// packets cross as the largest matching of sending and receiving nodes has links. To a few thousand nodes.
LowerBound one_port_cut_bound(const Graph& graph, const Cut& cut, PortModel ports);

}  // namespace safnet
