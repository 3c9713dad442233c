#include "cpp_model/schedule/schedule_metrics.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

std::vector<std::uint64_t> flits_by_link(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const PacketList& packets = schedule.packets;
  std::vector<std::uint64_t> load(graph.link_count());
  for (const Send& send : schedule.sends) {
    if (send.start == 0 || send.link >= graph.link_count() || send.packet >= packets.size()) {
      throw bad_input(
          "schedule: packet {} in slot {} over link {}; expected packets below {}, slots from 1 "
          "and links below {}",
          send.packet, send.start, send.link, packets.size(), graph.link_count());
    }
    load[send.link] += packets.flits(send.packet);
  }
  return load;
}

std::uint64_t last_arrival_cycle(const Schedule& schedule) {
  std::uint64_t last = 0;
  for (const Send& send : schedule.sends) last = std::max(last, schedule.arrival_cycle(send));
  return last;
}

ScheduleMetrics measure(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const PacketList& packets = schedule.packets;
  ScheduleMetrics metrics;
  metrics.sends = schedule.sends.size();
  metrics.packets = packets.size();
  metrics.destinations = packets.destination_count();
  metrics.links = graph.link_count();
  const std::vector<std::uint64_t> load = flits_by_link(schedule);
  for (const Send& send : schedule.sends)
    metrics.steps = std::max(metrics.steps, schedule.arrival_slot(send));
  metrics.cycles = last_arrival_cycle(schedule);
  for (LinkId link = 0; link < load.size(); ++link) {
    metrics.flits += load[link];
    metrics.links_used += load[link] != 0;
    if (load[link] <= metrics.busiest_link_flits) continue;
    metrics.busiest_link = link;
    metrics.busiest_link_flits = load[link];
  }

  const SendsByPacket by_packet(schedule.sends, packets.size());
  std::vector<std::uint32_t> hops(graph.node_count());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.origin(p) < graph.node_count()) hops[packets.origin(p)] = 0;
    for (const SendsByPacket::SendNumber i : by_packet.of(p)) {
      const LinkId link = schedule.sends[i].link;
      std::uint32_t& there = hops[graph.link_target(link)];
      there = hops[graph.link_source(link)] + 1;
      metrics.most_hops = std::max(metrics.most_hops, there);
    }
  }

  if (metrics.cycles != 0 && metrics.links != 0) {
    if (metrics.cycles > std::numeric_limits<std::uint64_t>::max() / metrics.links) {
      throw bad_input("schedule: runs for {} cycles; expected fewer", metrics.cycles);
    }
    metrics.utilisation = {metrics.flits, metrics.links * metrics.cycles};
  }
  return metrics;
}

}  // namespace safnet
