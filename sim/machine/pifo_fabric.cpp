#include "sim/machine/pifo_fabric.hpp"

#include <utility>

namespace safnet {
namespace {

// A model's memories are known exactly; the names and scopes of its assertions, on the heap, are about a
// kilobyte per lane of its queues.
double scope_bytes(const NodeParameters& p) {
  const int lanes = (p.port_model == 0 ? p.radix : 1) * (p.radix + 1);
  return 1024.0 * lanes + 16384;
}

}  // namespace

Fabric::Fabric(const Graph& graph, const NodeParameters& parameters, std::shared_ptr<const Variant> variant,
               MachineObserver* observer, const FabricOptions& options)
    : nodes_(graph, static_cast<std::uint32_t>(parameters.radix),
             static_cast<std::uint32_t>(parameters.flit_width), scope_bytes(parameters), std::move(variant),
             observer, options) {}

PifoBatch& Fabric::batch(std::uint32_t node) const {
  return static_cast<PifoBatch&>(*nodes_.place(node).batch);
}

void Fabric::reset() { nodes_.reset(); }
void Fabric::write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) {
  batch(node).write_table(nodes_.place(node).index, label, entry);
}
void Fabric::set_branches(std::uint32_t node, std::uint64_t first_ports) {
  batch(node).set_branches(nodes_.place(node).index, first_ports);
}
void Fabric::add_host_packets(std::uint32_t node, std::vector<HostPacket> packets) {
  batch(node).add_host_packets(nodes_.place(node).index, std::move(packets));
}
void Fabric::fill_queues() {
  for (const auto& each : nodes_.batches()) static_cast<PifoBatch&>(*each).fill_queues();
}
void Fabric::start() { nodes_.start(); }
NetworkTime Fabric::clock() { return nodes_.clock(); }
bool Fabric::finished() const { return nodes_.finished(); }
std::uint64_t Fabric::progress() const { return nodes_.progress(); }
void Fabric::set_fault(const LinkFault& fault) {
  batch(fault.node).set_fault(nodes_.place(fault.node).index, fault);
}
NodeCounters Fabric::counters(std::uint32_t node) const {
  return batch(node).counters(nodes_.place(node).index);
}
NodeStatus Fabric::status(std::uint32_t node) const { return batch(node).status(nodes_.place(node).index); }
std::uint32_t Fabric::packets_with_host(std::uint32_t node) const {
  return batch(node).packets_with_host(nodes_.place(node).index);
}

}  // namespace safnet
