// schedule_oracle - judges a schedule of steps with plain packets, from the model's rules alone: a link
// carries one packet per step, ports are as the port model says, a packet is sent on a step after it arrived
// at the earliest, it reaches a node once at most, and every destination gets it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct OracleResult {
  std::uint32_t steps = 0;            ///< step of the last arrival
  std::uint64_t missing = 0;          ///< destinations that do not get their packet
  std::vector<std::string> problems;  ///< what else is wrong; the first ten
};

inline OracleResult judge(const Schedule& schedule) {
  OracleResult result;
  const auto complain = [&](std::string what) {
    if (result.problems.size() < 10) result.problems.push_back(std::move(what));
  };
  const Graph& graph = schedule.network;
  const PacketList& packets = schedule.packets;
  if (!std::is_sorted(schedule.sends.begin(), schedule.sends.end())) complain("sends are not in order");
  // (packet, node) -> step in which it has arrived.
  std::unordered_map<std::uint64_t, std::uint32_t> there;
  there.reserve(schedule.sends.size() + packets.size());
  const auto place = [&](PacketIndex p, NodeId v) { return std::uint64_t{p} * graph.node_count() + v; };
  for (PacketIndex p = 0; p < packets.size(); ++p) there[place(p, packets.origin(p))] = 0;
  std::vector<std::uint32_t> link_used(graph.link_count()), sent(graph.node_count()),
      received(graph.node_count());
  const auto once_a_step = [&](std::uint32_t& last, const Send& send, const char* what) {
    if (last == send.start) complain(fmt::format("step {}, link {}: {} twice", send.start, send.link, what));
    last = send.start;
  };
  for (const Send& send : schedule.sends) {
    if (send.start == 0 || send.link >= graph.link_count() || send.packet >= packets.size()) {
      complain("no such step, link or packet");
      continue;
    }
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    once_a_step(link_used[send.link], send, "link used");
    if (schedule.ports != PortModel::kAllPort) once_a_step(sent[from], send, "node sends");
    if (schedule.ports == PortModel::kOnePort) once_a_step(received[to], send, "node receives");
    const auto here = there.find(place(send.packet, from));
    if (here == there.end() || here->second >= send.start)
      complain(fmt::format("step {}: packet {} is not at node {}", send.start, send.packet, from));
    if (!there.emplace(place(send.packet, to), send.start).second)
      complain(fmt::format("step {}: packet {} has been at node {}", send.start, send.packet, to));
    result.steps = std::max(result.steps, send.start);
  }
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    for (const NodeId d : packets.destinations(p)) result.missing += there.count(place(p, d)) == 0 ? 1 : 0;
  }
  return result;
}

}  // namespace safnet
