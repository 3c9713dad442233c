// tree_oracle - a schedule of steps replayed from its packets and sends alone, for the tests of planners.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet::testbench {

inline std::uint32_t steps_of(const Schedule& schedule) {
  std::uint32_t last = 0;
  for (const Send& send : schedule.sends) last = std::max(last, send.start);
  return last;
}

/// Empty, or the first thing that is wrong: links and ports used twice in a step, packets sent by nodes that
/// do not have them, arrivals twice or nowhere, results without or with twice some node's contribution.
inline std::string fault_of(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const PacketList& packets = schedule.packets;
  std::map<std::pair<PacketIndex, NodeId>, std::uint32_t> there;  // and since which step
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.parts(p).empty()) there[{p, packets.origin(p)}] = 0;
  }
  const auto form = [&](PacketIndex p) {  // a combined packet whose parts have all come
    if (packets.parts(p).empty() || there.count({p, packets.origin(p)}) != 0) return;
    std::uint32_t since = 0;
    for (const PacketIndex part : packets.parts(p)) {
      const auto found = there.find({part, packets.origin(p)});
      if (found == there.end()) return;
      since = std::max(since, found->second);
    }
    there[{p, packets.origin(p)}] = since;
  };
  std::set<std::tuple<std::uint32_t, LinkId>> links;
  std::set<std::tuple<std::uint32_t, NodeId>> senders, receivers;
  if (!std::is_sorted(schedule.sends.begin(), schedule.sends.end())) return "sends are out of order";
  for (const Send& send : schedule.sends) {
    const std::string what = fmt::format("step {}, link {}, packet {}: ", send.start, send.link, send.packet);
    if (send.start == 0) return what + "steps count from 1";
    if (send.link >= graph.link_count()) return what + "no such link";
    if (send.packet >= packets.size()) return what + "no such packet";
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    form(send.packet);
    const auto found = there.find({send.packet, from});
    if (found == there.end() || found->second >= send.start) return what + "the sender does not have it";
    if (!links.insert({send.start, send.link}).second) return what + "two packets on a link";
    if (schedule.ports != PortModel::kAllPort && !senders.insert({send.start, from}).second)
      return what + "a node sends two packets";
    if (schedule.ports == PortModel::kOnePort && !receivers.insert({send.start, to}).second)
      return what + "a node receives two packets";
    if (!there.insert({{send.packet, to}, send.start}).second) return what + "arrives twice";
  }
  std::vector<std::map<NodeId, int>> contributions(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    form(p);
    if (packets.parts(p).empty()) contributions[p][packets.origin(p)] = 1;
    for (const PacketIndex part : packets.parts(p)) {
      for (const auto& [node, count] : contributions[part]) contributions[p][node] += count;
    }
    for (const NodeId d : packets.destinations(p)) {
      if (there.count({p, d}) == 0) return fmt::format("packet {} never reaches node {}", p, d);
    }
  }
  if (packets.combines()) {
    const PacketIndex result = packets.size() - 1;
    if (packets.origin(result) != schedule.root || packets.destinations(result).size() != 1)
      return "the last packet is not the root's result";
    if (contributions[result].size() != graph.node_count()) return "a contribution is missing";
    for (const auto& [node, count] : contributions[result]) {
      if (count != 1) return fmt::format("node {} contributes {} times", node, count);
    }
  }
  return {};
}

}  // namespace safnet::testbench
