#include "cpp_model/algorithm/gossip/optimal_gossip.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/routed/routed_schedules.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"

namespace safnet {
namespace {

constexpr const char* kName = "optimal";

// A copy on its way from a processor over routers to the next processor.
struct Call {
  NodeId from = 0;
  std::vector<GossipSend> sends;
};

// Instead of going round in a circle the copy waits at the router.
void cut_circles(std::vector<GossipSend>& sends, const std::vector<DirectedLink>& links) {
  for (std::size_t i = 0; i + 1 < sends.size(); ++i) {
    for (std::size_t k = sends.size() - 1; k > i; --k) {
      if (links[sends[k].link].to != links[sends[i].link].to) continue;
      sends.erase(sends.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  sends.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      break;
    }
  }
}

// The calls of each packet, in the order of their ends. A router sends on first what it received first;
// copies that it keeps inform nobody and are left out.
std::vector<std::vector<Call>> calls_of(const Gossip& gossip, const std::vector<GossipSend>& sends) {
  std::vector<std::vector<Call>> calls(gossip.packets());
  std::map<std::pair<std::uint32_t, NodeId>, std::deque<Call>> waiting;  // by packet and router
  std::vector<std::pair<std::pair<std::uint32_t, NodeId>, Call>> arriving;
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const GossipSend& send = sends[i];
    const auto [from, to] = gossip.links[send.link];
    Call call{from, {}};
    if (from >= gossip.processors()) {
      std::deque<Call>& copies = waiting[{send.packet, from}];
      call = std::move(copies.front());
      copies.pop_front();
    }
    call.sends.push_back(send);
    if (to < gossip.processors()) {
      cut_circles(call.sends, gossip.links);
      calls[send.packet].push_back(std::move(call));
    } else {
      arriving.emplace_back(std::pair(send.packet, to), std::move(call));
    }
    if (i + 1 < sends.size() && sends[i + 1].step == send.step) continue;
    for (auto& [where, copy] : arriving) waiting[where].push_back(std::move(copy));
    arriving.clear();
  }
  return calls;
}

// On networks with routers processors combine, backwards in time along these calls.
Schedule schedule_of_calls(const Problem& problem, const Gossip& gossip, const OptimalGossip& best) {
  CombiningPlan plan;
  PacketIndex edge = 0;
  for (const std::vector<Call>& calls : calls_of(gossip, best.sends)) {
    CombiningTree& tree = plan.trees.emplace_back();
    for (const Call& call : calls) {
      tree.push_back({call.from, gossip.links[call.sends.back().link].to});
      HopIndex after = kNoHop;
      for (const GossipSend& send : call.sends) {
        after = plan.hops.add(send.link, after, edge);
        plan.steps.push_back(send.step);
      }
      ++edge;
    }
  }
  plan.last = best.steps;
  Schedule schedule = empty_schedule(problem, kName);
  add_combining(schedule, roots_of(problem), plan, false);
  sort_sends(schedule);
  return schedule;
}

Schedule plan(const Problem& problem) {
  const auto best = searched_optimum(problem);
  if (best->sends.empty() && problem.graph.processor_count() > 1)
    throw bad_input("{} on {}: the search has found nothing", kName, one_line(problem.graph.spelling()));
  if (problem.graph.has_routers()) return schedule_of_calls(problem, *gossip_of(problem), *best);
  std::vector<Send> multicasts;
  for (const GossipSend& send : best->sends) multicasts.push_back({send.step, send.link, send.packet});
  return schedule_of_multicasts(problem, kName, std::move(multicasts));
}

std::string why_no_optimum(const Problem& problem) {
  if (!problem.tree.empty()) return "finds its own trees, without --tree";
  if (problem.messages > kMaxMessagesForOptimum)
    return fmt::format("needs --messages {} or fewer", kMaxMessagesForOptimum);
  if (problem.graph.processor_count() > kMaxNodesForOptimum)
    return fmt::format("needs a network of at most {} nodes", kMaxNodesForOptimum);
  return problem.graph.node_count() <= kMaxNodesAndRoutersForOptimum
             ? ""
             : fmt::format("needs a network of at most {} nodes, with routers",
                           kMaxNodesAndRoutersForOptimum);
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
         .domain = fmt::format(
             "networks of at most {} nodes{}, at most {} messages", kMaxNodesForOptimum,
             combines(collective) ? fmt::format(", {} with routers", kMaxNodesAndRoutersForOptimum) : "",
             kMaxMessagesForOptimum),
         .why_not = why_no_optimum,
         .plan = plan,
         .knows_messages = true,
         .knows_one_way = true,
         .knows_routers = combines(collective),
         .searches = true});
  }
  return list;
}

}  // namespace safnet
