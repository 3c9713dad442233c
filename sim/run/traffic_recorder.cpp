// Threads: each node's record is touched by the thread of its node. Of another node's packets a thread
// touches the arrival of those that are for its node, and there is one such node per packet.
#include "sim/run/traffic_recorder.hpp"

#include <fmt/format.h>

namespace safnet {
namespace {

constexpr std::size_t kProblemsKept = 20;

}  // namespace

TrafficRecorder::TrafficRecorder(const Graph& graph, const NodeParameters& parameters, CycleWindow window)
    : graph_(graph),
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
  ++record.transmissions;
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
  NodeRecord& record = nodes_[node];
  const PacketId id = arrived.header.packet;
  ++record.hosts_got;
  const auto complain = [&](const std::string& what) {
    if (record.problems.size() < kProblemsKept) {
      record.problems.push_back(fmt::format("packet {} of source {} at node {} in cycle {}: {}", id.tag,
                                            id.source, graph_.node_name(node), now.cycle, what));
    }
  };
  if (!arrived.intact) return complain("its payload differs from what was sent");
  if (arrived.flits != flits_) return complain(fmt::format("{} flits arrived of {}", arrived.flits, flits_));
  if (id.source >= graph_.node_count() || id.tag >= nodes_[id.source].packets.size())
    return complain("no such packet was sent");
  TrafficPacket& packet = nodes_[id.source].packets[id.tag];
  if (packet.destination != node) return complain("delivered to the wrong node");
  if (packet.delivered != 0) {
    ++record.duplicated;
    return complain("delivered more than once");
  }
  packet.delivered = now.cycle;
  ++record.delivered;
  if (window_.holds(packet.generated)) ++record.delivered_of_window;
}

template <class Count>
std::uint64_t TrafficRecorder::sum(Count count) const {
  std::uint64_t total = 0;
  for (const NodeRecord& node : nodes_) total += node.*count;
  return total;
}
std::uint64_t TrafficRecorder::delivered() const { return sum(&NodeRecord::delivered); }
std::uint64_t TrafficRecorder::delivered_of_window() const { return sum(&NodeRecord::delivered_of_window); }
std::uint64_t TrafficRecorder::duplicated() const { return sum(&NodeRecord::duplicated); }
std::uint64_t TrafficRecorder::hosts_got() const { return sum(&NodeRecord::hosts_got); }
std::uint64_t TrafficRecorder::transmissions() const { return sum(&NodeRecord::transmissions); }
std::uint64_t TrafficRecorder::flits_delivered_in_window() const { return sum(&NodeRecord::window_flits); }

std::vector<std::string> TrafficRecorder::problems() const {
  std::vector<std::string> all;
  for (const NodeRecord& node : nodes_) {
    for (const std::string& problem : node.problems) {
      if (all.size() < kProblemsKept) all.push_back(problem);
    }
  }
  return all;
}

}  // namespace safnet
