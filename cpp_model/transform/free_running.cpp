#include "cpp_model/transform/free_running.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/sum_parts.hpp"

namespace safnet {
namespace {

void raise(std::uint64_t& to, std::uint64_t least) { to = std::max(to, least); }

// By combined packet: the sends that bring a part of it to its node.
std::vector<std::vector<Arrival>> arrivals_at_sums(const Schedule& schedule, const SumParts& parts,
                                                   const SendsByPacket& by_packet) {
  const PacketList& packets = schedule.packets;
  const auto node_of = [&](PacketIndex sum) { return packets.origin(sum); };
  std::vector<std::vector<PacketIndex>> sums(packets.size());  // by part
  for (PacketIndex sum = 0; sum < packets.size(); ++sum) {
    for (const PacketIndex part : packets.parts(sum)) {
      if (packets.origin(part) != packets.origin(sum)) sums[part].push_back(sum);
    }
  }
  std::vector<std::vector<Arrival>> arrivals(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (sums[p].empty()) continue;
    std::ranges::stable_sort(sums[p], {}, node_of);
    for (const SendNumber i : by_packet.of(p)) {
      const NodeId to = schedule.network.link_target(schedule.sends[i].link);
      const bool loops = parts.whole_at(p, to) == kNoPacket;
      for (const PacketIndex sum : std::ranges::equal_range(sums[p], to, {}, node_of))
        arrivals[sum].push_back({i, loops});
    }
  }
  return arrivals;
}

// When combined packets are complete at their nodes.
class Completion {
 public:
  Completion(const PacketList& packets, const Supply& supply, std::uint32_t flits)
      : packets_(packets), supply_(supply), flits_(flits), complete_(supply.arrivals.size(), kUnknown) {}
  // The last cycle before it. `arrival_of(send)`: the cycle of that arrival; those of its parts must be
  // known.
  template <class ArrivalOf>
  std::uint64_t of(PacketIndex sum, const ArrivalOf& arrival_of) {
    std::vector<PacketIndex> open{sum};  // sums of sums may be as deep as there are packets
    while (!open.empty()) {
      const PacketIndex p = open.back();
      if (complete_[p] != kUnknown) {
        open.pop_back();
        continue;
      }
      const std::vector<PacketIndex> parts = own_sums(packets_, p);
      const std::size_t before = open.size();
      std::ranges::copy_if(parts, std::back_inserter(open), [&](auto q) { return complete_[q] == kUnknown; });
      if (open.size() != before) continue;
      std::uint64_t cycle = 0;
      for (const PacketIndex q : parts) raise(cycle, complete_[q] + (supply_.sum_loops[q] ? flits_ : 0));
      for (const Arrival& part : supply_.arrivals[p])
        raise(cycle, arrival_of(part.send) + (part.loops ? flits_ : 0));
      complete_[p] = cycle;
    }
    return complete_[sum];
  }

 private:
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  const PacketList& packets_;
  const Supply& supply_;
  std::uint64_t flits_;
  std::vector<std::uint64_t> complete_;
};

}  // namespace

std::vector<PacketIndex> own_sums(const PacketList& packets, PacketIndex sum) {
  std::vector<PacketIndex> found;
  std::ranges::copy_if(packets.parts(sum), std::back_inserter(found), [&](PacketIndex part) {
    return packets.origin(part) == packets.origin(sum) && !packets.parts(part).empty();
  });
  return found;
}

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
  const SumParts parts(schedule);
  supply.arrivals = arrivals_at_sums(schedule, parts, by_packet);
  supply.sum_loops.resize(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) supply.sum_loops[p] = !parts.is_step(p);
  return supply;
}

Schedule free_running(Schedule steps, std::uint32_t flits, std::uint32_t link_latency) {
  steps = in_lockstep(std::move(steps), 1, 0);  // changes nothing; throws for a schedule that is not of steps
  if (flits == 0) throw std::invalid_argument("schedule: packets of 0 flits; expected at least one");
  const ScheduleReport report = check_schedule(steps, 1);
  if (!report.valid())
    throw std::invalid_argument("schedule: expected a valid one; " + report.violations.front().text);

  // On unequal links a later reception may come before an earlier one: then the order of sends says too much.
  if (steps.network.has_unequal_links() && flits == 1 && link_latency == 0) return steps;
  const Supply supply = find_supply(steps);
  const LinkTimes times(steps.network, flits, link_latency);
  const PacketList& packets = steps.packets;
  const Graph& graph = steps.network;
  std::vector<std::uint64_t> link(graph.link_count()), sender(graph.node_count()),
      receiver(graph.node_count());  // the last cycle in which it is busy
  // By send: its first cycle. In the order of the plan a send comes after the one that brought its packet,
  // and after all earlier sends over its link and ports.
  std::vector<std::uint32_t> start(steps.sends.size());
  const auto arrival_of = [&](SendNumber k) -> std::uint64_t {
    return start[k] + times.crossing[steps.sends[k].link] - 1;
  };
  Completion completion(packets, supply, flits);
  for (std::size_t i = 0; i < steps.sends.size(); ++i) {
    const Send& send = steps.sends[i];
    const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
    std::uint64_t busy = link[send.link];
    if (supply.feeder[i] != kFromTheStart) {
      raise(busy, arrival_of(supply.feeder[i]));
    } else if (packets.combines()) {
      raise(busy, completion.of(send.packet, arrival_of));
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
