#include "cpp_model/algorithm/gossip/combining.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

bool combines(CollectiveKind kind) {
  return kind == CollectiveKind::kReduction || kind == CollectiveKind::kMultinodeAccumulation;
}

std::vector<PacketIndex> add_reductions(Schedule& schedule, std::span<const NodeId> roots,
                                        std::span<const Send> multicasts, bool for_all) {
  const Graph& graph = schedule.network;
  const NodeId n = graph.node_count();
  const auto results = static_cast<std::uint32_t>(roots.size());
  std::uint32_t last = 0;
  for (const Send& send : multicasts) last = std::max(last, send.start);
  std::vector<Send> ordered(multicasts.begin(), multicasts.end());
  std::sort(ordered.begin(), ordered.end());
  const SendsByPacket by_packet(ordered, results);
  std::vector<NodeId> everyone(n);
  std::iota(everyone.begin(), everyone.end(), NodeId{0});
  std::vector<std::vector<PacketIndex>> inputs(n);
  std::vector<PacketIndex> result;
  schedule.sends.reserve(schedule.sends.size() + multicasts.size());
  for (std::uint32_t r = 0; r < results; ++r) {
    for (NodeId v = 0; v < n; ++v) inputs[v].assign(1, r * n + v);
    const auto sends = by_packet.of(r);
    if (sends.size() + 1 != n)
      throw std::logic_error("reduction: the multicast does not reach every node once");
    for (std::size_t k = sends.size(); k-- > 0;) {
      const Send& send = ordered[sends[k]];
      // The multicast goes over the link turned round, so that it enters the node which is the link's source.
      const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
      std::vector<PacketIndex>& parts = inputs[from];
      if (parts.empty() || from == roots[r] || inputs[to].empty())
        throw std::logic_error("reduction: the multicast is no tree");
      const PacketIndex packet =
          parts.size() == 1 ? parts.front() : schedule.packets.add(from, results + r, 1, {}, parts);
      parts.clear();
      schedule.sends.push_back({last + 1 - send.start, send.link, packet});
      inputs[to].push_back(packet);
    }
    const std::span<const NodeId> destinations =
        for_all ? std::span<const NodeId>(everyone) : roots.subspan(r, 1);
    result.push_back(schedule.packets.add(roots[r], results + r, 1, destinations, inputs[roots[r]]));
  }
  return result;
}

}  // namespace safnet
