#include "cpp_model/interchange/recognise.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

using Way = std::pair<NodeId, std::vector<NodeId>>;  // origin, destinations in order

Way way_of(const PacketList& packets, PacketIndex p) {
  return {packets.origin(p), sorted_destinations(packets, p)};
}

// Plain packets: if they are the collective's for some number of messages, they get its numbers and tags.
bool renumber_as(Schedule& schedule, CollectiveKind kind, NodeId root) {
  const PacketList& packets = schedule.packets;
  Problem problem{.graph = schedule.network, .collective = kind, .ports = schedule.ports, .root = root};
  const std::uint64_t each = packets_of_a_message(problem);
  if (each == 0 || packets.size() % each != 0 || packets.size() / each > kMaxMessages) return false;
  problem.messages = static_cast<std::uint32_t>(packets.size() / each);
  PacketList wanted = collective_packets(problem);
  std::map<Way, std::vector<PacketIndex>> numbers;  // the last first
  for (PacketIndex p = wanted.size(); p-- > 0;) numbers[way_of(wanted, p)].push_back(p);
  std::vector<PacketIndex> renumbered(packets.size(), kNoPacket);
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    const auto found = numbers.find(way_of(packets, p));
    if (found == numbers.end() || found->second.empty()) return false;
    renumbered[p] = found->second.back();
    found->second.pop_back();
  }
  for (Send& send : schedule.sends) send.packet = renumbered[send.packet];
  schedule.packets = std::move(wanted);
  sort_sends(schedule);
  schedule.collective = to_string(kind);
  schedule.root = root;
  return true;
}

// Combined packets stay as they are. They are the collective's if the checker finds nothing wrong with them.
bool is_combining(Schedule& schedule, CollectiveKind kind, NodeId root) {
  Schedule trial(schedule.network);
  trial.ports = schedule.ports;
  trial.packets = schedule.packets;
  trial.collective = to_string(kind);
  trial.root = root;
  const ScheduleReport report = check_schedule(trial, std::numeric_limits<std::size_t>::max());
  const bool is_one = std::none_of(report.violations.begin(), report.violations.end(), [](const auto& found) {
    return found.rule == ScheduleRule::kPacket || found.rule == ScheduleRule::kParts ||
           found.rule == ScheduleRule::kCollective;
  });
  if (!is_one) return false;
  schedule.collective = trial.collective;
  schedule.root = root;
  return true;
}

void recognise_combining(Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  const auto all = std::views::iota(PacketIndex{0}, packets.size());
  const auto result =
      std::ranges::find_if(all, [&](PacketIndex p) { return !packets.destinations(p).empty(); });
  if (result == all.end()) return;
  if (is_combining(schedule, CollectiveKind::kReduction, packets.destinations(*result).front())) return;
  for (const CollectiveKind kind : {CollectiveKind::kMultinodeAccumulation, CollectiveKind::kAllreduce}) {
    if (is_combining(schedule, kind, 0)) return;
  }
}

}  // namespace

std::vector<NodeId> sorted_destinations(const PacketList& packets, PacketIndex p) {
  std::vector<NodeId> nodes(packets.destinations(p).begin(), packets.destinations(p).end());
  std::ranges::sort(nodes);
  return nodes;
}

void recognise_collective(Schedule& schedule, const std::string& preferred) {
  const PacketList& packets = schedule.packets;
  if (packets.size() == 0) return;
  if (packets.combines()) return recognise_combining(schedule);
  if (packets.destinations(0).empty()) return;
  std::vector<CollectiveKind> kinds{CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                    CollectiveKind::kGather, CollectiveKind::kTotalExchange,
                                    CollectiveKind::kMultinodeBroadcast};
  std::stable_partition(kinds.begin(), kinds.end(),
                        [&](CollectiveKind kind) { return to_string(kind) == preferred; });
  for (const CollectiveKind kind : kinds) {
    const bool has_root =
        kind != CollectiveKind::kTotalExchange && kind != CollectiveKind::kMultinodeBroadcast;
    const NodeId root = kind == CollectiveKind::kGather ? packets.destinations(0).front() : packets.origin(0);
    if (renumber_as(schedule, kind, has_root ? root : 0)) return;
  }
}

}  // namespace safnet
