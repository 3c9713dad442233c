#include "cpp_model/algorithm/tighten.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/algorithm/list_scheduling.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

// Which sends must come before which: before[first[i]] ... before[first[i + 1] - 1] before send i.
struct Order {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> before;
};

Order order_of(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const PacketList& packets = schedule.packets;
  const SendsByPacket by_packet(schedule.sends, packets.size());
  constexpr std::uint32_t kNone = 0xffff'ffff;
  std::vector<std::vector<std::uint32_t>> needs(schedule.sends.size());
  // What a combined packet waits for at its origin.
  std::vector<std::vector<std::uint32_t>> waits(packets.combines() ? packets.size() : 0);
  std::vector<std::vector<PacketIndex>> used_in(waits.size());
  for (PacketIndex p = 0; p < waits.size(); ++p) {
    for (const PacketIndex part : packets.parts(p)) used_in[part].push_back(p);
  }
  std::vector<std::uint32_t> came_by(graph.node_count(), kNone);
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    const NodeId origin = packets.origin(p);
    for (const auto i : by_packet.of(p)) {
      const Send& send = schedule.sends[i];
      const NodeId from = graph.link_source(send.link);
      if (from != origin) {
        needs[i].push_back(came_by[from]);
      } else if (!waits.empty()) {
        needs[i] = waits[p];
      }
      came_by[graph.link_target(send.link)] = static_cast<std::uint32_t>(i);
    }
    if (waits.empty()) continue;
    for (const PacketIndex whole : used_in[p]) {
      if (packets.origin(whole) != origin) {
        waits[whole].push_back(came_by[packets.origin(whole)]);
      } else {
        waits[whole].insert(waits[whole].end(), waits[p].begin(), waits[p].end());
      }
    }
  }
  Order order;
  order.first.push_back(0);
  for (const auto& list : needs) {
    order.before.insert(order.before.end(), list.begin(), list.end());
    order.first.push_back(order.before.size());
  }
  return order;
}

// The steps in which each resource is busy.
class Calendar {
 public:
  Calendar(const Occupancy& occupancy, std::uint32_t steps)
      : occupancy_(occupancy), steps_(steps), busy_(std::size_t{occupancy.count} * steps, false) {}
  bool free(LinkId link, std::uint32_t step) const {
    return !busy_[place(occupancy_.sending[link], step)] &&
           (occupancy_.receiving.empty() || !busy_[place(occupancy_.receiving[link], step)]);
  }
  void take(LinkId link, std::uint32_t step) {
    busy_[place(occupancy_.sending[link], step)] = true;
    if (!occupancy_.receiving.empty()) busy_[place(occupancy_.receiving[link], step)] = true;
  }

 private:
  std::size_t place(std::uint32_t resource, std::uint32_t step) const {
    return std::size_t{resource} * steps_ + step - 1;
  }
  const Occupancy& occupancy_;
  std::uint32_t steps_;
  std::vector<bool> busy_;
};

}  // namespace

void tighten(Schedule& schedule) {
  std::vector<Send>& sends = schedule.sends;
  if (sends.empty()) return;
  Occupancy occupancy = port_occupancy(schedule.network, schedule.ports);
  if (schedule.ports == PortModel::kOnePortSend) occupancy.receiving.clear();
  if (std::uint64_t{occupancy.count} * sends.back().start > kMostTightened) return;
  const Order order = order_of(schedule);
  std::vector<std::uint32_t> step(sends.size()), number(sends.size());
  for (std::size_t i = 0; i < sends.size(); ++i) step[i] = sends[i].start;
  std::iota(number.begin(), number.end(), 0U);
  std::uint32_t last = sends.back().start;
  for (;;) {
    std::stable_sort(number.begin(), number.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return step[a] < step[b]; });
    std::vector<std::uint32_t> at(sends.size(), last);  // latest
    {
      Calendar calendar(occupancy, last);
      for (std::size_t k = number.size(); k-- > 0;) {
        const std::uint32_t i = number[k];
        while (!calendar.free(sends[i].link, at[i])) --at[i];
        calendar.take(sends[i].link, at[i]);
        for (std::uint64_t j = order.first[i]; j < order.first[i + 1]; ++j)
          at[order.before[j]] = std::min(at[order.before[j]], at[i] - 1);
      }
    }
    std::stable_sort(number.begin(), number.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return at[a] < at[b]; });
    std::uint32_t end = 0;
    {
      Calendar calendar(occupancy, last);
      for (const std::uint32_t i : number) {
        std::uint32_t earliest = 1;
        for (std::uint64_t j = order.first[i]; j < order.first[i + 1]; ++j)
          earliest = std::max(earliest, step[order.before[j]] + 1);
        while (!calendar.free(sends[i].link, earliest)) ++earliest;
        calendar.take(sends[i].link, earliest);
        step[i] = earliest;
        end = std::max(end, earliest);
      }
    }
    if (end >= last) break;
    last = end;
  }
  for (std::size_t i = 0; i < sends.size(); ++i) sends[i].start = step[i];
  sort_sends(schedule);
}

}  // namespace safnet
