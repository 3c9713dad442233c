// router_program - a policy compiled for routers: every node's label table and its host's packets.
#pragma once

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/label_use.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

/// The packet of `source` that an injection asks for; `flits`: its length if the injection gives none. Throws
/// std::invalid_argument if it is longer than `flits`.
HostPacket host_packet(const PacketFormat& format, NodeId source, const Injection& injection, int flits);

/// The label table of node `v` under a policy, and nothing to inject. Entries of labels that never come there
/// are left out; `use` says which do, if it is known.
RouterProgram router_table(const Graph& graph, const Policy& policy, const PifoParameters& parameters,
                           NodeId v, const LabelUse* use = nullptr);
/// The packets of the host of node `v`, in order of injection; if the policy scans, with labels of class 0
/// and ranks of both classes. Throws std::invalid_argument if a packet is longer than the hardware allows.
std::vector<HostPacket> router_packets(const Policy& policy, const PifoParameters& parameters, NodeId v);

}  // namespace safnet
