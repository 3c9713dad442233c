// tdm_fabric - a network of tdm_nodes, one verilated node per vertex of a graph; see node_fabric.
#pragma once

#include <memory>
#include <vector>

#include "sim/machine/node_fabric.hpp"

namespace safnet {

class TdmFabric final : public TdmMachine {
 public:
  /// `observer` may be null; it must outlive the fabric.
  TdmFabric(const Graph& graph, const TdmParameters& parameters, std::shared_ptr<const Variant> variant,
            MachineObserver* observer, const FabricOptions& options);

  void reset() override { nodes_.reset(); }
  void load_program(std::uint32_t node, const TdmNodeProgram* program) override;
  void configure(const TdmHost& host) override;
  void start() override { nodes_.start(); }
  NetworkTime clock() override { return nodes_.clock(); }
  bool finished() const override { return nodes_.finished(); }
  std::uint64_t progress() const override { return nodes_.progress(); }
  void set_fault(const LinkFault& fault) override;
  NodeCounters counters(std::uint32_t node) const override;
  TdmCounters tdm_counters(std::uint32_t node) const override;
  TdmStatus tdm_status(std::uint32_t node) const override;
  std::vector<LateSend> late_sends(std::uint32_t node) const override;
  std::uint64_t late_count(std::uint32_t node) const override;

  std::uint64_t evaluations() const { return nodes_.evaluations(); }

 private:
  TdmBatch& batch(std::uint32_t node) const;
  std::uint32_t index(std::uint32_t node) const { return nodes_.place(node).index; }
  NodeFabric nodes_;
};

}  // namespace safnet
