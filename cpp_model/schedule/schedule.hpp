// schedule - who sends which packet over which link in which step; planned, or as the hardware did it.
//
// A Schedule and a Trace are one type: a list of transfers. One validator, one set of metrics and one file
// format serve both.
#pragma once

#include <cstdint>
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

/// Transfers ordered by cycle, then node, then port.
struct Schedule {
  std::vector<Transfer> transfers;
  std::vector<Delivery> deliveries;
};
using Trace = Schedule;

/// All-port: every link busy in both directions. One-port: at most one packet being sent and one being
/// received by a node. One-port-send: one being sent, any number being received.
enum class PortModel : std::uint8_t { kAllPort, kOnePort, kOnePortSend };

}  // namespace safnet
