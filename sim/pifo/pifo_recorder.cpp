#include "sim/pifo/pifo_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

PifoRecorder::PifoRecorder(const Graph& graph, const Collective& collective, const PifoParameters& parameters,
                           bool keep_events)
    : Recorder(graph.node_count()),
      graph_(graph),
      collective_(collective),
      format_(parameters),
      flits_(static_cast<std::uint32_t>(parameters.flits)),
      keep_events_(keep_events),
      nodes_(graph.node_count()) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    nodes_[v].flits_left.resize(graph.degree(v));
    nodes_[v].arriving.resize(graph.in_degree(v));
    nodes_[v].got.resize(collective.expected_at_node(v));
  }
}

void PifoRecorder::on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                const std::uint32_t* words) {
  std::uint32_t& left = nodes_[node].flits_left[port];
  if (left != 0) {
    --left;
    return;
  }
  const PacketFormat::Header header = format_.parse(flit_value(words));
  left = header.length - 1;
  Seen& at = seen(node);
  ++at.transmissions;
  if (keep_events_) at.transfers.push_back({now.step, now.cycle, node, port, header.packet, header.length});
}

void PifoRecorder::on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                     const std::uint32_t* words, bool last) {
  ArrivingPacket& packet = nodes_[node].arriving[port];
  packet.add(format_, words);
  if (last) {
    complete(now, node, port, packet);
    packet = {};
  }
}

void PifoRecorder::complete(NetworkTime now, std::uint32_t node, std::uint32_t port,
                            const ArrivingPacket& packet) {
  Seen& at = seen(node);
  const PacketId id = packet.header.packet;
  ++at.hosts_got;
  const auto complain = [&](const std::string& what) {
    at.problems.add("packet (source {}, tag {}) at node {} in cycle {}: {}", id.source, id.tag,
                    graph_.node_name(node), now.cycle, what);
  };
  if (!packet.intact) return complain("its payload differs from what was sent");
  if (packet.flits != flits_) return complain(fmt::format("{} flits arrived of {}", packet.flits, flits_));
  if (id.source >= graph_.node_count() || !collective_.expects(node, id))
    return complain("delivered to the wrong node");
  std::uint8_t& got = nodes_[node].got[collective_.delivery_index(node, id)];
  if (got != 0) {
    ++at.duplicated;
    return complain("delivered more than once");
  }
  got = 1;
  ++at.delivered;
  if (keep_events_) at.deliveries.push_back({now.step, now.cycle, node, port, id});
}

std::vector<std::string> PifoRecorder::missing(std::size_t limit) const {
  std::vector<std::string> names;
  for (NodeId v = 0; v < graph_.node_count() && names.size() < limit; ++v) {
    for (std::uint32_t i = 0; i < nodes_[v].got.size() && names.size() < limit; ++i) {
      if (nodes_[v].got[i] != 0) continue;
      const PacketId id = collective_.expected_packet(v, i);
      names.push_back(fmt::format("packet (source {}, tag {}) never reached node {}", id.source, id.tag,
                                  graph_.node_name(v)));
    }
  }
  return names;
}

}  // namespace safnet
