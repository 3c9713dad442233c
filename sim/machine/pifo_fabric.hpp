// pifo_fabric - a network of pifo_nodes, one verilated node per vertex of a graph; see node_fabric.
#pragma once

#include <memory>

#include "sim/machine/node_fabric.hpp"

namespace safnet {

class Fabric final : public Machine {
 public:
  /// `observer` may be null; it must outlive the fabric.
  Fabric(const Graph& graph, const NodeParameters& parameters, std::shared_ptr<const Variant> variant,
         MachineObserver* observer, const FabricOptions& options);

  void reset() override;
  void write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) override;
  void set_branches(std::uint32_t node, std::uint64_t first_ports) override;
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

  /// Node evaluations so far: what idle skipping saves.
  std::uint64_t evaluations() const { return nodes_.evaluations(); }

 private:
  PifoBatch& batch(std::uint32_t node) const;
  NodeFabric nodes_;
};

}  // namespace safnet
