// software_run - a collective done by the hosts' software: packets go from host to host, each to one other,
// and the network neither copies nor combines them. What a network that does so is to be compared with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/traffic/host_tree.hpp"
#include "sim/run/traffic.hpp"

namespace safnet {

/// A broadcast down a tree of hosts, or a reduction up. A host does one thing after the other. In a broadcast
/// it waits for a batch of packets from its parent and hands a copy of the batch to its node for each child;
/// in a reduction it waits for a batch from each child, combines it, and hands the result over for its
/// parent.
struct SoftwareRequest : RouterNetworkSettings {
  CollectiveKind collective = CollectiveKind::kBroadcast;  ///< or kReduction
  HostTree tree;
  std::uint32_t messages = 1;  ///< packets of the root, or of each host that is to be combined
  std::uint32_t batch = 1;     ///< packets that a host gets or sends at once; the last batch may be smaller
  /// Cycles that a host is busy for each batch that it sends, and for each that it has got.
  std::uint32_t host_overhead = 0;
  std::uint32_t combine_cycles = 0;  ///< and for each packet of a reduction that it combines

  std::uint32_t batches() const { return (messages + batch - 1) / batch; }
};

/// Throws std::invalid_argument if no hardware can run it.
void check_software(const SoftwareRequest& request, const PacketRoutes& routes);

/// `cycles` is that of the last delivery, by the hardware; what the root of a reduction does afterwards is
/// not in it. Every packet is checked by its payload; what hosts combine is not computed.
struct SoftwareResult : Account {
  PifoParameters parameters;
  std::uint32_t end_cycle = 0;                 ///< of the whole run
  std::shared_ptr<const Recording> recording;  ///< if a trace was asked for
};

SoftwareResult run_software(const SoftwareRequest& request, const PacketRoutes& routes, VariantStore& store);

/// The nodes of such a run.
PifoParameters software_parameters(const SoftwareRequest& request, const PacketRoutes& routes);

}  // namespace safnet
