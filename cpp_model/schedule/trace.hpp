// trace - what a network did, event by event, as an observer of its links and hosts writes it down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Names a packet within a run: the node that injected it and a number of that node's choosing.
struct PacketId {
  NodeId source = 0;
  std::uint32_t tag = 0;
  friend auto operator<=>(const PacketId&, const PacketId&) = default;
};

/// One packet crossing one directed link. Steps and cycles count from 1.
struct Transfer {
  std::uint32_t step = 0;   ///< slot in which the first flit leaves
  std::uint32_t cycle = 0;  ///< clock cycle in which the first flit leaves
  NodeId from = 0;
  PortId port = 0;  ///< output port of `from`
  PacketId packet;
  std::uint32_t flits = 1;
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// One packet handed to the host of a node. `cycle` is that in which its last flit arrived.
struct Delivery {
  std::uint32_t step = 0;
  std::uint32_t cycle = 0;
  NodeId node = 0;
  PortId port = 0;  ///< input port it came through
  PacketId packet;
  friend bool operator==(const Delivery&, const Delivery&) = default;
};

/// What a node counted of the queue in front of one of its links: packets in it at once.
struct QueuePeak {
  /// A packet counts from the cycle after it arrived to the one in which it starts.
  std::uint32_t stored = 0;
  std::uint32_t waiting = 0;  ///< without the cycle in which it starts: packets that stay behind
  friend bool operator==(const QueuePeak&, const QueuePeak&) = default;
};

/// Transfers and deliveries ordered by cycle, then node, then port.
struct Trace {
  std::vector<Transfer> transfers;
  std::vector<Delivery> deliveries;
};
/// Puts transfers and deliveries in this order.
inline void sort_by_time(Trace& trace) {
  std::ranges::sort(trace.transfers, {},
                    [](const Transfer& t) { return std::tuple(t.cycle, t.from, t.port); });
  std::ranges::sort(trace.deliveries, {},
                    [](const Delivery& d) { return std::tuple(d.cycle, d.node, d.port); });
}

}  // namespace safnet
