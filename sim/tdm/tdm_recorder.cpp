#include "sim/tdm/tdm_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/tdm/tdm_format.hpp"

namespace safnet {

TdmRecorder::TdmRecorder(const Schedule& schedule, const TdmProgram& program, const TdmParameters& parameters,
                         bool keep_trace)
    : Recorder(schedule.network, keep_trace),
      schedule_(schedule),
      program_(program),
      name_width_(parameters.name_width),
      longest_(parameters.flits),
      outputs_(places()),
      nodes_(schedule.network.node_count()) {
  const PacketList& packets = schedule.packets;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    for (PortId p = 0; p < graph().degree(v); ++p) {
      const std::vector<TdmSend>& sends = program.nodes[v].sends[p];
      outputs_[first_place(v) + p] = {sends.data(), sends.data() + sends.size()};
    }
    nodes_[v].lanes.resize(static_cast<std::size_t>(parameters.radix) + 1 +
                           static_cast<std::size_t>(parameters.loopbacks));
  }
  PacketData data(schedule);
  if (packets.combines()) combined_.resize(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {  // in this order, so that every node's list is sorted
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

void TdmRecorder::on_link_flit(const FlitEvent& flit) {
  const auto& [now, node, port, words, last] = flit;
  Outgoing& output = outputs_[place_of(flit)];
  if (output.flits_left != 0) {
    --output.flits_left;
    return;
  }
  const std::uint32_t flits = tdm_header_flits(words[0], name_width_, longest_);
  const PacketIndex packet = tdm_header_name(words[0], name_width_);
  output.flits_left = flits == 0 ? 0 : flits - 1;
  count_sent(flit);
  if (output.next != output.end) {
    const TdmSend& planned = *output.next++;
    const std::uint64_t cycle = (std::uint64_t{planned.slot} - 1) * schedule_.slot_cycles + 1;
    if (planned.name != packet) {
      seen(node).problems.add("node {} sent {} through port {} in cycle {} where {} was planned",
                              graph().node_name(node), name(packet), port, now.cycle, name(planned.name));
    } else if (cycle == now.cycle) {
      ++output.on_time;
    }
  }
  if (packet < schedule_.packets.size()) note_transfer(flit, schedule_.packets.id(packet), flits);
}

// What is combined of packets comes from no node alone, and its parts are for no host.
PacketInWords TdmRecorder::packet_in_words(const FlitEvent& first) const {
  const PacketList& packets = schedule_.packets;
  const PacketIndex packet = tdm_header_name(first.words[0], name_width_);
  const std::uint32_t flits = tdm_header_flits(first.words[0], name_width_, longest_);
  if (packet >= packets.size()) return {name(packet), flits};
  const std::string to = nodes_in_words(packets.destinations(packet));
  return {
      fmt::format("{}>{} #{}", packets.parts(packet).empty() ? node_in_words(packets.origin(packet)) : "sum",
                  to.empty() ? "sum" : to, packets.tag(packet)),
      flits};
}

void TdmRecorder::on_delivered_flit(const FlitEvent& flit) {
  const std::uint32_t* const words = flit.words;
  Arriving& packet = nodes_[flit.node].lanes[flit.port];
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
  if (!flit.last) return;
  count_packet(flit, arrived(flit, packet), [&] { return name(packet.packet); });
  packet = {};
}

// What is wrong with a packet that a host got; empty: nothing.
std::string TdmRecorder::arrived(const FlitEvent& last, const Arriving& packet) {
  std::vector<Expected>& all_expected = nodes_[last.node].expected;
  const auto expected = std::lower_bound(all_expected.begin(), all_expected.end(), packet.packet,
                                         [](const Expected& e, PacketIndex p) { return e.packet < p; });
  if (expected == all_expected.end() || expected->packet != packet.packet) return kWrongNode;
  const PacketList& packets = schedule_.packets;
  if (!packet.intact)
    return packets.parts(packet.packet).empty() ? "its data differs from what was sent"
                                                : "its data is not that of its parts combined";
  if (packet.flits != packets.flits(packet.packet))
    return fmt::format("{} flits arrived of {}", packet.flits, packets.flits(packet.packet));
  if (expected->got != 0) return kTwice;
  expected->got = 1;
  note_delivery(last, packets.id(packet.packet));
  return {};
}

void TdmRecorder::judge_late(const Machine& machine, Problems& problems) const {
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    std::uint64_t planned = 0, made = 0, on_time = 0;
    for (PortId p = 0; p < graph().degree(v); ++p) {
      planned += program_.nodes[v].sends[p].size();
      made += sent_on_link(v, p);
      on_time += outputs_[first_place(v) + p].on_time;
    }
    const std::uint64_t late = machine.counters(v).late;
    if (late > planned - on_time || (late == 0 && on_time < made))
      problems.add("node {}: late_o counts {} sends, of {} planned its links carried {}, {} in their cycle",
                   graph().node_name(v), late, planned, made, on_time);
  }
}

std::vector<std::string> TdmRecorder::missing(std::size_t limit) const {
  std::vector<std::string> names;
  for (NodeId v = 0; v < nodes_.size(); ++v) {
    for (const Expected& expected : nodes_[v].expected) {
      if (names.size() >= limit) return names;
      if (expected.got == 0)
        names.push_back(fmt::format("{} never reached node {}", name(expected.packet), graph().node_name(v)));
    }
  }
  return names;
}

}  // namespace safnet
