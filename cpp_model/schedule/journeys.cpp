#include "cpp_model/schedule/journeys.hpp"

#include <algorithm>

namespace safnet {

Journeys::Journeys(const Recording& recording)
    : recording_(recording),
      by_packet_(SendsByPacket(recording.schedule.sends, recording.schedule.packets.size()).take()),
      bringer_(recording.schedule.sends.size(), kNoSend),
      hop_(recording.schedule.sends.size(), 1) {
  const PacketList& packets = recording.schedule.packets;
  if (packets.combines()) number_parts();
  // Parts have smaller numbers than their wholes, so a packet's way is known before that of what is made of
  // it.
  for (PacketIndex p = 0; p < packets.size(); ++p) follow(p);
  // What brought a packet started earlier and so has a smaller number.
  for (SendNumber send = 0; send < hop_.size(); ++send)
    if (bringer_[send] != kNoSend) hop_[send] = hop_[bringer_[send]] + 1;
  arrivals_ = {};
}

void Journeys::number_parts() {
  const PacketList& packets = recording_.schedule.packets;
  first_part_.resize(packets.size());
  ready_.resize(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    first_part_[p] = static_cast<std::uint32_t>(whole_of_part_.size());
    whole_of_part_.insert(whole_of_part_.end(), packets.parts(p).size(), p);
    ready_[p] = packets.parts(p).empty() ? recording_.available(p) : 1;
  }
  part_bringer_.assign(whole_of_part_.size(), kNoSend);
  uses_ = Groups(packets.size(), [&](const auto& put) {
    for (PacketIndex p = 0; p < packets.size(); ++p) {
      std::uint32_t number = first_part_[p];
      for (const PacketIndex part : packets.parts(p)) put(part, number++);
    }
  });
}

std::span<const Journeys::SendNumber> Journeys::sends_of(PacketIndex packet) const {
  return by_packet_.of(packet);
}

Journeys::SendNumber Journeys::first_arrival(NodeId node) const {
  const Graph& network = recording_.schedule.network;
  const auto target = [&](SendNumber send) { return network.link_target(at(send).link); };
  const auto found = std::ranges::lower_bound(arrivals_, node, {}, target);
  return found != arrivals_.end() && target(*found) == node ? *found : kNoSend;
}

// Finds what brought a packet to each node that sends it.
void Journeys::follow(PacketIndex packet) {
  const Graph& network = recording_.schedule.network;
  const auto link = [&](SendNumber send) { return at(send).link; };
  const auto target = [&](SendNumber send) { return network.link_target(link(send)); };
  const std::span<SendNumber> sends(by_packet_.numbers.data() + by_packet_.first[packet],
                                    by_packet_.of(packet).size());
  arrivals_.assign(sends.begin(), sends.end());
  std::ranges::stable_sort(arrivals_, {}, target);
  std::ranges::stable_sort(sends, {}, link);
  const NodeId origin = recording_.schedule.packets.origin(packet);
  for (const SendNumber send : sends) {
    const NodeId node = network.link_source(link(send));
    if (node == origin) continue;
    const SendNumber brought = first_arrival(node);
    // A schedule that is not valid may send what is not there yet.
    if (brought != kNoSend && arrival_cycle(brought) < recording_.schedule.cycle(at(send)))
      bringer_[send] = brought;
  }
  if (!uses_.numbers.empty()) reach_wholes(packet);
}

// A packet is a part of others: they are not ready before it has come to their origins.
void Journeys::reach_wholes(PacketIndex packet) {
  const PacketList& packets = recording_.schedule.packets;
  for (const std::uint32_t number : uses_.of(packet)) {
    const PacketIndex whole = whole_of_part_[number];
    std::uint64_t there = ready_[packet];
    if (packets.origin(whole) != packets.origin(packet)) {
      part_bringer_[number] = first_arrival(packets.origin(whole));
      if (part_bringer_[number] == kNoSend) continue;
      there = arrival_cycle(part_bringer_[number]) + 1;
    }
    ready_[whole] = std::max(ready_[whole], there);
  }
}

std::uint64_t Journeys::ready_cycle(SendNumber send) const {
  const PacketIndex packet = at(send).packet;
  const std::uint64_t start = recording_.schedule.cycle(at(send));
  if (bringer_[send] != kNoSend) return arrival_cycle(bringer_[send]) + 1;
  const NodeId node = recording_.schedule.network.link_source(at(send).link);
  if (node != recording_.schedule.packets.origin(packet)) return start;
  // A schedule that is not valid may send what is not there.
  return std::min<std::uint64_t>(ready_.empty() ? recording_.available(packet) : ready_[packet], start);
}

void Journeys::next(SendNumber send, std::vector<SendNumber>& next) const {
  next.clear();
  const Graph& network = recording_.schedule.network;
  const NodeId node = network.link_target(at(send).link);
  const auto source = [&](SendNumber s) { return network.link_source(at(s).link); };
  for (const SendNumber s : std::ranges::equal_range(sends_of(at(send).packet), node, {}, source))
    if (bringer_[s] == send) next.push_back(s);
  if (uses_.numbers.empty()) return;
  // A whole that is complete here may be a part of another one here.
  std::vector<PacketIndex> wholes;
  for (const std::uint32_t number : uses_.of(at(send).packet))
    if (part_bringer_[number] == send) wholes.push_back(whole_of_part_[number]);
  while (!wholes.empty()) {
    const PacketIndex whole = wholes.back();
    wholes.pop_back();
    for (const SendNumber s : std::ranges::equal_range(sends_of(whole), node, {}, source))
      if (s > send) next.push_back(s);
    for (const std::uint32_t number : uses_.of(whole)) {
      if (recording_.schedule.packets.origin(whole_of_part_[number]) == node)
        wholes.push_back(whole_of_part_[number]);
    }
  }
}

void Journeys::before(SendNumber send, std::vector<SendNumber>& before) const {
  before.clear();
  if (bringer_[send] != kNoSend) before.push_back(bringer_[send]);
  const PacketList& packets = recording_.schedule.packets;
  const NodeId node = recording_.schedule.network.link_source(at(send).link);
  if (uses_.numbers.empty() || node != packets.origin(at(send).packet)) return;
  std::vector<PacketIndex> wholes{at(send).packet};
  while (!wholes.empty()) {
    const PacketIndex whole = wholes.back();
    wholes.pop_back();
    std::uint32_t number = first_part_[whole];
    for (const PacketIndex part : packets.parts(whole)) {
      const SendNumber brought = part_bringer_[number++];
      if (brought != kNoSend && brought < send) before.push_back(brought);
      if (packets.origin(part) == node) wholes.push_back(part);
    }
  }
}

}  // namespace safnet
