// network_core - what is inside of a NetworkModule: a network that is clocked, and says what came out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/systemc/packet_queue.hpp"
#include "cpp_model/traffic/packet_routes.hpp"
#include "sim/machine/machine.hpp"

namespace safnet {

/// A packet that a host got.
struct ArrivedPacket {
  NodeId node = 0;
  PacketId packet;
  std::vector<std::uint64_t> words;
};

class NetworkCore {
 public:
  virtual ~NetworkCore() = default;
  /// All flits of the packets that were offered to the host of `node` are in the node.
  virtual bool is_free(NodeId node) const = 0;
  /// A packet to be injected from the next cycle on.
  virtual void offer(NodeId node, PacketId packet, PacketRoutes::Start start, reference::Words words) = 0;
  virtual void reset() = 0;
  /// An edge begins a cycle. Packets whose last flit came in the cycle before are told at this edge, within
  /// this call or some delta cycles later.
  virtual void begin_cycle() = 0;
  /// The falling edge after it.
  virtual void end_of_pulse() {}
  virtual std::uint32_t cycle() const = 0;
  /// Grows when anything moves.
  virtual std::uint64_t movements() const = 0;
  virtual NodeStatus status(NodeId node) const = 0;
  /// The label of the packet that entered the link of an output last; 0 if none did.
  virtual Label last_label(NodeId node, PortId port) const = 0;
  /// What is wrong with the nodes, a line each.
  virtual std::vector<std::string> problems() const = 0;
};

using TellArrival = std::function<void(const ArrivedPacket&)>;

}  // namespace safnet
