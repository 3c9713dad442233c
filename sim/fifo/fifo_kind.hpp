// fifo_kind - the kind of node "fifo": the plainest router, with first-in first-out queues.
//
// Host and programs are those of pifo_nodes: a fifo_node has the same ports but those for ranks and orders.
#pragma once

#include "sim/pifo/pifo_parameters.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// fifo_nodes with these parameters; parameters that say how packets are ordered are ignored.
Hardware fifo_hardware(const PifoParameters& parameters);

}  // namespace safnet
