#include "sim/pifo/packet_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

PacketRecorder::PacketRecorder(const Graph& graph, const PifoParameters& parameters, bool keep_events)
    : Recorder(graph, keep_events),
      format_(parameters),
      flits_(static_cast<std::uint32_t>(parameters.flits)) {
  for (NodeId v = 0; v < graph.node_count(); ++v)
    ports_.push_back({std::vector<std::uint32_t>(graph.degree(v)),
                      std::vector<std::uint64_t>(graph.degree(v)),
                      std::vector<Arriving>(graph.in_degree(v))});
}

void PacketRecorder::on_link_flit(const FlitEvent& flit) {
  Ports& ports = ports_[flit.node];
  std::uint32_t& left = ports.flits_left[flit.port];
  if (left != 0) {
    --left;
    return;
  }
  ports.header[flit.port] = flit.value();
  const PacketFormat::Header header = format_.fields(flit.value());
  left = header.length - 1;
  count_sent(flit);
  sent(flit, header);
}

std::optional<PacketFormat::Header> PacketRecorder::last_on_link(NodeId node, PortId port) const {
  if (sent_on_link(node, port) == 0) return {};
  return format_.fields(ports_[node].header[port]);
}

PacketInWords PacketRecorder::packet_in_words(const FlitEvent& first) const {
  const PacketFormat::Header header = format_.fields(first.value());
  const auto& [source, tag] = header.packet;
  return {fmt::format("{}>{} #{}", node_in_words(source), nodes_in_words(destinations(header.packet)), tag),
          header.length};
}

void PacketRecorder::on_delivered_flit(const FlitEvent& flit) {
  Arriving& packet = ports_[flit.node].arriving[flit.port];
  if (packet.flits == 0) {
    packet.header = format_.parse(flit.value());
    packet.intact = packet.header.intact;
  } else {
    packet.intact =
        packet.intact && flit.value() == PacketFormat::payload(packet.header.packet, packet.flits);
  }
  ++packet.flits;
  if (!flit.last) return;
  const PacketId id = packet.header.packet;
  count_packet(flit,
               !packet.intact           ? "its payload differs from what was sent"
               : packet.flits != flits_ ? fmt::format("{} flits arrived of {}", packet.flits, flits_)
                                        : arrived(flit, id),
               [&] { return name(id); });
  packet = {};
}

}  // namespace safnet
