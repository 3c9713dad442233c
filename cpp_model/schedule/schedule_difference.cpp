#include "cpp_model/schedule/schedule_difference.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <span>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Where in time and space a transfer begins.
struct Place {
  std::uint64_t cycle;
  LinkId link;
  friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const Schedule& schedule, const Send& send) { return {schedule.cycle(send), send.link}; }

// Takes the sends at a place from the front; their packets, in order.
void take(const Schedule& schedule, std::span<const Send>& left, const Place& place,
          std::vector<PacketId>& packets) {
  packets.clear();
  for (; !left.empty() && place_of(schedule, left.front()) == place; left = left.subspan(1))
    packets.push_back(schedule.packets.id(left.front().packet));
  std::ranges::sort(packets);
}

std::uint64_t count_common(const std::vector<PacketId>& a, const std::vector<PacketId>& b) {
  std::uint64_t common = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++common;
    const bool both = *i == *j, next_of_first = *i < *j;
    if (both || next_of_first) ++i;
    if (both || !next_of_first) ++j;
  }
  return common;
}

void compare_transfers(const Schedule& first, const Schedule& second, std::size_t most_listed,
                       ScheduleDifference& difference) {
  std::span<const Send> left = first.sends, right = second.sends;
  PartingLink here;
  while (!left.empty() || !right.empty()) {
    Place place = place_of(left.empty() ? second : first, left.empty() ? right.front() : left.front());
    if (!right.empty()) place = std::min(place, place_of(second, right.front()));
    take(first, left, place, here.first);
    take(second, right, place, here.second);
    if (here.first == here.second) {
      difference.same_transfers += here.first.size();
      continue;
    }
    difference.same_transfers += count_common(here.first, here.second);
    ++difference.parting_links;
    here.cycle = place.cycle;
    here.link = place.link;
    if (difference.partings.size() < most_listed) difference.partings.push_back(here);
  }
}

// By packet, the last cycle in which it arrives anywhere; 0: it is never sent.
std::vector<std::uint64_t> last_arrivals(const Schedule& schedule) {
  std::vector<std::uint64_t> last(schedule.packets.size());
  for (const Send& send : schedule.sends)
    last[send.packet] = std::max(last[send.packet], schedule.arrival_cycle(send));
  return last;
}

ScheduleDifference::Side side_of(const Schedule& schedule, const std::vector<std::uint64_t>& arrivals) {
  const std::uint64_t cycles = arrivals.empty() ? 0 : *std::ranges::max_element(arrivals);
  return {(cycles + schedule.slot_cycles - 1) / schedule.slot_cycles, cycles};
}

std::vector<PacketIndex> in_order_of_names(const PacketList& packets) {
  std::vector<PacketIndex> order(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) order[p] = p;
  std::ranges::stable_sort(order, {}, [&](PacketIndex p) { return packets.id(p); });
  return order;
}

bool same_packet(const PacketList& first, PacketIndex p, const PacketList& second, PacketIndex q) {
  const auto sorted = [](auto items) {
    std::ranges::sort(items);
    return items;
  };
  const auto destinations = [&](const PacketList& packets, PacketIndex i) {
    const auto all = packets.destinations(i);
    return sorted(std::vector<NodeId>(all.begin(), all.end()));
  };
  const auto parts = [&](const PacketList& packets, PacketIndex i) {
    std::vector<PacketId> all;
    for (const PacketIndex part : packets.parts(i)) all.push_back(packets.id(part));
    return sorted(std::move(all));
  };
  return first.flits(p) == second.flits(q) && destinations(first, p) == destinations(second, q) &&
         parts(first, p) == parts(second, q);
}

// Keeps the packets that moved furthest, the furthest first.
void note_moved(std::vector<MovedPacket>& moved, const MovedPacket& packet, std::size_t most_listed) {
  const auto distance = [](const MovedPacket& m) {
    return m.first_cycle < m.second_cycle ? m.second_cycle - m.first_cycle : m.first_cycle - m.second_cycle;
  };
  const auto place = std::ranges::upper_bound(moved, distance(packet), std::greater<>(), distance);
  if (static_cast<std::size_t>(place - moved.begin()) >= most_listed) return;
  moved.insert(place, packet);
  if (moved.size() > most_listed) moved.pop_back();
}

void compare_packets(const Schedule& first, const Schedule& second, std::size_t most_listed,
                     ScheduleDifference& difference) {
  const std::vector<std::uint64_t> arrivals = last_arrivals(first), others = last_arrivals(second);
  difference.first = side_of(first, arrivals);
  difference.second = side_of(second, others);
  const std::vector<PacketIndex> left = in_order_of_names(first.packets),
                                 right = in_order_of_names(second.packets);
  auto p = left.begin();
  auto q = right.begin();
  while (p != left.end() && q != right.end()) {
    const auto order = first.packets.id(*p) <=> second.packets.id(*q);
    if (order < 0) {
      ++p;
    } else if (order > 0) {
      ++q;
    } else {
      ++difference.shared_packets;
      if (!same_packet(first.packets, *p, second.packets, *q)) ++difference.changed_packets;
      const MovedPacket packet{first.packets.id(*p), arrivals[*p], others[*q]};
      if (packet.first_cycle != 0 && packet.second_cycle != 0) {
        ++difference.sent_packets;
        if (packet.second_cycle < packet.first_cycle) ++difference.earlier_packets;
        if (packet.second_cycle > packet.first_cycle) ++difference.later_packets;
        if (packet.second_cycle != packet.first_cycle) note_moved(difference.moved, packet, most_listed);
      }
      ++p;
      ++q;
    }
  }
  difference.packets_of_first = left.size() - difference.shared_packets;
  difference.packets_of_second = right.size() - difference.shared_packets;
}

}  // namespace

ScheduleDifference difference_between(const Schedule& first, const Schedule& second,
                                      std::size_t most_listed) {
  const Graph &a = first.network, &b = second.network;
  if (!same_network(a, b)) {
    throw bad_input(
        "the schedules are on {} ({} nodes, {} links) and on {} ({} nodes, {} links); "
        "expected the same network",
        one_line(a.spelling()), a.node_count(), a.link_count(), one_line(b.spelling()), b.node_count(),
        b.link_count());
  }
  ScheduleDifference difference;
  compare_transfers(first, second, most_listed, difference);
  compare_packets(first, second, most_listed, difference);
  difference.same_latency = first.link_latency == second.link_latency;
  return difference;
}

}  // namespace safnet
