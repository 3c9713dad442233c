// Threads: each node's record is touched by the thread of its node. In the records of other nodes a thread
// only writes the arrival of packets whose destination is its node; each packet has one destination.
#include "sim/run/traffic_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

TrafficRecorder::TrafficRecorder(const Graph& graph, const PifoParameters& parameters, CycleWindow window,
                                 bool keep_events)
    : PacketRecorder(graph, parameters, keep_events), window_(window), nodes_(graph.node_count()) {
  for (NodeId v = 0; v < graph.node_count(); ++v) nodes_[v].link_flits.resize(graph.degree(v));
}

std::uint32_t TrafficRecorder::generate(NodeId source, NodeId destination, std::uint32_t cycle) {
  std::vector<TrafficPacket>& packets = nodes_[source].packets;
  packets.push_back({destination, cycle});
  return static_cast<std::uint32_t>(packets.size() - 1);
}

void TrafficRecorder::on_link_flit(const FlitEvent& flit) {
  if (window_.holds(flit.now.cycle)) ++nodes_[flit.node].link_flits[flit.port];
  PacketRecorder::on_link_flit(flit);
}

void TrafficRecorder::on_delivered_flit(const FlitEvent& flit) {
  if (window_.holds(flit.now.cycle)) ++nodes_[flit.node].window_flits;
  PacketRecorder::on_delivered_flit(flit);
}

std::string TrafficRecorder::name(PacketId packet) const {
  return fmt::format("packet {} of source {}", packet.tag, packet.source);
}

std::vector<NodeId> TrafficRecorder::destinations(PacketId packet) const {
  if (packet.source >= nodes_.size() || packet.tag >= packets_of(packet.source).size()) return {};
  return {packets_of(packet.source)[packet.tag].destination};
}

void TrafficRecorder::sent(const FlitEvent& first, const PacketFormat::Header& header) {
  note_transfer(first, header.packet, header.length);
  NodeRecord& record = nodes_[first.node];
  if (header.packet.source != first.node || header.packet.tag >= record.packets.size()) return;
  TrafficPacket& packet = record.packets[header.packet.tag];
  if (packet.left == 0) packet.left = first.now.cycle;
}

std::string TrafficRecorder::arrived(const FlitEvent& last, PacketId id) {
  if (id.source >= nodes_.size() || id.tag >= nodes_[id.source].packets.size())
    return "no such packet was sent";
  TrafficPacket& packet = nodes_[id.source].packets[id.tag];
  if (packet.destination != last.node) return kWrongNode;
  if (packet.delivered != 0) return kTwice;
  packet.delivered = last.now.cycle;
  if (window_.holds(packet.generated)) ++nodes_[last.node].delivered_of_window;
  if (on_arrival_) on_arrival_(last.node, id.source);
  return {};
}

std::vector<std::string> TrafficRecorder::missing(std::size_t limit) const {
  std::vector<std::string> lines;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    for (const TrafficPacket& packet : nodes_[v].packets) {
      if (lines.size() >= limit) return lines;
      if (packet.left == 0 || packet.delivered != 0) continue;
      lines.push_back(fmt::format("a packet that left node {} in cycle {} never reached node {}",
                                  graph().node_name(v), packet.left, graph().node_name(packet.destination)));
    }
  }
  return lines;
}

Recording TrafficRecorder::take_recording(PortModel ports, int flits, int link_latency) {
  Schedule schedule(graph());
  schedule.ports = ports;
  schedule.link_latency = static_cast<std::uint32_t>(link_latency);
  schedule.description = "packets between hosts, as the hardware carried them";
  std::vector<std::uint32_t> generated;
  std::vector<PacketIndex> first_of_node;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    first_of_node.push_back(schedule.packets.size());
    for (const TrafficPacket& packet : packets_of(v)) {
      schedule.packets.add(v, static_cast<std::uint32_t>(generated.size() - first_of_node.back()),
                           static_cast<std::uint32_t>(flits), std::span(&packet.destination, 1));
      generated.push_back(packet.generated);
    }
  }
  first_of_node.push_back(schedule.packets.size());
  for (const Transfer& t : take_trace().transfers) {
    const NodeId v = t.packet.source;  // as the header has it, which a fault may have damaged
    if (v >= nodes_.size() || t.packet.tag >= first_of_node[v + 1] - first_of_node[v]) continue;
    schedule.sends.push_back({t.cycle, graph().link(t.from, t.port), first_of_node[v] + t.packet.tag});
  }
  sort_sends(schedule);
  Recording recording(std::move(schedule));
  recording.generated = std::move(generated);
  return recording;
}

}  // namespace safnet
