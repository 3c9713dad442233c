#include "sim/pifo/pifo_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

PifoRecorder::PifoRecorder(const Graph& graph, const Collective& collective, const PifoParameters& parameters,
                           bool keep_events)
    : PacketRecorder(graph, parameters, keep_events), collective_(collective) {
  for (NodeId v = 0; v < graph.node_count(); ++v) got_.emplace_back(collective.expected_at_node(v));
}

std::string PifoRecorder::name(PacketId packet) const {
  return fmt::format("packet (source {}, tag {})", packet.source, packet.tag);
}

void PifoRecorder::sent(const FlitEvent& first, const PacketFormat::Header& header) {
  note_transfer(first, header.packet, header.length);
}

std::string PifoRecorder::arrived(const FlitEvent& last, PacketId packet) {
  const NodeId node = last.node;
  if (packet.source >= graph().node_count() || !collective_.expects(node, packet)) return kWrongNode;
  std::uint8_t& got = got_[node][collective_.delivery_index(node, packet)];
  if (got != 0) return kTwice;
  got = 1;
  note_delivery(last, packet);
  return {};
}

std::vector<std::string> PifoRecorder::missing(std::size_t limit) const {
  std::vector<std::string> lines;
  for (NodeId v = 0; v < graph().node_count(); ++v) {
    for (std::uint32_t i = 0; i < got_[v].size(); ++i) {
      if (lines.size() >= limit) return lines;
      if (got_[v][i] == 0)
        lines.push_back(fmt::format("{} never reached node {}", name(collective_.expected_packet(v, i)),
                                    graph().node_name(v)));
    }
  }
  return lines;
}

}  // namespace safnet
