// fabric - one verilated node per vertex of a graph, wired in C++: any topology runs without a build.
//
// A cycle has two halves: every node samples what its neighbours' registers drive, then every node is
// clocked. Nodes are split into contiguous ranges, one per thread; since a node's outputs are registers, the
// result is the same for any number of threads. A node that is idle and has nothing arriving is not
// evaluated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fabric/node_pool.hpp"
#include "sim/machine/node_batch.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

struct WaveRequest {
  std::string path;           ///< FST file; empty: none
  std::vector<NodeId> nodes;  ///< nodes to be traced; empty: all
  std::uint32_t first_cycle = 0;
  std::uint32_t last_cycle = 0xffff'ffff;
};

struct FabricOptions {
  unsigned threads = 1;
  bool skip_idle = true;  ///< off: evaluate every node in every cycle (slower, the same result)
  /// Where the nodes come from and go back to; null: they are made for this fabric. Used by fabrics of one
  /// thread that write no waveform and skip idle nodes.
  NodePool* pool = nullptr;
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
  void load(std::uint32_t node, const NodeProgram& program) override;
  void offer(std::uint32_t node, HostPacket packet) override;
  std::uint32_t packets_with_host(std::uint32_t node) const override;
  void start() override;
  NetworkTime clock() override;
  bool finished() const override;
  std::uint64_t progress() const override;
  void set_fault(const LinkFault& fault) override;
  NodeCounters counters(std::uint32_t node) const override;
  NodeStatus status(std::uint32_t node) const override;
  std::uint64_t evaluations() const override;

 private:
  struct Workers;
  struct Place {
    NodeBatch* batch;
    std::uint32_t index;
  };
  Place place(std::uint32_t node) const;
  void wire(const Graph& graph, std::uint32_t radix, std::uint32_t words_per_flit);
  void take_from_pool(NodePool& pool, std::uint32_t nodes);
  void make_batches(const Graph& graph, unsigned threads, bool skip_idle);
  void open_wave(NodeId nodes);
  void start_workers();
  void run_cycle();
  void dump(std::uint32_t cycle, bool rising);

  std::shared_ptr<const Variant> variant_;
  MachineObserver* observer_;
  FabricWires wires_;
  std::vector<std::unique_ptr<VerilatedContext>> contexts_;  // one per batch
  std::vector<std::unique_ptr<NodeBatch>> batches_;
  std::vector<std::uint32_t> first_node_;  // of each batch
  std::unique_ptr<TimerModel> timer_;
  std::size_t pooled_bytes_ = 0;
  NodePool* pool_ = nullptr;  // not null: where all the above go back to
  SlotSignals signals_;
  std::unique_ptr<Workers> workers_;
  WaveRequest wave_;
  std::uint64_t last_dump_ = 0;
  struct CloseWave {
    void operator()(VerilatedFstC* file) const;
  };
  std::unique_ptr<VerilatedFstC, CloseWave> wave_file_;
};

}  // namespace safnet
