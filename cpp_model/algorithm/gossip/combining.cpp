#include "cpp_model/algorithm/gossip/combining.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

bool combines(CollectiveKind kind) {
  return kind == CollectiveKind::kReduction || kind == CollectiveKind::kMultinodeAccumulation;
}

std::vector<NodeId> roots_of(const Problem& problem) {
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    if (name_of(problem.collective).has_root) {
      roots.push_back(problem.root);
    } else {
      for (NodeId v = 0; v < problem.graph.processor_count(); ++v) roots.push_back(v);
    }
  }
  return roots;
}

void HeldParts::begin(std::uint32_t r, NodeId root, std::uint32_t tag) {
  const auto n = static_cast<NodeId>(held_.size());
  for (NodeId v = 0; v < n; ++v) held_[v].assign(1, r * n + v);
  root_ = root;
  tag_ = tag;
}

PacketIndex HeldParts::pass(NodeId from, NodeId to) {
  std::vector<PacketIndex>& parts = held_[from];
  if (parts.empty() || from == root_ || held_[to].empty())
    throw std::logic_error("reduction: the multicast is no tree");
  const PacketIndex packet = parts.size() == 1 ? parts.front() : packets_.add(from, tag_, 1, {}, parts);
  parts.clear();
  held_[to].push_back(packet);
  return packet;
}

PacketIndex HeldParts::finish(std::span<const NodeId> destinations) {
  return packets_.add(root_, tag_, 1, destinations, held_[root_]);
}

std::vector<PacketIndex> add_reductions(Schedule& schedule, std::span<const NodeId> roots,
                                        std::span<const Send> multicasts, bool for_all) {
  const Graph& graph = schedule.network;
  const NodeId n = graph.node_count();
  const auto results = static_cast<std::uint32_t>(roots.size());
  std::vector<Send> ordered(multicasts.begin(), multicasts.end());
  std::sort(ordered.begin(), ordered.end());
  const LinkTimes times(graph);
  const auto end = [&](const Send& send) { return send.start + times.crossing[send.link] - 1; };
  std::uint32_t last = 0;
  for (const Send& send : ordered) last = std::max(last, end(send));
  const SendsByPacket by_packet(ordered, results);
  std::vector<NodeId> everyone(n);
  std::iota(everyone.begin(), everyone.end(), NodeId{0});
  HeldParts parts(schedule.packets, n);
  std::vector<PacketIndex> result;
  schedule.sends.reserve(schedule.sends.size() + multicasts.size());
  for (std::uint32_t r = 0; r < results; ++r) {
    parts.begin(r, roots[r], results + r);
    const auto sends = by_packet.of(r);
    if (sends.size() + 1 != n)
      throw std::logic_error("reduction: the multicast does not reach every node once");
    for (std::size_t k = sends.size(); k-- > 0;) {
      const Send& send = ordered[sends[k]];
      // The multicast goes over the link turned round, so that it enters the node which is the link's source.
      const PacketIndex packet = parts.pass(graph.link_source(send.link), graph.link_target(send.link));
      schedule.sends.push_back({last + 1 - end(send), send.link, packet});
    }
    result.push_back(parts.finish(for_all ? std::span<const NodeId>(everyone) : roots.subspan(r, 1)));
  }
  return result;
}

Schedule schedule_of_multicasts(const Problem& problem, const std::string& algorithm,
                                std::vector<Send> multicasts) {
  Schedule schedule = empty_schedule(problem, algorithm);
  if (combines(problem.collective)) {
    add_reductions(schedule, roots_of(problem), multicasts, false);
  } else {
    schedule.sends = std::move(multicasts);
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet
