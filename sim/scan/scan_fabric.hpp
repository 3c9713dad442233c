// scan_fabric - a network of scan_nodes, one verilated node per vertex of a graph; see node_fabric.
#pragma once

#include <memory>

#include "cpp_model/graph/family/digit_network.hpp"
#include "sim/machine/node_fabric.hpp"
#include "sim/scan/scan_machine.hpp"
#include "sim/scan/scan_packets.hpp"

namespace safnet {

class ScanFabric {
 public:
  /// `observer` may be null; it must outlive the fabric.
  ScanFabric(const DigitNetwork& network, const ScanParameters& parameters,
             std::shared_ptr<const Variant> variant, MachineObserver* observer, const FabricOptions& options);

  /// Resets all nodes and tells them where they are. `hosts` must outlive the run.
  void configure(const ScanSettings& settings, ScanHosts* hosts);
  /// The same with ranks that are known: `ranks[v]` of the packet of node v within its class `classes[v]`, or
  /// kNoNode; with packets in parts the address of node v in each class is its rank there.
  void configure_place(NodeId node, const ScanPlace& place);
  /// Where a node is in every class.
  ScanPlace place_of(NodeId node) const;
  void load(NodeId node, std::uint32_t class_number, NodeId rank, std::uint32_t piece, std::uint32_t flit,
            std::uint64_t value);
  void start() { nodes_.start(); }
  NetworkTime clock() { return nodes_.clock(); }
  bool finished() const { return nodes_.finished(); }
  void set_fault(const LinkFault& fault);
  NodeCounters counters(NodeId node) const;
  ScanStatus status(NodeId node) const;
  std::uint64_t evaluations() const { return nodes_.evaluations(); }

  /// A number below p^(d+1) as the hardware has it, digit by digit; and back.
  std::uint64_t digits_of(std::uint64_t number) const { return code_.encode(number); }
  std::uint64_t number_of(std::uint64_t digits) const { return code_.decode(digits); }

 private:
  ScanBatch& batch(NodeId node) const { return static_cast<ScanBatch&>(*nodes_.place(node).batch); }
  std::uint32_t index(NodeId node) const { return nodes_.place(node).index; }

  const DigitNetwork& network_;
  DigitCode code_;
  std::uint32_t class_count_ = 1;
  NodeFabric nodes_;
};

}  // namespace safnet
