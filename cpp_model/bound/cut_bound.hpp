// cut_bound - what has to cross the border between two parts of a network, thesis (4.1), for any collective
// of personal packets.
#pragma once

#include "cpp_model/bound/best_cut.hpp"
#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// All-port: each link carries a packet per step, from when one can be there on, and until the last that has
/// further to go must have left. If all nodes are origins and destinations that is ceil(packets / links).
LowerBound cut_bound(const Graph& graph, const Cut& cut, const Demand& demand);

/// On networks of a few thousand nodes at most. Nodes with one port for sending, and one for receiving unless
/// the model is kOnePortSend: as many packets cross in a step as a matching of sending and receiving nodes
/// has links.
LowerBound one_port_cut_bound(const Graph& graph, const Cut& cut, PortModel ports);

}  // namespace safnet
