// traffic_recorder - every packet of a traffic run from its generation to its delivery, each checked by its
// payload.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/recording.hpp"
#include "sim/pifo/packet_recorder.hpp"

namespace safnet {

/// What happened to a packet; cycles count from 1, 0 is never.
struct TrafficPacket {
  NodeId destination = 0;
  std::uint32_t generated = 0;  ///< at the beginning of this cycle
  std::uint32_t left = 0;       ///< its header was on the first link
  std::uint32_t delivered = 0;  ///< its last flit arrived
};

/// The cycles that are measured, both ends included.
struct CycleWindow {
  std::uint32_t first = 1, last = 0;
  bool holds(std::uint32_t cycle) const { return first <= cycle && cycle <= last; }
};

class TrafficRecorder final : public PacketRecorder {
 public:
  /// `keep_events`: write down every transfer, for take_trace().
  TrafficRecorder(const Graph& graph, const PifoParameters& parameters, CycleWindow window,
                  bool keep_events = false);

  /// Notes a packet that `source` generates; returns its tag. To be called between two cycles of the machine.
  std::uint32_t generate(NodeId source, NodeId destination, std::uint32_t cycle);

  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;

  /// The packets of a node in the order of their tags 0, 1, ...
  const std::vector<TrafficPacket>& packets_of(NodeId source) const { return nodes_[source].packets; }
  /// Packets generated in the window that have arrived.
  std::uint64_t delivered_of_window() const { return sum_of(nodes_, &NodeRecord::delivered_of_window); }
  std::uint64_t flits_delivered_in_window() const { return sum_of(nodes_, &NodeRecord::window_flits); }
  /// Flits that the link of this output port carried in the window.
  std::uint64_t flits_on_link(NodeId node, PortId port) const { return nodes_[node].link_flits[port]; }
  std::string name(PacketId packet) const override;
  std::vector<std::string> missing(std::size_t limit) const override;

  /// Calls `arrival(at, from)` for each packet that reaches its destination intact for the first time; with
  /// several threads, for different destinations at once.
  void on_arrival(std::function<void(NodeId at, NodeId from)> arrival) { on_arrival_ = std::move(arrival); }
  /// All packets that were generated, those of node 0 first, and what was seen on the links, if events were
  /// kept. They are gone then.
  Recording take_recording(PortModel ports, int flits, int link_latency);

 private:
  struct NodeRecord {
    std::vector<TrafficPacket> packets;  // of this source; `delivered` is written by the destination's thread
    std::vector<std::uint64_t> link_flits;  // per output port, in the window
    std::uint64_t delivered_of_window = 0, window_flits = 0;
  };
  std::vector<NodeId> destinations(PacketId packet) const override;
  void sent(const FlitEvent& first, const PacketFormat::Header& header) override;
  std::string arrived(const FlitEvent& last, PacketId packet) override;

  CycleWindow window_;
  std::vector<NodeRecord> nodes_;
  std::function<void(NodeId, NodeId)> on_arrival_;
};

}  // namespace safnet
