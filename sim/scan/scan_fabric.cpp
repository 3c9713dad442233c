#include "sim/scan/scan_fabric.hpp"

#include <algorithm>
#include <utility>

namespace safnet {
namespace {

// Names and scopes of assertions, on the heap; an estimate.
double scope_bytes(const ScanParameters& p) { return 1024.0 * 8 * p.classes + 16384; }

}  // namespace

ScanFabric::ScanFabric(const DigitNetwork& network, const ScanParameters& parameters,
                       std::shared_ptr<const Variant> variant, MachineObserver* observer,
                       const FabricOptions& options)
    : network_(network),
      code_{network.side(), network.digits(), static_cast<std::uint32_t>(parameters.digit_width)},
      nodes_(network.graph(), static_cast<std::uint32_t>(parameters.radix), ScanParameters::kFlitWidth,
             scope_bytes(parameters), std::move(variant), observer, options) {}

ScanPlace ScanFabric::place_of(NodeId node) const {
  ScanPlace place;
  for (std::uint32_t c = 0; c < class_count_; ++c) {
    place.address.push_back(digits_of(network_.address(node, c)));
    for (std::uint32_t l = 0; l < network_.digits(); ++l) {
      const PortId plus = network_.plus_port(node, c, l), minus = network_.minus_port(node, c, l);
      place.plus_port.push_back(plus == kNoPort ? 0 : plus);
      place.minus_port.push_back(minus == kNoPort ? 0 : minus);
    }
  }
  return place;
}

void ScanFabric::configure(const ScanSettings& settings, ScanHosts* hosts) {
  nodes_.reset();
  class_count_ = settings.class_count;
  for (const auto& each : nodes_.batches()) static_cast<ScanBatch&>(*each).configure(settings, hosts);
  for (NodeId v = 0; v < network_.graph().node_count(); ++v) configure_place(v, place_of(v));
}
void ScanFabric::configure_place(NodeId node, const ScanPlace& place) {
  batch(node).place(index(node), place);
}

void ScanFabric::load(NodeId node, std::uint32_t class_number, NodeId rank, std::uint32_t piece,
                      std::uint32_t flit, std::uint64_t value) {
  batch(node).load(index(node), class_number, digits_of(rank), piece, flit, value);
}
void ScanFabric::set_fault(const LinkFault& fault) { batch(fault.node).set_fault(index(fault.node), fault); }
NodeCounters ScanFabric::counters(NodeId node) const { return batch(node).counters(index(node)); }
ScanStatus ScanFabric::status(NodeId node) const {
  ScanStatus status = batch(node).scan_status(index(node));
  for (std::uint64_t& rank : status.rank) rank = number_of(rank);
  for (std::uint64_t& total : status.total) total = number_of(total);
  status.group_total = number_of(status.group_total);
  return status;
}

}  // namespace safnet
