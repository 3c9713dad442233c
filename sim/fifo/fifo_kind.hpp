// fifo_kind - the kind of node "fifo": the plainest router, with first-in first-out queues.
//
// The host and its programs are those of pifo_nodes, whose ports a fifo_node has but for ranks and orders.
#pragma once

#include "sim/pifo/pifo_parameters.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// fifo_nodes with these parameters; those that say how packets are ordered mean nothing to them.
Hardware fifo_hardware(const PifoParameters& parameters);

}  // namespace safnet
