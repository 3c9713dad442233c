#include "cpp_model/interchange/recognise.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

using Demand = std::pair<NodeId, std::vector<NodeId>>;  // origin, destinations in order

Demand demand_of(const PacketList& packets, PacketIndex p) {
  Demand demand{packets.origin(p), {packets.destinations(p).begin(), packets.destinations(p).end()}};
  std::sort(demand.second.begin(), demand.second.end());
  return demand;
}

std::uint64_t expected_count(CollectiveKind kind, std::uint64_t n) {
  if (kind == CollectiveKind::kBroadcast) return 1;
  return kind == CollectiveKind::kTotalExchange ? n * (n - 1) : n - 1;
}

bool renumber_as(Schedule& schedule, CollectiveKind kind, NodeId root) {
  const PacketList& packets = schedule.packets;
  if (packets.size() != expected_count(kind, schedule.network.node_count())) return false;
  Problem problem{.graph = schedule.network, .collective = kind, .ports = schedule.ports, .root = root};
  PacketList wanted = collective_packets(problem);
  if (wanted.size() != packets.size()) return false;
  std::map<Demand, PacketIndex> number;
  for (PacketIndex p = 0; p < wanted.size(); ++p) number.emplace(demand_of(wanted, p), p);
  std::vector<PacketIndex> renumbered(packets.size(), kNoPacket);
  std::vector<bool> used(packets.size());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    const auto found = number.find(demand_of(packets, p));
    if (found == number.end() || used[found->second]) return false;
    used[found->second] = true;
    renumbered[p] = found->second;
  }
  for (Send& send : schedule.sends) send.packet = renumbered[send.packet];
  schedule.packets = std::move(wanted);
  sort_sends(schedule);
  schedule.collective = to_string(kind);
  schedule.root = root;
  return true;
}

}  // namespace

void recognise_collective(Schedule& schedule, const std::string& preferred) {
  const PacketList& packets = schedule.packets;
  if (packets.size() == 0 || packets.combines() || packets.destinations(0).empty()) return;
  std::vector<CollectiveKind> kinds{CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                    CollectiveKind::kGather, CollectiveKind::kTotalExchange};
  std::stable_partition(kinds.begin(), kinds.end(),
                        [&](CollectiveKind kind) { return to_string(kind) == preferred; });
  for (const CollectiveKind kind : kinds) {
    const bool to_root = kind == CollectiveKind::kGather;
    const NodeId root = to_root ? packets.destinations(0).front() : packets.origin(0);
    if (renumber_as(schedule, kind, kind == CollectiveKind::kTotalExchange ? 0 : root)) return;
  }
}

}  // namespace safnet
