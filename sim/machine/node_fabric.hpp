// node_fabric - one verilated node per vertex of a graph, wired in C++: any topology runs without a build.
//
// A cycle has two halves: every node samples what its neighbours' registers drive, then every node is
// clocked. Nodes are split into contiguous ranges, one per thread; since a node's outputs are registers, the
// result is the same for any number of threads. A node that is idle and has nothing arriving is not
// evaluated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/node_pool.hpp"
#include "sim/variant/variant.hpp"

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

/// The nodes of a fabric, whichever kind they are, their wires and their clock.
class NodeFabric {
 public:
  /// `model_bytes`: memory of a node apart from its model (names and scopes of assertions), an estimate.
  /// `observer` may be null; it must outlive the fabric.
  NodeFabric(const Graph& graph, std::uint32_t radix, std::uint32_t flit_width, double model_bytes,
             std::shared_ptr<const Variant> variant, MachineObserver* observer, const FabricOptions& options);
  ~NodeFabric();
  NodeFabric(const NodeFabric&) = delete;
  NodeFabric& operator=(const NodeFabric&) = delete;

  void reset();
  void start();
  NetworkTime clock();
  bool finished() const;
  std::uint64_t progress() const;

  /// Node evaluations so far: what idle skipping saves.
  std::uint64_t evaluations() const;

  struct Place {
    NodeBatch* batch;
    std::uint32_t index;
  };
  Place place(std::uint32_t node) const;
  const std::vector<std::unique_ptr<NodeBatch>>& batches() const { return batches_; }

 private:
  struct Workers;
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
