#include "cpp_model/algorithm/gossip/optimal_gossip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"

namespace safnet {
namespace {

constexpr const char* kName = "optimal";

// The gossip backwards: what a node sent on to others it now combines with its own, and sends the result
// where the packet came from.
void accumulate(const Problem& problem, const Gossip& gossip, const OptimalGossip& best, Schedule& schedule) {
  const NodeId n = gossip.nodes;
  const bool of_all = problem.collective == CollectiveKind::kMultinodeAccumulation;
  std::vector<GossipSend> sends = best.sends;
  std::sort(sends.rbegin(), sends.rend());  // in the order of the schedule
  const PacketIndex first_tag = problem.messages * (of_all ? n : 1);
  for (std::uint32_t p = 0; p < gossip.packets(); ++p) {
    // What every node has of this result: its own contribution, then what it has received as well.
    std::vector<std::vector<PacketIndex>> parts(n);
    for (NodeId v = 0; v < n; ++v) parts[v].push_back(p * n + v);
    const auto combined = [&](NodeId v) {
      if (parts[v].size() == 1 && v != gossip.origin[p]) return parts[v][0];
      const NodeId at[] = {v};
      return schedule.packets.add(
          v, first_tag + p, 1,
          v == gossip.origin[p] ? std::span<const NodeId>(at) : std::span<const NodeId>(), parts[v]);
    };
    for (const GossipSend& send : sends) {
      if (send.packet != p) continue;
      const DirectedLink& ends = gossip.links[send.link];
      const PacketIndex packet = combined(ends.to);
      schedule.sends.push_back({best.steps + 1 - send.step, send.link, packet});
      parts[ends.from].push_back(packet);
    }
    combined(gossip.origin[p]);
  }
}

Schedule plan(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, kName);
  const Gossip gossip = gossip_of(problem).value();
  const auto best = searched_optimum(problem);
  if (combines(problem.collective)) {
    accumulate(problem, gossip, *best, schedule);
  } else {
    for (const GossipSend& send : best->sends) schedule.sends.push_back({send.step, send.link, send.packet});
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::vector<Algorithm> optimal_gossip_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind collective :
       {CollectiveKind::kBroadcast, CollectiveKind::kMultinodeBroadcast, CollectiveKind::kReduction,
        CollectiveKind::kMultinodeAccumulation}) {
    list.push_back(
        {.name = kName,
         .collective = collective,
         .source = "bounds by cuts, flows and counting; satisfiability; optimal where that is proved",
         .description = std::string("as few steps as there can be, by random and exhaustive search") +
                        (combines(collective) ? "; backwards" : ""),
         .domain = fmt::format("networks of at most {} nodes, at most {} messages", kMaxNodesForOptimum,
                               kMaxMessagesForOptimum),
         .why_not = [](const Problem& p) -> std::string {
           if (!p.tree.empty()) return "finds its own trees, without --tree";
           if (p.graph.node_count() > kMaxNodesForOptimum)
             return fmt::format("needs a network of at most {} nodes", kMaxNodesForOptimum);
           return p.messages <= kMaxMessagesForOptimum
                      ? ""
                      : fmt::format("needs --messages {} or fewer", kMaxMessagesForOptimum);
         },
         .plan = plan,
         .knows_messages = true,
         .knows_one_way = true,
         .searches = true});
  }
  return list;
}

}  // namespace safnet
