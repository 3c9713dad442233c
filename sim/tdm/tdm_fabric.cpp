#include "sim/tdm/tdm_fabric.hpp"

#include <utility>

namespace safnet {
namespace {

// Names and scopes of assertions, on the heap; an estimate.
double scope_bytes(const TdmParameters& p) { return 1024.0 * 6 * (2 * p.radix + 1) + 16384; }

}  // namespace

TdmFabric::TdmFabric(const Graph& graph, const TdmParameters& parameters,
                     std::shared_ptr<const Variant> variant, MachineObserver* observer,
                     const FabricOptions& options)
    : nodes_(graph, static_cast<std::uint32_t>(parameters.radix),
             static_cast<std::uint32_t>(parameters.flit_width), scope_bytes(parameters), std::move(variant),
             observer, options) {}

TdmBatch& TdmFabric::batch(std::uint32_t node) const {
  return static_cast<TdmBatch&>(*nodes_.place(node).batch);
}
void TdmFabric::load_program(std::uint32_t node, const TdmNodeProgram* program) {
  batch(node).load_program(index(node), program);
}
void TdmFabric::configure(const TdmHost& host) {
  for (const auto& each : nodes_.batches()) static_cast<TdmBatch&>(*each).configure(host);
}
void TdmFabric::set_fault(const LinkFault& fault) { batch(fault.node).set_fault(index(fault.node), fault); }
NodeCounters TdmFabric::counters(std::uint32_t node) const { return batch(node).counters(index(node)); }
TdmCounters TdmFabric::tdm_counters(std::uint32_t node) const {
  return batch(node).tdm_counters(index(node));
}
TdmStatus TdmFabric::tdm_status(std::uint32_t node) const { return batch(node).tdm_status(index(node)); }
std::vector<LateSend> TdmFabric::late_sends(std::uint32_t node) const {
  return batch(node).late_sends(index(node));
}
std::uint64_t TdmFabric::late_count(std::uint32_t node) const { return batch(node).late_count(index(node)); }

}  // namespace safnet
