#include "cpp_model/transform/free_running.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/sum_parts.hpp"

namespace safnet {

Supply find_supply(const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  const Graph& graph = schedule.network;
  const SendsByPacket by_packet(schedule.sends, packets.size());
  Supply supply;
  supply.feeder.assign(schedule.sends.size(), kFromTheStart);
  std::vector<SendNumber> came_by(graph.node_count());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    came_by[packets.origin(p)] = kFromTheStart;
    for (const SendNumber i : by_packet.of(p)) {
      supply.feeder[i] = came_by[graph.link_source(schedule.sends[i].link)];
      came_by[graph.link_target(schedule.sends[i].link)] = i;
    }
  }
  if (!packets.combines()) return supply;
  // A packet goes into one combined packet at a node at most.
  supply.goes_into.assign(schedule.sends.size(), kNoPacket);
  supply.missing.assign(packets.size(), 0);
  supply.next.assign(packets.size(), kNoPacket);
  std::vector<std::vector<PacketIndex>> users(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    for (const PacketIndex part : packets.parts(p)) {
      const bool here = packets.origin(part) == packets.origin(p);
      if (here && supply.missing[part] == 0) continue;  // there from the start
      ++supply.missing[p];
      if (here) {
        supply.next[part] = p;
      } else {
        users[part].push_back(p);
      }
    }
  }
  const SumParts parts(schedule);
  supply.arrival_loops.assign(schedule.sends.size(), false);
  supply.sum_loops.assign(packets.size(), false);
  std::vector<PacketIndex> wanted_for(graph.node_count()), wanted_as(graph.node_count(), kNoPacket);
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    for (const PacketIndex user : users[p]) {
      wanted_as[packets.origin(user)] = p;
      wanted_for[packets.origin(user)] = user;
    }
    for (const SendNumber i : by_packet.of(p)) {
      const NodeId to = graph.link_target(schedule.sends[i].link);
      if (wanted_as[to] != p) continue;
      supply.goes_into[i] = wanted_for[to];
      supply.arrival_loops[i] = parts.whole_at(p, to) == kNoPacket;
    }
    supply.sum_loops[p] = supply.next[p] != kNoPacket && !parts.is_step(p);
  }
  return supply;
}

namespace {

void raise(std::uint64_t& to, std::uint64_t least) { to = std::max(to, least); }

}  // namespace

Schedule free_running(Schedule steps, std::uint32_t flits, std::uint32_t link_latency) {
  steps = in_lockstep(std::move(steps), 1, 0);  // changes nothing; throws for a schedule that is not of steps
  if (flits == 0) throw std::invalid_argument("schedule: packets of 0 flits; expected at least one");
  const ScheduleReport report = check_schedule(steps, 1);
  if (!report.valid())
    throw std::invalid_argument("schedule: expected a valid one; " + report.violations.front().text);

  // On unequal links a later reception may come before an earlier one: then the order of sends says too much.
  if (steps.network.has_unequal_links() && flits == 1 && link_latency == 0) return steps;
  Supply supply = find_supply(steps);
  const LinkTimes times(steps.network, flits, link_latency);
  const PacketList& packets = steps.packets;
  const Graph& graph = steps.network;
  std::vector<std::uint64_t> link(graph.link_count()), sender(graph.node_count()),
      receiver(graph.node_count());  // the last cycle in which it is busy
  std::vector<std::uint64_t> complete(packets.combines() ? packets.size() : 0);
  // By send: its first cycle. In the order of the plan a send comes after the one that brought its packet,
  // and after all earlier sends over its link and ports.
  std::vector<std::uint32_t> start(steps.sends.size());
  for (std::size_t i = 0; i < steps.sends.size(); ++i) {
    const Send& send = steps.sends[i];
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    std::uint64_t busy = link[send.link];
    if (supply.feeder[i] != kFromTheStart) {
      raise(busy, start[supply.feeder[i]] + times.crossing[steps.sends[supply.feeder[i]].link] - 1);
    } else if (packets.combines()) {
      raise(busy, complete[send.packet]);
    }
    if (steps.ports != PortModel::kAllPort) raise(busy, sender[from]);
    const std::uint64_t latency = times.latency(send.link);
    if (steps.ports == PortModel::kOnePort && receiver[to] > latency) raise(busy, receiver[to] - latency);
    const std::uint64_t first = busy + 1, last = busy + times.busy[send.link], arrival = last + latency;
    if (arrival > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("schedule: runs for 2^32 cycles or more; expected fewer");
    start[i] = static_cast<std::uint32_t>(first);
    link[send.link] = sender[from] = last;
    receiver[to] = arrival;
    if (!packets.combines()) continue;
    std::uint64_t there = arrival + (supply.arrival_loops[i] ? flits : 0);
    for (PacketIndex p = supply.goes_into[i]; p != kNoPacket; p = supply.next[p]) {
      raise(complete[p], there);
      if (--supply.missing[p] != 0) break;
      there = complete[p] + (supply.sum_loops[p] ? flits : 0);
    }
  }
  for (std::size_t i = 0; i < steps.sends.size(); ++i) steps.sends[i].start = start[i];
  steps.packets.set_flits(flits);
  steps.link_latency = link_latency;
  sort_sends(steps);
  return steps;
}

Schedule with_packets_in_step(Schedule steps, std::uint32_t flits, std::uint32_t link_latency) {
  const bool differ = steps.network.has_unequal_links() && (flits != 1 || link_latency != 0);
  return differ ? free_running(std::move(steps), flits, link_latency)
                : in_lockstep(std::move(steps), flits, link_latency);
}

}  // namespace safnet
