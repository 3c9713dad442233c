// class_scan - what exchange_nodes do before their packets move: row and column sums of the active nodes,
// from which each node derives the class of its host's packets (Varvarigos and Bertsekas, section 4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/pifo_parameters.hpp"

namespace safnet {

/// The observer of a network of exchange_nodes: sees the scan, then passes what follows on to another one.
class ClassScanWatch final : public MachineObserver {
 public:
  /// `exchange` is told of everything after the scan; it and `scan` must outlive the watch.
  ClassScanWatch(const Graph& graph, const PifoParameters& parameters, const ClassScan& scan,
                 MachineObserver& exchange);

  /// The label table entries by which a node takes part in the scan; they use the last labels. They say
  /// whether the node is active and where it is in the trees of its row and column.
  std::vector<LabelEntry> labels(NodeId v) const;
  /// Runs the scan to its end. All wires are then quiet, and the network's time stands still until the
  /// machine is started again.
  void run(Machine& machine);
  /// Cycle in which the last value of the scan arrived.
  std::uint32_t cycles() const;
  /// What was wrong with the scan: nodes that told their hosts wrong sums, or a length other than one hop up
  /// and one down for each level of the trees.
  std::vector<std::string> problems() const;

  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;
  PacketInWords packet_in_words(const FlitEvent& first) const override {
    return scanning_ ? PacketInWords{"scan"} : exchange_.packet_in_words(first);
  }

 private:
  struct Told {
    std::uint32_t row_sum, column_sum, node_class;
  };
  struct Node {  // each is touched by the thread of its node alone
    std::uint32_t last_cycle = 0;
    std::uint32_t times_told = 0;
    std::optional<Told> told;
  };
  std::uint32_t expected_cycles() const;

  const Graph graph_;
  PifoParameters parameters_;
  const ClassScan& scan_;
  MachineObserver& exchange_;
  std::vector<Node> nodes_;
  bool scanning_ = true;
};

}  // namespace safnet
