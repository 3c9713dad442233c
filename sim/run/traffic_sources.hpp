// traffic_sources - the hosts of routers whose packets come while the network runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpp_model/traffic/packet_routes.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/packet_format.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/pifo/router_program.hpp"
#include "sim/run/traffic_recorder.hpp"

namespace safnet {

/// The sources' unlimited queues. A host is handed its next packet only when the last flit of the one before
/// is in the node, so that packets which did not get into the network can be withdrawn at the end.
class TrafficSources {
 public:
  TrafficSources(const PacketRoutes& routes, const PifoParameters& parameters, Machine& machine,
                 TrafficRecorder& recorder)
      : routes_(routes),
        flits_(parameters.flits),
        format_(parameters),
        machine_(machine),
        recorder_(recorder),
        handed_(routes.graph().node_count()) {}

  /// A packet that `source` has from the beginning of the coming cycle on.
  void generate(NodeId source, NodeId destination, std::uint32_t cycle) {
    if (recorder_.generate(source, destination, cycle) == handed_[source]) waiting_.push_back(source);
    ++generated_;
  }
  /// Gives every host that is free its next packet, to be injected from the coming cycle on. Returns whether
  /// there was any.
  bool hand_over() {
    const std::uint64_t before = handed_in_all_;
    std::erase_if(waiting_, [this](NodeId source) {
      if (machine_.packets_with_host(source) != 0) return false;
      const std::vector<TrafficPacket>& packets = recorder_.packets_of(source);
      const std::uint32_t tag = handed_[source]++;
      const PacketRoutes::Start start = routes_.start(source, packets[tag].destination);
      machine_.offer(source, host_packet(format_, source, {start.label, tag, start.rank, 0}, flits_));
      ++handed_in_all_;
      return handed_[source] == packets.size();
    });
    return handed_in_all_ != before;
  }
  std::uint64_t generated() const { return generated_; }
  std::uint64_t handed() const { return handed_in_all_; }
  std::uint64_t backlog() const { return generated_ - handed_in_all_; }

 private:
  const PacketRoutes& routes_;
  int flits_;
  PacketFormat format_;
  Machine& machine_;
  TrafficRecorder& recorder_;
  std::vector<std::uint32_t> handed_;  // packets of each node that its host has been given
  std::vector<NodeId> waiting_;        // nodes that have more
  std::uint64_t generated_ = 0, handed_in_all_ = 0;
};

}  // namespace safnet
