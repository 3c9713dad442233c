// exchange_machine - a network of exchange_nodes: before the exchange the nodes scan, and hosts inject what
// their nodes' classes make of their packets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/pifo_fabric.hpp"

namespace safnet {

/// start() does the scan and fills the queues; what follows is a run like any other, whose first cycle is the
/// one after the scan. The observer is told of the exchange alone.
class ExchangeMachine final : public Machine {
 public:
  /// `observer` and `policy`, which has a scan, must outlive the machine.
  ExchangeMachine(const Graph& graph, const NodeParameters& parameters, const Policy& policy,
                  std::shared_ptr<const Variant> variant, MachineObserver* observer,
                  const FabricOptions& options);
  ~ExchangeMachine() override;

  void reset() override;
  void write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) override;
  void set_branches(std::uint32_t node, std::uint64_t first_ports) override;
  /// Packets of class 0; they are kept for after the scan. See class_stamp for their ranks.
  void add_host_packets(std::uint32_t node, std::vector<HostPacket> packets) override;
  void fill_queues() override;
  void start() override;
  NetworkTime clock() override;
  bool finished() const override;
  std::uint64_t progress() const override;
  void set_fault(const LinkFault& fault) override;
  NodeCounters counters(std::uint32_t node) const override;
  NodeStatus status(std::uint32_t node) const override;
  std::uint32_t packets_with_host(std::uint32_t node) const override;

  std::uint64_t evaluations() const { return fabric_.evaluations(); }
  /// Cycle in which the last value of the scan arrived.
  std::uint32_t scan_cycles() const;
  /// Flits that the scan sent over links.
  std::uint64_t scan_flits() const;
  /// What was wrong with the scan: nodes that told their hosts other sums than it had to find (the first 20),
  /// or other cycles than twice the depth of the trees.
  std::vector<std::string> problems() const;

 private:
  class ScanWatch;
  std::uint32_t expected_scan_cycles() const;
  std::unique_ptr<ScanWatch> watch_;
  const Graph graph_;
  const ClassScan& scan_;
  NodeParameters parameters_;
  Fabric fabric_;
  std::vector<std::vector<HostPacket>> packets_;  // per node
};

}  // namespace safnet
