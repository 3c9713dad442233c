// node_batch - what a variant's shared object offers to the program: batches of verilated nodes, their
// network's timer, and whole networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/node_settings.hpp"

class VerilatedContext;
class VerilatedFstC;

namespace safnet {

/// Wires between nodes in the fabric: what each node's registers drive in this cycle, a bit per port.
struct NodeOutputs {
  std::uint64_t valid = 0, credit = 0, request = 0, grant = 0;
  bool any() const { return (valid | credit | request | grant) != 0; }
};

/// The other end of a port's wires; node == kNowhere if the port is not connected.
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
  bool slot_open_next = false;  ///< the next cycle is the first of a slot
};

/// A range of nodes of a fabric, evaluated by one thread.
class NodeBatch : public HostedNodes {
 public:
  /// Makes this a batch of `nodes` nodes. Models are made as needed; those left over are kept as spares.
  virtual void resize(std::uint32_t nodes) = 0;
  /// How the network runs from the next reset() on.
  virtual void set(const NodeSettings& settings) = 0;
  /// First half of a cycle: sample what the neighbours drive.
  virtual void gather(const FabricWires& wires, const SlotSignals& signals) = 0;
  /// Second half: clock the nodes, drive the wires, tell the observer.
  virtual void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) = 0;
  /// Falling edge, only while a waveform is written.
  virtual void falling_edge() = 0;
  virtual std::uint64_t active_nodes() const = 0;  ///< not idle, or with something left at the host
  /// Adds a node to a waveform, under the name it was made with.
  virtual void trace(std::uint32_t node, VerilatedFstC* file) = 0;
};

/// The timer of a fabric.
class TimerModel {
 public:
  virtual ~TimerModel() = default;
  virtual void reset(std::uint32_t slot_cycles) = 0;
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

// What a variant's shared object exports (extern "C", by these names): the first three if it is of single
// nodes, the last if it is a whole network.
using MakeBatchFunction = NodeBatch* (*)(const BatchConfig*);  // "safnet_make_batch"
using NodeBytesFunction = std::size_t (*)();                   // "safnet_node_bytes"
using MakeTimerFunction = TimerModel* (*)(VerilatedContext*);  // "safnet_make_timer"
using MakeNetworkFunction = Machine* (*)(std::uint32_t nodes, const NodeSettings*,
                                         MachineObserver*);  // "safnet_make_network"

}  // namespace safnet
