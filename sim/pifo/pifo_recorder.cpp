#include "sim/pifo/pifo_recorder.hpp"

#include <fmt/format.h>

namespace safnet {

PifoRecorder::PifoRecorder(const Graph& graph, const Collective& collective, const PifoParameters& parameters,
                           bool keep_events)
    : PacketRecorder(graph, parameters, keep_events), collective_(collective) {
  for (NodeId v = 0; v < graph.node_count(); ++v) got_.emplace_back(collective.expected_at_node(v));
}

void PifoRecorder::count_rounds(std::uint32_t rounds, std::uint32_t tag_stride) {
  tag_stride_ = tag_stride;
  for (NodeId v = 0; v < graph().node_count(); ++v) {
    const std::uint32_t of_a_round = collective_.expected_at_node(v) / rounds;
    left_of_rounds_.emplace_back(rounds, of_a_round);
    rounds_got_.push_back(of_a_round == 0 ? rounds : 0);
  }
}

std::string PifoRecorder::name(PacketId packet) const {
  return fmt::format("packet (source {}, tag {})", packet.source, packet.tag);
}

std::vector<NodeId> PifoRecorder::destinations(PacketId packet) const {
  std::vector<NodeId> nodes;
  if (packet.source >= graph().node_count()) return nodes;
  for (NodeId v = 0; v < got_.size() && nodes.size() < 2; ++v) {
    if (v < collective_.node_count() && collective_.expects(v, packet)) nodes.push_back(v);
  }
  return nodes;
}

void PifoRecorder::sent(const FlitEvent& first, const PacketFormat::Header& header) {
  note_transfer(first, header.packet, header.length);
}

std::string PifoRecorder::arrived(const FlitEvent& last, PacketId packet) {
  const NodeId node = last.node;
  if (packet.source >= graph().node_count() || !collective_.expects(node, packet)) return kWrongNode;
  std::vector<bool>::reference got = got_[node][collective_.delivery_index(node, packet)];
  if (got) return kTwice;
  got = true;
  note_delivery(last, packet);
  if (tag_stride_ != 0) {
    std::vector<std::uint32_t>& left = left_of_rounds_[node];
    std::uint32_t& done = rounds_got_[node];
    --left[packet.tag / tag_stride_];
    while (done < left.size() && left[done] == 0) ++done;
  }
  return {};
}

std::vector<std::string> PifoRecorder::missing(std::size_t limit) const {
  std::vector<std::string> lines;
  for (NodeId v = 0; v < graph().node_count(); ++v) {
    for (std::uint32_t i = 0; i < got_[v].size(); ++i) {
      if (lines.size() >= limit) return lines;
      if (!got_[v][i])
        lines.push_back(fmt::format("{} never reached node {}", name(collective_.expected_packet(v, i)),
                                    graph().node_name(v)));
    }
  }
  return lines;
}

}  // namespace safnet
