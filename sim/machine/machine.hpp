// machine - a network of verilated nodes as its hosts see it: program it, fill it, let it run, read its
// counters.
//
// Two machines exist and agree cycle for cycle: the fabric (one model per node, wired in C++, fabric.hpp) and
// the elaborated network.sv (one model for all). This header is all that a variant's shared object shares
// with the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class VerilatedContext;
class VerilatedFstC;

namespace safnet {

/// Parameters of rtl/pifo/linked_pifo_node.sv; a change of any of them needs a build of its own
/// (variant.hpp).
struct NodeParameters {
  int radix = 4;
  int flit_width = 64;  ///< bits, a multiple of 32
  int flits = 1;        ///< flits in the longest packet
  int link_latency = 0;
  int slot_cycles = 1;
  int queue_depth = 16;
  int host_depth = 16;
  int label_depth = 64;
  int rank_levels = 4;
  int port_model = 0;  ///< PortModel of rtl/common/safnet_pkg.sv
  int grant_cycles = 0;
  int node_id_width = 8;
  int tag_width = 8;
  int deals_links = 0;
  int rest_ranks = 0;
  friend auto operator<=>(const NodeParameters&, const NodeParameters&) = default;
};

/// The network's clock as slot_timer reports it. Both count from 1; 0 before the start.
struct NetworkTime {
  std::uint32_t cycle = 0;
  std::uint32_t step = 0;
};

/// A label table entry in the form the hardware stores. `order`: the ports in the order of service, a
/// permutation. `rest_rank`: see TableEntry.
struct HardwareTableEntry {
  std::uint64_t mask = 0;
  bool deliver = false;
  std::uint32_t rank = 0;
  std::vector<std::uint8_t> order;
  std::optional<std::uint32_t> rest_rank = {};
};

/// A packet for a host to inject: its flits, `words_per_flit` 32-bit words each, and its rank at the source.
struct HostPacket {
  std::vector<std::uint32_t> words;
  std::uint32_t rank = 0;
};

/// What a node's hardware counters say (rtl/common/counters.sv).
struct NodeCounters {
  std::vector<std::uint32_t> sent;      ///< packets per output port
  std::vector<std::uint32_t> received;  ///< packets per input port
  std::uint32_t delivered = 0;
  std::uint32_t last_delivery_cycle = 0;
  std::uint32_t last_delivery_step = 0;
  std::uint64_t delay_sum = 0;
  std::uint32_t peak_occupancy = 0;
  std::uint32_t peak_transit = 0;
  /// Per output under all-port; otherwise of the one queue, at 0. See rtl/pifo/queue_peaks.sv.
  std::vector<std::uint32_t> peak_stored, peak_waiting;
  std::uint32_t violations = 0;
  std::uint32_t first_violation_cycle = 0;
};

/// Why a node does not move.
struct NodeStatus {
  bool idle = true;
  std::uint32_t occupancy = 0;    ///< packets in the fullest queue
  std::uint64_t wait_credit = 0;  ///< bit p: a packet for output p has no credit
  std::uint64_t wait_grant = 0;   ///< bit p: a packet has asked for output p and has no grant
};

/// Told of everything that crosses a link or reaches a host. Calls for one node come in order of time; with
/// several threads, calls for different nodes may come at once.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  /// A flit on output `port` of `node` in this cycle.
  virtual void on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                            const std::uint32_t* words) = 0;
  /// A flit that arrived through input `port` of `node` in this cycle and is for its host.
  virtual void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                 const std::uint32_t* words, bool last) = 0;
};

/// A fault on the link that leads to input `port` of `node`.
struct LinkFault {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  bool drop = false;
  bool corrupt = false;
};

/// A network of pifo_nodes.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual void reset() = 0;
  virtual void write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) = 0;
  /// The first ports of the branches of `node`; for nodes that deal links, before fill_queues().
  virtual void set_branches(std::uint32_t node, std::uint64_t first_ports) = 0;
  /// Packets for the host of `node`, in order. Before the start they go into the queues as far as these have
  /// room.
  virtual void add_host_packets(std::uint32_t node, std::vector<HostPacket> packets) = 0;
  virtual void fill_queues() = 0;
  /// From the next cycle on the network runs; that cycle is number 1.
  virtual void start() = 0;
  /// One clock cycle; returns its number. Throws std::runtime_error if an assertion in the RTL fails.
  virtual NetworkTime clock() = 0;
  /// Nothing moves any more and no host has anything left.
  virtual bool finished() const = 0;
  /// Flits, credits and grants that crossed links in the last cycle: none for long means that nothing will.
  virtual std::uint64_t progress() const = 0;
  virtual void set_fault(const LinkFault& fault) = 0;
  virtual NodeCounters counters(std::uint32_t node) const = 0;
  virtual NodeStatus status(std::uint32_t node) const = 0;
  virtual std::uint32_t packets_with_host(std::uint32_t node) const = 0;
};

/// Parameters of rtl/tdm/linked_tdm_node.sv.
struct TdmParameters {
  int radix = 4;
  int flit_width = 64;  ///< bits, a multiple of 32
  int flits = 1;        ///< flits in the longest packet
  int link_latency = 0;
  int slot_cycles = 1;
  int buffers = 8;
  int program_depth = 4;
  int window = 4;
  int port_model = 0;
  int name_width = 24;
  int generation_width = 16;
  int count_width = 4;
  int combining = 0;
  friend auto operator<=>(const TdmParameters&, const TdmParameters&) = default;
};

/// One instruction of an output: in slot `slot` or later, send.
struct TdmSend {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  std::uint32_t name = 0;  ///< of the packet; the hardware is told where it is, the host what it is
  std::uint16_t buffer = 0;
  std::uint8_t flits = 1;
  bool own = false;  ///< the host's packet, not one from a buffer
};

/// What a receiving lane does with its next packet; bits of TdmReceive::actions.
inline constexpr std::uint8_t kTdmStore = 1, kTdmCombine = 2, kTdmDeliver = 4;

/// One instruction of a receiving lane. `name`: the packet, or what it is combined into.
struct TdmReceive {
  std::uint32_t name = 0;
  std::uint32_t generation = 0;
  std::uint16_t buffer = 0;
  std::uint8_t parts = 1;
  std::uint8_t uses = 0;
  std::uint8_t actions = 0;
};

/// The host's own part of what is combined at its node: from slot `slot` on it goes into the buffers.
struct TdmLoad {
  TdmReceive receive;
  std::uint32_t slot = 0;  ///< 0: before the start
  std::uint32_t part = 0;  ///< name of the part
  std::uint8_t flits = 1;
};

struct TdmNodeProgram {
  std::vector<std::vector<TdmSend>> sends;        ///< per output port
  std::vector<std::vector<TdmReceive>> receives;  ///< per input port
  std::vector<TdmLoad> loads;
};

/// What is common to all hosts of a network of tdm_nodes.
struct TdmHost {
  std::uint32_t operation = 0;      ///< what combining does, safnet_pkg::CombineSum, ...
  std::uint32_t feed_interval = 1;  ///< cycles between two instructions for one program
};

/// A send that could not start in its slot.
struct LateSend {
  enum class Reason : std::uint8_t { kPacket, kRoom, kPort };
  std::uint32_t port = 0;
  std::uint32_t number = 0;  ///< which instruction of that port, from 0
  std::uint32_t cycle = 0;   ///< in which it was to start
  Reason reason = Reason::kPacket;
};
inline constexpr std::size_t kLateKept = 4;

/// Where a program stands, and what its head waits for.
struct TdmStatus {
  bool idle = true;
  std::uint32_t occupancy = 0;
  std::uint64_t wait_packet = 0;        ///< bit p: the head of output p is due and waits for its packet
  std::uint64_t wait_credit = 0;        ///< bit p: it is due and waits for room at the receiver
  std::uint64_t wait_buffer = 0;        ///< bit l: lane l waits until the buffer of its next packet is free
  std::vector<std::uint32_t> sent;      ///< per output: instructions done
  std::vector<std::uint32_t> received;  ///< per input: packets complete
};

/// What is further counted by tdm_nodes.
struct TdmCounters {
  std::uint32_t dry = 0, first_dry_cycle = 0;
  std::uint32_t mismatches = 0, first_mismatch_cycle = 0;
};

/// A network of tdm_nodes.
class TdmMachine {
 public:
  virtual ~TdmMachine() = default;
  virtual void reset() = 0;
  /// `program` must outlive the run.
  virtual void load_program(std::uint32_t node, const TdmNodeProgram* program) = 0;
  virtual void configure(const TdmHost& host) = 0;
  virtual void start() = 0;
  /// One clock cycle; returns its number, 0 before the start: then programs fill and credits are given out.
  virtual NetworkTime clock() = 0;
  virtual bool finished() const = 0;
  virtual std::uint64_t progress() const = 0;
  virtual void set_fault(const LinkFault& fault) = 0;
  virtual NodeCounters counters(std::uint32_t node) const = 0;
  virtual TdmCounters tdm_counters(std::uint32_t node) const = 0;
  virtual TdmStatus tdm_status(std::uint32_t node) const = 0;
  virtual std::vector<LateSend> late_sends(std::uint32_t node) const = 0;
  virtual std::uint64_t late_count(std::uint32_t node) const = 0;
};

/// Wires between nodes in the fabric: what each node's registers drive in this cycle.
struct NodeOutputs {
  std::uint64_t valid = 0, credit = 0, request = 0, grant = 0;
  bool any() const { return (valid | credit | request | grant) != 0; }
};

/// The other end of a port's wires; node == kNowhere if nowhere.
struct Wire {
  static constexpr std::uint32_t kNowhere = 0xffff'ffff;
  std::uint32_t node = kNowhere;
  std::uint32_t port = 0;
};

/// All wires of a fabric. Each batch writes its own nodes' part in clock() and reads its neighbours' in
/// gather().
struct FabricWires {
  std::vector<NodeOutputs> outputs;  ///< per node
  std::vector<std::uint32_t> flits;  ///< [node][port][word]
  std::vector<Wire> feeders;         ///< [node][input port]: the output whose flits and requests come in here
  std::vector<Wire> targets;  ///< [node][output port]: the input whose credits and grants come back here
};

/// Network time that a batch drives into its nodes.
struct SlotSignals {
  NetworkTime now;
  bool slot_open_next = false;
};

/// A range of nodes of a fabric, evaluated by one thread.
class NodeBatch {
 public:
  virtual ~NodeBatch() = default;
  /// From now on the batch is so many nodes. Further models are made as needed and kept when it shrinks.
  virtual void resize(std::uint32_t nodes) = 0;
  /// As if just made: programs, packets, faults and whatever the nodes hold are forgotten.
  virtual void reset() = 0;
  /// First half of a cycle: sample what the neighbours drive.
  virtual void gather(const FabricWires& wires, const SlotSignals& signals) = 0;
  /// Second half: clock the nodes, drive the wires, tell the observer.
  virtual void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) = 0;
  /// Falling edge, only while a waveform is written.
  virtual void falling_edge() = 0;
  virtual std::uint64_t active_nodes() const = 0;  ///< not idle, or with something left at the host
  virtual std::uint64_t progress() const = 0;      ///< see Machine; of the last clock()
  virtual std::uint64_t evaluations() const = 0;   ///< node evaluations so far
  virtual void set_fault(std::uint32_t index, const LinkFault& fault) = 0;
  virtual NodeCounters counters(std::uint32_t index) const = 0;
  /// Adds node `index` to a waveform, under the name it was made with.
  virtual void trace(std::uint32_t index, VerilatedFstC* file) = 0;
};

/// Batch of pifo_nodes.
class PifoBatch : public NodeBatch {
 public:
  virtual void write_table(std::uint32_t index, std::uint32_t label, const HardwareTableEntry& entry) = 0;
  virtual void set_branches(std::uint32_t index, std::uint64_t first_ports) = 0;
  virtual void add_host_packets(std::uint32_t index, std::vector<HostPacket> packets) = 0;
  virtual void fill_queues() = 0;
  virtual NodeStatus status(std::uint32_t index) const = 0;
  virtual std::uint32_t packets_with_host(std::uint32_t index) const = 0;
};

/// Batch of tdm_nodes.
class TdmBatch : public NodeBatch {
 public:
  /// `program` must outlive the run.
  virtual void load_program(std::uint32_t index, const TdmNodeProgram* program) = 0;
  virtual void configure(const TdmHost& host) = 0;
  /// The first sends that were late, in order of time for each node; at most kLateKept per node.
  virtual const std::vector<LateSend>& late_sends(std::uint32_t index) const = 0;
  virtual std::uint64_t late_count(std::uint32_t index) const = 0;  ///< all of them
  virtual TdmCounters tdm_counters(std::uint32_t index) const = 0;
  virtual TdmStatus tdm_status(std::uint32_t index) const = 0;
};

/// The slot_timer of a fabric.
class TimerModel {
 public:
  virtual ~TimerModel() = default;
  virtual void reset() = 0;
  virtual void start() = 0;
  virtual SlotSignals sample() = 0;  ///< before the edge
  virtual void clock() = 0;
  virtual void falling_edge() = 0;
  virtual void trace(VerilatedFstC* file) = 0;
};

struct BatchConfig {
  VerilatedContext* context = nullptr;  ///< outlives the batch; not shared between threads
  std::uint32_t first_node = 0;
  std::vector<std::string> node_names;  ///< one per node: scope in a waveform and in assertion messages
  bool skip_idle = true;                ///< do not evaluate nodes that cannot change
  bool two_edges = false;               ///< clock() leaves the clock high; falling_edge() is called
};

// What a variant's shared object exports (extern "C", by these names).
using MakeBatchFunction = NodeBatch* (*)(const BatchConfig*);      // "safnet_make_batch"
using NodeBytesFunction = std::size_t (*)();                       // "safnet_node_bytes"
using MakeTimerFunction = TimerModel* (*)(VerilatedContext*);      // "safnet_make_timer"
using MakeNetworkFunction = Machine* (*)(MachineObserver*);        // "safnet_make_network"
using MakeTdmNetworkFunction = TdmMachine* (*)(MachineObserver*);  // "safnet_make_tdm_network"

}  // namespace safnet
