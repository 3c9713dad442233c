// personal_packet_oracle - is a schedule of steps of plain packets right? Written without any of the
// library's own ways to schedule or check.
#pragma once

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet::testbench {

/// Empty, or the first thing that is wrong: links and ports are used once per step, a packet leaves a node
/// only in a step after it came there, comes nowhere twice, and gets to all its destinations. Copies count as
/// sends of their own.
inline std::string what_is_wrong(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  std::vector<std::map<NodeId, std::uint32_t>> there(schedule.packets.size());  // node: step of arrival
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) there[p][schedule.packets.origin(p)] = 0;
  std::set<std::pair<std::uint32_t, LinkId>> links;
  std::set<std::pair<std::uint32_t, NodeId>> sending, receiving;
  for (std::size_t i = 0; i < schedule.sends.size(); ++i) {
    const Send& send = schedule.sends[i];
    const std::string where =
        fmt::format("send {} (step {}, link {}, packet {})", i, send.start, send.link, send.packet);
    if (i > 0 && !(schedule.sends[i - 1] < send)) return where + ": out of order";
    if (send.start == 0 || send.link >= graph.link_count() || send.packet >= schedule.packets.size())
      return where + ": no such step, link or packet";
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    if (to == kNoNode) return where + ": leads nowhere";
    const auto arrived = there[send.packet].find(from);
    if (arrived == there[send.packet].end() || arrived->second >= send.start)
      return where + ": not there yet";
    if (!there[send.packet].emplace(to, send.start).second) return where + ": comes twice";
    if (!links.emplace(send.start, send.link).second) return where + ": link used twice";
    if (schedule.ports != PortModel::kAllPort && !sending.emplace(send.start, from).second)
      return where + ": sends twice";
    if (schedule.ports == PortModel::kOnePort && !receiving.emplace(send.start, to).second)
      return where + ": receives twice";
  }
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    for (const NodeId d : schedule.packets.destinations(p)) {
      if (!there[p].contains(d)) return fmt::format("packet {} never comes to node {}", p, d);
    }
  }
  return {};
}

/// The last step.
inline std::uint64_t steps_of(const Schedule& schedule) {
  return schedule.sends.empty() ? 0 : schedule.sends.back().start;
}

}  // namespace safnet::testbench
