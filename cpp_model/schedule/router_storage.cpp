#include "cpp_model/schedule/router_storage.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

// Where a packet is stored, and from when to when.
struct Stay {
  LinkId input;
  std::uint32_t arrival, departure;
};
// By router and packet.
using Stays = std::map<std::pair<NodeId, PacketId>, Stay>;

// The most that are there at once, of stays [begin, end).
std::uint32_t most_at_once(std::vector<std::pair<std::uint32_t, int>> changes) {
  std::ranges::sort(changes);  // at equal steps -1 before +1: a departure makes room for an arrival
  int now = 0, most = 0;
  for (const auto& [step, change] : changes) most = std::max(most, now += change);
  return static_cast<std::uint32_t>(most);
}

void add_stay(std::vector<std::pair<std::uint32_t, int>>& changes, std::uint32_t begin, std::uint32_t end) {
  if (begin >= end) return;
  changes.push_back({begin, +1});
  changes.push_back({end, -1});
}

std::vector<Transfer> transfers_of(const Schedule& schedule) {
  std::vector<Transfer> transfers;
  transfers.reserve(schedule.sends.size());
  for (const Send& send : schedule.sends) {
    transfers.push_back({send.start, send.start, schedule.network.link_source(send.link),
                         schedule.network.link_port(send.link), schedule.packets.id(send.packet)});
  }
  return transfers;
}

}  // namespace

RegisterUse router_registers(const Graph& graph, const std::vector<Transfer>& transfers) {
  Stays stays;
  for (const Transfer& t : transfers) {
    if (const auto stay = stays.find({t.from, t.packet}); stay != stays.end())
      stay->second.departure = t.step;
    const NodeId to = graph.peer(t.from, t.port).node;
    if (to >= graph.processor_count())
      stays.insert({{to, t.packet}, {graph.link(t.from, t.port), t.step, t.step}});
  }
  RegisterUse use;
  std::map<LinkId, std::vector<std::pair<std::uint32_t, int>>> changes;
  for (const auto& [key, stay] : stays) {
    use.steps = std::max(use.steps, stay.departure - stay.arrival);
    add_stay(changes[stay.input], stay.arrival, stay.departure);
  }
  for (auto& [link, list] : changes) use.packets = std::max(use.packets, most_at_once(std::move(list)));
  return use;
}

RegisterUse router_registers(const Schedule& schedule) {
  return router_registers(schedule.network, transfers_of(schedule));
}

std::vector<QueuePeak> router_queues(const Graph& graph, const std::vector<Transfer>& transfers) {
  std::map<std::pair<NodeId, PacketId>, std::uint32_t> arrival;
  std::map<LinkId, std::vector<std::pair<std::uint32_t, int>>> stored, waiting;
  for (const Transfer& t : transfers) {
    if (const auto came = arrival.find({t.from, t.packet}); came != arrival.end()) {
      const LinkId link = graph.link(t.from, t.port);
      add_stay(stored[link], came->second + 1, t.step + 1);
      add_stay(waiting[link], came->second + 1, t.step);
    }
    arrival.insert({{graph.peer(t.from, t.port).node, t.packet}, t.step});
  }
  std::vector<QueuePeak> peaks(graph.link_count());
  for (auto& [link, list] : stored) peaks[link].stored = most_at_once(std::move(list));
  for (auto& [link, list] : waiting) peaks[link].waiting = most_at_once(std::move(list));
  return peaks;
}

std::vector<QueuePeak> router_queues(const Schedule& schedule) {
  return router_queues(schedule.network, transfers_of(schedule));
}

std::uint32_t most_in_transit(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const auto sends = SendsByPacket(schedule.sends, schedule.packets.size());
  std::vector<std::vector<std::pair<std::uint32_t, int>>> changes(graph.node_count());
  using Steps = std::pair<std::uint32_t, std::uint32_t>;  // from an arrival to the last departure
  std::map<NodeId, Steps> stays;                          // of a packet
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    stays.clear();
    const NodeId origin = schedule.packets.origin(p);
    for (const PacketIndex part : schedule.packets.parts(p)) {
      for (const auto number : sends.of(part)) {
        const Send& send = schedule.sends[number];
        if (graph.link_target(send.link) != origin) continue;
        Steps& stay = stays.insert({origin, {send.start, send.start}}).first->second;
        stay = {std::min(stay.first, send.start), std::max(stay.second, send.start)};
      }
    }
    for (const auto number : sends.of(p)) {
      const Send& send = schedule.sends[number];
      if (const auto stay = stays.find(graph.link_source(send.link)); stay != stays.end())
        stay->second.second = std::max(stay->second.second, send.start);
      stays.insert({graph.link_target(send.link), {send.start, send.start}});
    }
    for (const auto& [node, stay] : stays) add_stay(changes[node], stay.first, stay.second);
  }
  std::uint32_t most = 0;
  for (auto& list : changes) most = std::max(most, most_at_once(std::move(list)));
  return most;
}

}  // namespace safnet
