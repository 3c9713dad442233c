#include "cpp_model/schedule/sum_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

bool is_own(const PacketList& packets, PacketIndex p, NodeId v) {
  return packets.parts(p).empty() && packets.origin(p) == v;
}

// All parts but hosts' own, by part and node. Fills `is_part`.
std::vector<PartAt> parts_of_wholes(const Schedule& schedule, std::vector<bool>& is_part) {
  const PacketList& packets = schedule.packets;
  std::vector<PartAt> result;
  is_part.assign(packets.size(), false);
  for (PacketIndex z = 0; z < packets.size(); ++z) {
    for (const PacketIndex part : packets.parts(z)) {
      if (part >= z || packets.flits(part) != packets.flits(z))
        throw bad_input("{}: part {} has {} flits; expected a packet of a smaller number with {} flits",
                        packet_name(schedule, z), part, part < packets.size() ? packets.flits(part) : 0,
                        packets.flits(z));
      if (is_own(packets, part, packets.origin(z))) continue;
      result.push_back({part, packets.origin(z), z});
      is_part[part] = true;
    }
  }
  std::ranges::sort(result, {}, [](const PartAt& use) { return std::tuple(use.part, use.node, use.whole); });
  return result;
}

// The first of a packet at a node, in a sorted list.
std::vector<PartAt>::const_iterator first_at(const std::vector<PartAt>& parts, PacketIndex p, NodeId v) {
  return std::ranges::partition_point(
      parts, [&](const PartAt& part) { return std::pair(part.part, part.node) < std::pair(p, v); });
}
bool is_at(const std::vector<PartAt>& parts, std::vector<PartAt>::const_iterator place, PacketIndex p,
           NodeId v) {
  return place != parts.end() && place->part == p && place->node == v;
}

}  // namespace

SumParts::SumParts(const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  if (!packets.combines()) return;
  std::vector<bool> is_part;
  std::vector<PartAt> uses = parts_of_wholes(schedule, is_part);
  std::vector<bool> has_buffer(uses.size());  // of the first use at a node: the packet is sent or delivered
  const auto needed = [&](PacketIndex p, NodeId v) {
    const auto use = first_at(uses, p, v);
    if (is_at(uses, use, p, v)) has_buffer[static_cast<std::size_t>(use - uses.begin())] = true;
  };
  for (const Send& s : schedule.sends) {
    if (is_part[s.packet]) needed(s.packet, schedule.network.link_source(s.link));
  }
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (!is_part[p]) continue;
    for (const NodeId v : packets.destinations(p)) needed(p, v);
  }
  // Wholes have larger numbers than their parts: counting down, it is known where a whole itself goes.
  std::vector<PacketIndex> goes_into(packets.size(), kNoPacket);
  for (std::size_t end = uses.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && uses[begin - 1].part == uses[begin].part && uses[begin - 1].node == uses[begin].node)
      --begin;
    const bool direct = end - begin == 1 && !has_buffer[begin];
    for (std::size_t k = begin; k < end; ++k) {
      PartAt& use = uses[k];
      if (goes_into[use.whole] != kNoPacket) use.whole = goes_into[use.whole];
      if (!direct) {
        looped_.push_back(use);
      } else if (packets.origin(use.part) == use.node) {
        goes_into[use.part] = use.whole;
      } else {
        arriving_.push_back(use);
      }
    }
    end = begin;
  }
  std::ranges::reverse(arriving_);
  std::ranges::reverse(looped_);
  is_step_.resize(packets.size());
  for (PacketIndex z = 0; z < packets.size(); ++z) {
    is_step_[z] = goes_into[z] != kNoPacket;
    for (const PacketIndex part : packets.parts(z)) {
      if (is_own(packets, part, packets.origin(z)))
        own_parts_.emplace_back(part, is_step_[z] ? goes_into[z] : z);
    }
  }
}

PacketIndex SumParts::whole_at(PacketIndex packet, NodeId node) const {
  const auto use = first_at(arriving_, packet, node);
  return is_at(arriving_, use, packet, node) ? use->whole : kNoPacket;
}

std::span<const PartAt> SumParts::loops_of(PacketIndex packet) const {
  const auto [first, last] = std::ranges::equal_range(looped_, packet, {}, &PartAt::part);
  return {first, last};
}

std::uint64_t next_slot(const Schedule& schedule, std::uint64_t cycle) {
  return divide_up(cycle, schedule.slot_cycles) + 1;
}

std::string first_late_sum(const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  if (!packets.combines()) return "";
  const SumParts parts(schedule);
  const SendsByPacket by_packet(schedule.sends, packets.size());
  std::vector<std::uint64_t> complete(packets.size());  // of combined packets: the cycle, at their nodes
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    const NodeId origin = packets.origin(p);
    const bool combined = !packets.parts(p).empty();
    const auto note = [&](PacketIndex whole, std::uint64_t cycle) {
      complete[whole] = std::max(complete[whole], cycle);
    };
    const auto loops = parts.loops_of(p);
    const auto goes_on = [&](NodeId v, std::uint64_t cycle) {
      const std::uint64_t start = (next_slot(schedule, cycle) - 1) * schedule.slot_cycles;
      for (const PartAt& loop : std::ranges::equal_range(loops, v, {}, &PartAt::node))
        note(loop.whole, start + packets.flits(p));
    };
    if (combined) goes_on(origin, complete[p]);
    for (const SendsByPacket::SendNumber k : by_packet.of(p)) {
      const Send& send = schedule.sends[k];
      if (combined && schedule.network.link_source(send.link) == origin &&
          schedule.cycle(send) <= complete[p])
        return fmt::format("{}: sent in slot {}, complete at its node at the end of slot {}",
                           packet_name(schedule, p), send.start,
                           divide_up(complete[p], schedule.slot_cycles));
      const NodeId to = schedule.network.link_target(send.link);
      const PacketIndex whole = parts.whole_at(p, to);
      if (whole != kNoPacket) note(whole, schedule.arrival_cycle(send));
      if (!loops.empty()) goes_on(to, schedule.arrival_cycle(send));
    }
  }
  return "";
}

}  // namespace safnet
