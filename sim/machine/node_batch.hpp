// node_batch - what a variant's shared object offers to the program: batches of verilated nodes, their
// network's timer, and whole networks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/node_settings.hpp"

class VerilatedContext;
class VerilatedFstC;

namespace safnet {

/// Wires between nodes in the fabric: what the registers of up to 64 ports of a node drive in this cycle, a
/// bit per port.
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

/// What all nodes drive in one cycle.
struct WireValues {
  std::vector<NodeOutputs> outputs;  ///< [node][port / 64]
  std::vector<std::uint32_t> flits;  ///< [node][port][word]
  /// [part]: a bit for each node to which a node of that part drives anything.
  std::vector<std::vector<std::uint64_t>> wakes;
};

/// All wires of a fabric. In a cycle each batch reads `now` and writes its own nodes' part of `next`; the
/// fabric swaps them after it.
struct FabricWires {
  std::uint32_t radix = 0;  ///< ports of a node
  WireValues now, next;
  std::vector<Wire> feeders;  ///< [node][input port]: the output whose flits and requests come in here
  std::vector<Wire> targets;  ///< [node][output port]: the input whose credits and grants come back here
  std::vector<std::uint32_t> first_node;  ///< of each part
  /// Elements of WireValues::outputs for each node.
  std::uint32_t output_words() const { return (radix + 63) / 64; }
  std::size_t nodes() const { return targets.size() / radix; }
  std::size_t part_of(std::uint32_t node) const {
    const auto after = std::upper_bound(first_node.begin(), first_node.end(), node);
    return static_cast<std::size_t>(after - first_node.begin()) - 1;
  }
};

/// A set of the nodes of a batch, in words of 64 that begin at multiples of 64.
class NodeSet {
 public:
  NodeSet() = default;
  NodeSet(std::uint32_t first, std::uint32_t nodes)
      : first_(first), end_(first + nodes), words_(nodes == 0 ? 0 : (end_ + 63) / 64 - first / 64) {}
  std::size_t words() const { return words_.size(); }
  std::uint64_t first_of(std::size_t word) const { return (first_ / 64 + word) * 64; }
  std::uint64_t& word(std::size_t word) { return words_[word]; }
  std::uint64_t word(std::size_t word) const { return words_[word]; }
  /// All nodes of the batch in a word.
  std::uint64_t all(std::size_t word) const {
    std::uint64_t bits = ~std::uint64_t{0};
    const std::uint64_t begin = first_of(word);
    if (begin < first_) bits &= ~std::uint64_t{0} << (first_ - begin);
    if (end_ < begin + 64) bits &= ~std::uint64_t{0} >> (begin + 64 - end_);
    return bits;
  }
  bool has(std::uint32_t node) const { return (words_[node / 64 - first_ / 64] >> (node % 64) & 1) != 0; }
  void put(std::uint32_t node, bool is_in) {
    std::uint64_t& bits = words_[node / 64 - first_ / 64];
    bits = (bits & ~(std::uint64_t{1} << node % 64)) | std::uint64_t{is_in} << node % 64;
  }
  void fill() {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] = all(w);
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::uint64_t first_ = 0, end_ = 0;
  std::vector<std::uint64_t> words_;
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
  /// A cycle: each node samples what its neighbours drive, is clocked and drives the next cycle's wires; the
  /// observer is told. Each model is then touched once a cycle, which matters where all do not fit in a
  /// cache.
  virtual void cycle(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) = 0;
  /// The same in two halves: all nodes sample, then all are clocked.
  virtual void gather(const FabricWires& wires, const SlotSignals& signals) = 0;
  virtual void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) = 0;
  /// Whether only the two halves may be used.
  virtual bool needs_two_phases() const = 0;
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

/// The waveform of a whole network, which is one model.
class NetworkWave {
 public:
  virtual ~NetworkWave() = default;
  /// For the model to be added to, before open().
  virtual VerilatedFstC* file() = 0;
  virtual void open() = 0;
  /// Dumps what there is before the first cycle.
  virtual void dump_start() = 0;
  /// A flit that is on a link in the cycle whose rising edge is dumped next.
  virtual void on_link_flit(const FlitEvent& flit) = 0;
  /// What the model drives after the edge that begins a cycle, or after the falling edge in its middle.
  virtual void dump(std::uint32_t cycle, bool rising) = 0;
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
using MakeNetworkFunction = Machine* (*)(std::uint32_t nodes, const NodeSettings*, MachineObserver*,
                                         NetworkWave*);  // "safnet_make_network"; the network owns the wave

}  // namespace safnet
