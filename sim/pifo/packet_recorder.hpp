// packet_recorder - what recorders of routers have in common: they put flits together to packets, on links
// and at hosts, and check each packet that arrives by its payload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/recorder.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

class PacketRecorder : public Recorder {
 public:
  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;
  PacketInWords packet_in_words(const FlitEvent& first) const override;
  /// How messages name a packet.
  virtual std::string name(PacketId packet) const = 0;
  /// The header of the last packet that entered the link of an output port; none: no packet did.
  std::optional<PacketFormat::Header> last_on_link(NodeId node, PortId port) const;

 protected:
  PacketRecorder(const Graph& graph, const PifoParameters& parameters, bool keep_events);
  /// The nodes that are to get a packet; of several, two are enough.
  virtual std::vector<NodeId> destinations(PacketId packet) const = 0;
  /// A packet enters a link.
  virtual void sent(const FlitEvent& first, const PacketFormat::Header& header) = 0;
  /// A packet has arrived intact at a host. Returns what is wrong with that (such as the node), or nothing.
  virtual std::string arrived(const FlitEvent& last, PacketId packet) = 0;

 private:
  struct Arriving {  // packet being delivered through one port
    PacketFormat::Header header{};
    std::uint32_t flits = 0;  // so far
    bool intact = false;      // all of them are as the header says
  };
  struct Ports {
    std::vector<std::uint32_t> flits_left;  // per output port: flits of the packet on the link still to come
    std::vector<std::uint64_t> header;      // per output port: of the packet that entered the link last
    std::vector<Arriving> arriving;         // per input port
  };

  PacketFormat format_;
  std::uint32_t flits_;
  std::vector<Ports> ports_;  // each is touched by the thread of its node alone
};

}  // namespace safnet
