#include "cpp_model/algorithm/gossip/optimal_gossip.hpp"

#include <fmt/format.h>

#include <utility>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"

namespace safnet {
namespace {

constexpr const char* kName = "optimal";

Schedule plan(const Problem& problem) {
  const auto best = searched_optimum(problem);
  std::vector<Send> multicasts;
  for (const GossipSend& send : best->sends) multicasts.push_back({send.step, send.link, send.packet});
  return schedule_of_multicasts(problem, kName, std::move(multicasts));
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
