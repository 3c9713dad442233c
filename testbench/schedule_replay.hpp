// schedule_replay - replays a schedule of steps by definition, for tests of importers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

inline std::uint32_t steps_of(const Schedule& schedule) {
  std::uint32_t last = 0;
  for (const Send& send : schedule.sends) last = std::max(last, send.start);
  return last;
}

/// What is wrong with a schedule of steps, or an empty text.
inline std::string replay(const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  const Graph& graph = schedule.network;
  std::map<std::pair<PacketIndex, NodeId>, std::uint32_t> arrival;  // the step at whose end it is there
  std::set<std::pair<NodeId, std::uint32_t>> names;
  std::set<std::pair<PacketIndex, NodeId>> used_up;
  std::vector<std::set<PacketIndex>> made_of(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (!names.emplace(packets.origin(p), packets.tag(p)).second)
      return fmt::format("packet {}: name twice", p);
    if (packets.parts(p).empty()) {
      arrival[{p, packets.origin(p)}] = 0;
      made_of[p] = {p};
    }
    for (const PacketIndex part : packets.parts(p)) {
      if (part >= p) return fmt::format("packet {}: part {}", p, part);
      if (!used_up.emplace(part, packets.origin(p)).second) return fmt::format("part {} used twice", part);
      for (const PacketIndex plain : made_of[part]) {
        if (!made_of[p].insert(plain).second) return fmt::format("packet {}: {} counts twice", p, plain);
      }
    }
  }
  const auto there = [&](PacketIndex p, NodeId v) {
    const auto found = arrival.find({p, v});
    return found == arrival.end() ? ~std::uint32_t{0} : found->second;
  };
  const auto combine_what_is_there = [&] {
    for (PacketIndex p = 0; p < packets.size(); ++p) {
      if (packets.parts(p).empty() || arrival.contains({p, packets.origin(p)})) continue;
      std::uint32_t ready = 0;
      for (const PacketIndex part : packets.parts(p)) ready = std::max(ready, there(part, packets.origin(p)));
      if (ready != ~std::uint32_t{0}) arrival[{p, packets.origin(p)}] = ready;
    }
  };
  std::set<std::pair<std::uint32_t, LinkId>> links;
  std::set<std::pair<std::uint32_t, NodeId>> out, in;
  Send last;
  for (const Send& send : schedule.sends) {
    if (send < last) return "sends out of order";
    if (send.start > last.start) combine_what_is_there();
    last = send;
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    const std::string shown =
        fmt::format("step {}: packet {} from {} to {}", send.start, send.packet, from, to);
    const std::uint32_t ready = there(send.packet, from);
    if (send.start < 1 || ready >= send.start) return shown + ": not there yet";
    if (!links.emplace(send.start, send.link).second) return shown + ": link busy";
    if (schedule.ports != PortModel::kAllPort && !out.emplace(send.start, from).second)
      return shown + ": sends two";
    if (schedule.ports == PortModel::kOnePort && !in.emplace(send.start, to).second)
      return shown + ": receives two";
    if (!arrival.emplace(std::pair(send.packet, to), send.start).second) return shown + ": is there already";
  }
  combine_what_is_there();
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    for (const NodeId v : packets.destinations(p)) {
      if (!arrival.contains({p, v})) return fmt::format("packet {} never reaches {}", p, v);
      if (v == packets.origin(p) && packets.parts(p).empty())
        return fmt::format("packet {} for its origin", p);
    }
  }
  return "";
}

}  // namespace safnet
