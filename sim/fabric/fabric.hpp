// fabric - one verilated node per vertex of a graph, wired in C++: any topology runs without a build.
//
// In a cycle every node samples what its neighbours' registers drive, and is clocked; what it drives then
// goes to the wires of the next cycle. Nodes are split into contiguous ranges, one per thread; as the wires
// of this cycle do not change, the result is the same for any number of threads. A node that is idle and has
// nothing arriving is not evaluated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fabric/node_pool.hpp"
#include "sim/fabric/wave.hpp"
#include "sim/machine/node_batch.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

/// What becomes of a node's clock in a cycle.
enum class NodeClock : std::uint8_t {
  kRuns,
  kStands,  ///< no edge: the node keeps its state, and drives what it drove
  kResets,  ///< the node and its host are reset by the edge that ends the cycle
};

/// Stands on the wires between nodes and may change what they carry: flits lost or damaged on their way.
class WireTap {
 public:
  virtual ~WireTap() = default;
  /// Network time as nodes and hosts are told it: for tests of cycles with large numbers.
  virtual NetworkTime told(NetworkTime now) const { return now; }
  /// All nodes drive their wires in this cycle, and no neighbour has sampled them yet.
  virtual void before_sampling(NetworkTime now, FabricWires& wires) = 0;
  /// All nodes have sampled: the wires must be again as they were, for the observer is told what was sent.
  virtual void after_sampling(FabricWires& wires) = 0;
  /// The node whose clock clock_of_node() tells, Wire::kNowhere if there is none. Asked once, by the fabric's
  /// constructor.
  virtual std::uint32_t clocked_node() const { return Wire::kNowhere; }
  /// Asked in each cycle, after before_sampling().
  virtual NodeClock clock_of_node() const { return NodeClock::kRuns; }
  /// Flits and signals that the tap keeps back and will hand on: while there are any, the network has not
  /// finished and something moves.
  virtual std::uint64_t kept_back() const { return 0; }
};

struct FabricOptions {
  unsigned threads = 1;   ///< the result does not depend on their number
  bool skip_idle = true;  ///< off: evaluate every node in every cycle (slower, the same result)
  /// Where the nodes come from and go back to; null: they are made for this fabric. Used by fabrics of one
  /// thread that write no waveform and skip idle nodes.
  NodePool* pool = nullptr;
  WireTap* tap = nullptr;  ///< may be null; a fabric with a tap has one thread
  WaveRequest wave;
};

/// A machine of any kind of node.
class Fabric final : public Machine {
 public:
  /// `variant` is that of `hardware`; `observer` may be null and must outlive the fabric. Throws
  /// std::invalid_argument if the nodes do not fit into memory.
  Fabric(const Graph& graph, const Hardware& hardware, std::shared_ptr<const Variant> variant,
         MachineObserver* observer, const FabricOptions& options);
  ~Fabric() override;
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  void reset() override;
  void load(std::uint32_t node, const NodeProgram& program) override { batch_of(node).load(node, program); }
  void offer(std::uint32_t node, HostPacket packet) override {
    batch_of(node).offer(node, std::move(packet));
  }
  std::uint32_t packets_with_host(std::uint32_t node) const override {
    return batch_of(node).packets_with_host(node);
  }
  std::uint64_t unused_injection_ports(std::uint32_t node) const override {
    return batch_of(node).unused_injection_ports(node);
  }
  void start() override;
  NetworkTime clock() override;
  bool finished() const override { return sum(&NodeBatch::active_nodes) + kept_back() == 0; }
  std::uint64_t progress() const override;
  void set_fault(const LinkFault& fault) override { batch_of(fault.node).set_fault(fault); }
  NodeCounters counters(std::uint32_t node) const override { return batch_of(node).counters(node); }
  NodeStatus status(std::uint32_t node) const override { return batch_of(node).status(node); }
  std::uint64_t evaluations() const override { return sum(&NodeBatch::evaluations); }

 private:
  struct Workers;
  TimerModel& timer() const { return *parts_[0].timer; }
  NodeBatch& batch_of(std::uint32_t node) const;
  std::uint64_t sum(std::uint64_t (NodeBatch::*of_batch)() const) const;
  void wire(const Graph& graph, std::uint32_t radix, std::uint32_t words_per_flit);
  void make_batches(const Graph& graph, const std::vector<std::uint32_t>& first, bool skip_idle, bool traced);
  void open_wave(const WaveRequest& request, const WavedNetwork& network);
  void start_workers();
  std::uint64_t kept_back() const { return tap_ == nullptr ? 0 : tap_->kept_back(); }
  void clock_batch(std::size_t batch);
  void clock_tapped();
  void leave_part(std::size_t part, bool reset);
  void run_cycle();
  void dump_cycle();

  std::shared_ptr<const Variant> variant_;
  NodeSettings settings_;
  MachineObserver* observer_;
  WireTap* tap_;
  FabricWires wires_;
  std::vector<PooledNodes> parts_;  // one per thread; the first has the timer
  std::size_t clocked_part_;        // that of the node whose clock the tap tells; no part: there is none
  bool is_left_ = false;            // that node was not clocked in the last cycle
  bool two_phases_ = false;         // all nodes sample before any is clocked
  NodePool* pool_ = nullptr;        // not null: where the only part goes back to
  SlotSignals signals_;
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Wave> wave_;  // null: there is none
};

}  // namespace safnet
