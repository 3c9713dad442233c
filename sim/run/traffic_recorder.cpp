// Threads: each node's record is touched by the thread of its node. Of another node's packets a thread
// touches the arrival of those that are for its node, and there is one such node per packet.
#include "sim/run/traffic_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

TrafficRecorder::TrafficRecorder(const Graph& graph, const PifoParameters& parameters, CycleWindow window)
    : Recorder(graph.node_count()),
      graph_(graph),
      format_(parameters),
      flits_(static_cast<std::uint32_t>(parameters.flits)),
      window_(window),
      nodes_(graph.node_count()) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    nodes_[v].flits_left.resize(graph.degree(v));
    nodes_[v].link_flits.resize(graph.degree(v));
    nodes_[v].arriving.resize(graph.in_degree(v));
  }
}

std::uint32_t TrafficRecorder::generate(NodeId source, NodeId destination, std::uint32_t cycle) {
  std::vector<TrafficPacket>& packets = nodes_[source].packets;
  packets.push_back({destination, cycle});
  return static_cast<std::uint32_t>(packets.size() - 1);
}

void TrafficRecorder::on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                   const std::uint32_t* words) {
  NodeRecord& record = nodes_[node];
  if (window_.holds(now.cycle)) ++record.link_flits[port];
  std::uint32_t& left = record.flits_left[port];
  if (left != 0) {
    --left;
    return;
  }
  const PacketFormat::Header header = format_.parse(flit_value(words));
  left = header.length - 1;
  ++seen(node).transmissions;
  if (header.packet.source != node || header.packet.tag >= record.packets.size()) return;
  TrafficPacket& packet = record.packets[header.packet.tag];
  if (packet.left == 0) packet.left = now.cycle;
}

void TrafficRecorder::on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                        const std::uint32_t* words, bool last) {
  NodeRecord& record = nodes_[node];
  if (window_.holds(now.cycle)) ++record.window_flits;
  ArrivingPacket& packet = record.arriving[port];
  packet.add(format_, words);
  if (last) {
    complete(now, node, packet);
    packet = {};
  }
}

void TrafficRecorder::complete(NetworkTime now, std::uint32_t node, const ArrivingPacket& arrived) {
  Seen& at = seen(node);
  const PacketId id = arrived.header.packet;
  ++at.hosts_got;
  const auto complain = [&](const std::string& what) {
    at.problems.add("packet {} of source {} at node {} in cycle {}: {}", id.tag, id.source,
                    graph_.node_name(node), now.cycle, what);
  };
  if (!arrived.intact) return complain("its payload differs from what was sent");
  if (arrived.flits != flits_) return complain(fmt::format("{} flits arrived of {}", arrived.flits, flits_));
  if (id.source >= graph_.node_count() || id.tag >= nodes_[id.source].packets.size())
    return complain("no such packet was sent");
  TrafficPacket& packet = nodes_[id.source].packets[id.tag];
  if (packet.destination != node) return complain("delivered to the wrong node");
  if (packet.delivered != 0) {
    ++at.duplicated;
    return complain("delivered more than once");
  }
  packet.delivered = now.cycle;
  ++at.delivered;
  if (window_.holds(packet.generated)) ++nodes_[node].delivered_of_window;
}

std::uint64_t TrafficRecorder::delivered_of_window() const {
  std::uint64_t total = 0;
  for (const NodeRecord& node : nodes_) total += node.delivered_of_window;
  return total;
}
std::uint64_t TrafficRecorder::flits_delivered_in_window() const {
  std::uint64_t total = 0;
  for (const NodeRecord& node : nodes_) total += node.window_flits;
  return total;
}

std::vector<std::string> TrafficRecorder::missing(std::size_t limit) const {
  std::vector<std::string> lines;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    for (const TrafficPacket& packet : nodes_[v].packets) {
      if (lines.size() >= limit) return lines;
      if (packet.left == 0 || packet.delivered != 0) continue;
      lines.push_back(fmt::format("a packet that left node {} in cycle {} never reached node {}",
                                  graph_.node_name(v), packet.left, graph_.node_name(packet.destination)));
    }
  }
  return lines;
}

}  // namespace safnet
