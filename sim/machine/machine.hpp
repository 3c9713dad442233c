// machine - a network of nodes that can be given a program, run cycle by cycle, and asked what it counted.
//
// There are three machines, and they agree cycle for cycle: the fabric (one verilated model per node, wired
// in C++), a whole network elaborated in SystemVerilog (one model for all nodes), and the SystemC reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/node_program.hpp"

namespace safnet {

/// The network's clock as its timer reports it. Cycles and steps count from 1 and are 0 before the start.
struct NetworkTime {
  std::uint32_t cycle = 0;
  std::uint32_t step = 0;
};

/// What a node's hardware counters say (rtl/common/counters.sv). A kind of node without a counter leaves it
/// at 0, or empty.
struct NodeCounters {
  std::vector<std::uint32_t> sent;      ///< packets per output port (scan_nodes: flits)
  std::vector<std::uint32_t> received;  ///< packets per input port
  std::uint32_t delivered = 0;
  std::uint32_t last_delivery_cycle = 0;
  std::uint32_t last_delivery_step = 0;
  std::uint64_t delay_sum = 0;
  std::uint32_t peak_occupancy = 0;
  std::uint32_t peak_transit = 0;
  /// Per output under all-port; otherwise of the one queue, at 0. See rtl/pifo/queue_peaks.sv.
  std::vector<std::uint32_t> peak_stored, peak_waiting;
  std::uint32_t violations = 0, first_violation_cycle = 0;
  /// Of tdm_nodes: cycles in which a program had run dry, packets other than the program expected, and sends
  /// that could not start in their slot.
  std::uint32_t dry = 0, first_dry_cycle = 0;
  std::uint32_t mismatches = 0, first_mismatch_cycle = 0;
  std::uint64_t late = 0;
};

/// Where a node stands, and why it does not move. Sets of ports or lanes have a bit for each.
struct NodeStatus {
  bool idle = true;
  std::uint32_t occupancy = 0;      ///< packets in the fullest queue, or buffers in use
  PortSet wait_credit = 0;          ///< outputs with a packet that has no room at the receiver
  PortSet wait_grant = 0;           ///< outputs with a packet that has asked to be received and has no grant
  PortSet wait_packet = 0;          ///< outputs whose next send is due and waits for its packet
  PortSet wait_buffer = 0;          ///< lanes that wait until the buffer of their next packet is free
  std::vector<std::uint32_t> sent;  ///< per output: packets so far
  std::vector<std::uint32_t> received;  ///< per input: packets so far
  std::vector<LateSend> first_late;     ///< of tdm_nodes: the first kLateKept sends that were late
  ScanStatus scan;                      ///< of scan_nodes
};

/// A flit that was seen in a cycle.
struct FlitEvent {
  NetworkTime now;
  std::uint32_t node = 0;
  std::uint32_t port = 0;  ///< output port of a link; at a host the delivery lane, which is Host::lane()
  const std::uint32_t* words = nullptr;  ///< FlitWidth / 32 of them, valid during the call
  bool last = false;                     ///< at a host: the last flit of its packet
  /// The lowest 64 bits: header fields and payload that hosts check.
  std::uint64_t value() const { return words[0] | (std::uint64_t{words[1]} << 32); }
};

/// A packet on a link as waveforms show it.
struct PacketInWords {
  std::string words = "flit";  ///< "SOURCE>DESTINATION #TAG"
  std::uint32_t flits = 1;     ///< how long it is
};

/// Told of everything that crosses a link or reaches a host. Calls for one node come in order of time; with
/// several threads, calls for different nodes may come at once.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  /// A flit on an output port.
  virtual void on_link_flit(const FlitEvent& flit) = 0;
  /// A flit for the host of a node, which arrived through an input port or lane.
  virtual void on_delivered_flit(const FlitEvent& flit) = 0;
  /// Asked by machines that write a waveform: the packet whose first flit is this one, on an output port.
  virtual PacketInWords packet_in_words(const FlitEvent& /*first*/) const { return {}; }
};

/// A fault on the link that leads to input `port` of `node`.
struct LinkFault {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  bool drop = false;
  bool corrupt = false;
};

/// Nodes with their hosts: all of a machine, or those that one thread evaluates (NodeBatch). Nodes are named
/// by their numbers in the network.
class HostedNodes {
 public:
  virtual ~HostedNodes() = default;
  /// As if just made: programs, packets, faults and whatever the nodes hold are forgotten.
  virtual void reset() = 0;
  /// Tells one node and its host their part of a program, and lets the host inject before the start as far as
  /// the node has room. May be called again before start(), with more.
  virtual void load(std::uint32_t node, const NodeProgram& program) = 0;
  /// A further packet for the host of `node`, to be injected while the network runs.
  virtual void offer(std::uint32_t node, HostPacket packet) = 0;
  /// Packets that the host of `node` has not injected yet.
  virtual std::uint32_t packets_with_host(std::uint32_t node) const = 0;
  /// Injection ports of `node` that its host has nothing to inject through, a bit for each.
  virtual std::uint64_t unused_injection_ports(std::uint32_t node) const {
    return packets_with_host(node) == 0 ? ~std::uint64_t{0} : 0;
  }
  /// How much moved in the last cycle: flits, credits, grants, instructions. See Drive in sim/run/drive.hpp.
  virtual std::uint64_t progress() const = 0;
  virtual void set_fault(const LinkFault& fault) = 0;
  virtual NodeCounters counters(std::uint32_t node) const = 0;
  virtual NodeStatus status(std::uint32_t node) const = 0;
  /// Node evaluations so far; skipped idle nodes are not counted. 0 where nodes are not evaluated singly.
  virtual std::uint64_t evaluations() const { return 0; }
};

/// A network that runs. The order of calls is reset(), load() for every node, start(), clock() until
/// finished().
class Machine : public HostedNodes {
 public:
  /// Starts the network: the next cycle is number 1.
  virtual void start() = 0;
  /// One clock cycle; returns its number, 0 before the start. Throws std::runtime_error if an assertion in
  /// the RTL fails.
  virtual NetworkTime clock() = 0;
  /// Nothing moves any more and no host has anything left.
  virtual bool finished() const = 0;
  /// What the machine itself found wrong, beyond what its counters say.
  virtual std::vector<std::string> problems() const { return {}; }
};

/// Loads every node's part of a program; `of(v)` makes that of node v, one at a time.
template <class ProgramOfNode>
void load_program(Machine& machine, std::uint32_t nodes, ProgramOfNode&& of) {
  for (std::uint32_t v = 0; v < nodes; ++v) machine.load(v, of(v));
}

}  // namespace safnet
