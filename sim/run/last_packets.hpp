// last_packets - which packet crossed each link last, and where it has still to go: in a network that got
// stuck and has lost nothing, these packets hold the places that links wait for (wait_graph.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/trace.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/packet_recorder.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/wait_graph.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// Why a network of routers does not move any more (explain_waits()): by links where nodes have a queue for
/// each output and leave by the tables, which a router of one's own (`kind`) need not, and which dealt links
/// leave open; otherwise by nodes. `trace`: as below.
std::vector<std::string> explain_stuck_routers(const Graph& graph, const Machine& machine,
                                               const PifoParameters& parameters, const NodeKind& kind,
                                               const PacketRecorder& recorder, const Policy& policy,
                                               const Trace& trace = {});

/// The same where nobody recorded packets, for packets with one destination each. `last_label`: of the packet
/// that entered the link of an output last; it is asked of outputs that wait.
std::vector<std::string> explain_stuck_routers(const Graph& graph, const PifoParameters& parameters,
                                               const NodeKind& kind, const Policy& policy,
                                               const std::function<NodeStatus(NodeId)>& status,
                                               const std::function<Label(NodeId, PortId)>& last_label);

/// What the recorder saw last on each link, and what the policy's tables say of such a packet, which leaves
/// behind a link by no output if the node there has not got all packets of the link. By which outputs it has
/// left is in `trace`. Where that was not kept (it is empty), outputs count by which it was the last to
/// leave: of a packet for several outputs, some by which it has left before may then be taken for such by
/// which it has still to leave. Graph, machine and recorder must outlive the result.
LastPackets last_packets(const Graph& graph, const Machine& machine, const PacketRecorder& recorder,
                         const Policy& policy, const Trace& trace);

}  // namespace safnet
