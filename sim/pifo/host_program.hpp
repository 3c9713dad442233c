// host_program - what the hosts do before a run: write the label tables, hand over their packets.
#pragma once

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

/// The packet of `source` that an injection asks for, of `flits` flits unless that says otherwise. Throws
/// std::invalid_argument if it is longer than `flits`.
HostPacket host_packet(const PacketFormat& format, NodeId source, const Injection& injection, int flits);

/// Loads `policy` into a machine that has been reset: every node's label table and, as far as the queues have
/// room, its host's packets; of a policy with a scan, with labels of class 0 and ranks of both. Throws
/// std::invalid_argument if a packet is longer than the hardware allows.
void load_policy(Machine& machine, const Graph& graph, const Policy& policy,
                 const NodeParameters& parameters);

}  // namespace safnet
