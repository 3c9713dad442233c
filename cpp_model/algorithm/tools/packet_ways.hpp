// packet_ways - the ways of packets between processors of a network with routers, as hops for
// list_scheduling.
#pragma once

#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/list_scheduling.hpp"

namespace safnet {

/// Chooses ways so that links share the packets; which way a packet gets depends on those chosen before.
class PacketWays {
 public:
  virtual ~PacketWays() = default;
  /// The links from one processor to another, in their order.
  virtual std::vector<LinkId> path(NodeId from, NodeId to) = 0;
  /// Adds the hops of a packet of `origin` for several processors, copied where their ways part.
  virtual void add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                         std::span<const NodeId> destinations) = 0;
  /// Adds the hops of a packet of `origin` for all other processors.
  virtual void add_multicast(Hops& hops, PacketIndex packet, NodeId origin) = 0;
  /// Adds the hops of a packet of `origin` for another processor.
  void add_path(Hops& hops, PacketIndex packet, NodeId origin, NodeId destination) {
    HopIndex after = kNoHop;
    for (const LinkId link : path(origin, destination)) after = hops.add(link, after, packet);
  }
};

}  // namespace safnet
