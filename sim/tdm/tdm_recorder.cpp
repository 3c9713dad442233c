#include "sim/tdm/tdm_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/tdm/tdm_format.hpp"

namespace safnet {

TdmRecorder::TdmRecorder(const Schedule& schedule, const TdmProgram& program, const TdmParameters& parameters,
                         bool keep_trace)
    : Recorder(schedule.network.node_count()),
      schedule_(schedule),
      program_(program),
      name_width_(parameters.name_width),
      longest_(parameters.flits),
      keep_trace_(keep_trace),
      nodes_(schedule.network.node_count()) {
  const PacketList& packets = schedule.packets;
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) {
    nodes_[v].outputs.resize(schedule.network.degree(v));
    nodes_[v].lanes.resize(static_cast<std::size_t>(parameters.radix) + 1);
  }
  PacketData data(schedule);
  if (packets.combines()) combined_.resize(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {  // so every node's list is in order
    for (const NodeId v : packets.destinations(p)) nodes_.at(v).expected.push_back({p, 0});
    if (packets.parts(p).empty() || packets.destinations(p).empty()) continue;
    for (std::uint32_t w = 0; w < tdm_words(packets.flits(p)); ++w) combined_[p].push_back(data.word(p, w));
  }
}

std::string TdmRecorder::name(PacketIndex p) const {
  return p < schedule_.packets.size() ? packet_name(schedule_, p)
                                      : fmt::format("packet {}, which does not exist,", p);
}

std::uint32_t TdmRecorder::expected_word(PacketIndex packet, std::uint32_t index) const {
  if (schedule_.packets.parts(packet).empty())
    return tdm_word(packet, index, static_cast<std::uint32_t>(schedule_.operation));
  const std::vector<std::uint32_t>& words = combined_[packet];
  return index < words.size() ? words[index] : 0;
}

void TdmRecorder::on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                               const std::uint32_t* words) {
  NodeRecord& record = nodes_[node];
  Outgoing& output = record.outputs[port];
  if (output.flits_left != 0) {
    --output.flits_left;
    return;
  }
  const std::uint32_t flits = tdm_header_flits(words[0], name_width_, longest_);
  const PacketIndex packet = tdm_header_name(words[0], name_width_);
  output.flits_left = flits == 0 ? 0 : flits - 1;
  ++seen(node).transmissions;
  const std::vector<TdmSend>& sends = program_.nodes[node].sends[port];
  if (output.next < sends.size()) {
    const TdmSend& planned = sends[output.next++];
    const std::uint64_t cycle = (std::uint64_t{planned.slot} - 1) * schedule_.slot_cycles + 1;
    if (planned.name != packet) {
      seen(node).problems.add("node {} sent {} through port {} in cycle {} where {} was planned",
                              schedule_.network.node_name(node), name(packet), port, now.cycle,
                              name(planned.name));
    } else if (cycle == now.cycle) {
      ++record.on_time;
    }
  }
  if (keep_trace_ && packet < schedule_.packets.size())
    seen(node).transfers.push_back({now.step, now.cycle, node, port, schedule_.packets.id(packet), flits});
}

void TdmRecorder::on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t lane,
                                    const std::uint32_t* words, bool last) {
  Arriving& packet = nodes_[node].lanes[lane];
  if (packet.flits == 0) {
    packet.packet = tdm_header_name(words[0], name_width_);
    packet.announced = tdm_header_flits(words[0], name_width_, longest_);
    packet.intact = packet.packet < schedule_.packets.size() &&
                    words[0] == tdm_header(packet.packet, packet.announced, name_width_);
  }
  if (packet.packet < schedule_.packets.size()) {
    const std::uint32_t index = packet.flits;
    if (index != 0) packet.intact = packet.intact && words[0] == expected_word(packet.packet, 2 * index - 1);
    packet.intact = packet.intact && words[1] == expected_word(packet.packet, 2 * index);
  }
  ++packet.flits;
  if (last) {
    complete(now, node, lane, packet);
    packet = {};
  }
}

void TdmRecorder::complete(NetworkTime now, std::uint32_t node, std::uint32_t lane, const Arriving& packet) {
  Seen& at = seen(node);
  ++at.hosts_got;
  const auto complain = [&](const std::string& what) {
    at.problems.add("{} at node {} in cycle {}: {}", name(packet.packet), schedule_.network.node_name(node),
                    now.cycle, what);
  };
  std::vector<Expected>& all_expected = nodes_[node].expected;
  const auto expected = std::lower_bound(all_expected.begin(), all_expected.end(), packet.packet,
                                         [](const Expected& e, PacketIndex p) { return e.packet < p; });
  if (expected == all_expected.end() || expected->packet != packet.packet)
    return complain("delivered to the wrong node");
  if (!packet.intact) {
    return complain(schedule_.packets.parts(packet.packet).empty()
                        ? "its data differs from what was sent"
                        : "its data is not that of its parts combined");
  }
  if (packet.flits != schedule_.packets.flits(packet.packet)) {
    return complain(
        fmt::format("{} flits arrived of {}", packet.flits, schedule_.packets.flits(packet.packet)));
  }
  if (expected->got != 0) {
    ++at.duplicated;
    return complain("delivered more than once");
  }
  expected->got = 1;
  ++at.delivered;
  if (keep_trace_)
    at.deliveries.push_back({now.step, now.cycle, node, lane, schedule_.packets.id(packet.packet)});
}

std::uint64_t TdmRecorder::on_time() const {
  std::uint64_t sum = 0;
  for (const NodeRecord& node : nodes_) sum += node.on_time;
  return sum;
}

std::vector<std::string> TdmRecorder::missing(std::size_t limit) const {
  std::vector<std::string> names;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    for (const Expected& expected : nodes_[v].expected) {
      if (names.size() >= limit) return names;
      if (expected.got == 0) {
        names.push_back(
            fmt::format("{} never reached node {}", name(expected.packet), schedule_.network.node_name(v)));
      }
    }
  }
  return names;
}

}  // namespace safnet
