#include "cpp_model/algorithm/gossip/accumulate_everywhere.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"

namespace safnet {
namespace {

// n^2 M contributions and as many sends.
constexpr std::uint64_t kMaxContributions = std::uint64_t{1} << 20;

Problem accumulation_of(Problem problem) {
  problem.collective = CollectiveKind::kMultinodeAccumulation;
  return problem;
}

// The allreduce that a multinode accumulation becomes if what a node contributes is the same for all
// destinations. A contribution that is sent on by itself is a packet for each destination, with the node's
// own as its one part: links do not carry one packet twice. Throws std::invalid_argument if the schedule
// does not hold the accumulation's packets.
Schedule allreduce_of_accumulation(const Problem& allreduce, const Schedule& accumulation,
                                   const std::string& algorithm) {
  const PacketList& from = accumulation.packets;
  const NodeId n = allreduce.graph.node_count();
  if (const std::string wrong = why_not_packets_of(accumulation_of(allreduce), accumulation); !wrong.empty())
    throw std::invalid_argument("allreduce of an accumulation: " + wrong);
  Schedule schedule = empty_schedule(allreduce, algorithm);
  PacketList& to = schedule.packets;
  std::vector<bool> is_sent(from.size());
  for (const Send& send : accumulation.sends) is_sent[send.packet] = true;
  std::uint32_t next_tag = allreduce.messages;
  std::vector<PacketIndex> becomes(from.size()), parts;
  for (PacketIndex p = 0; p < from.size(); ++p) {
    parts.clear();
    if (from.parts(p).empty()) {
      const PacketIndex own = from.tag(p) / n * n + from.origin(p);
      becomes[p] = own;
      if (!is_sent[p]) continue;
      parts.push_back(own);
    }
    for (const PacketIndex part : from.parts(p)) parts.push_back(becomes[part]);
    becomes[p] = to.add(from.origin(p), next_tag++, 1, from.destinations(p), parts);
  }
  schedule.sends.reserve(accumulation.sends.size());
  for (const Send& send : accumulation.sends)
    schedule.sends.push_back({send.start, send.link, becomes[send.packet]});
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::vector<Algorithm> accumulate_everywhere_algorithms() {
  return {
      {.name = "accumulate-everywhere",
       .collective = CollectiveKind::kAllreduce,
       .source = "beyond the thesis",
       .description =
           "every node is the root of a reduction of its own, all at once: as many steps as a multinode "
           "accumulation",
       .domain = fmt::format("networks where nodes squared times messages are at most {}", kMaxContributions),
       .why_not = [](const Problem& problem) -> std::string {
         if (!problem.tree.empty()) return "has no use for --tree";
         const std::uint64_t n = problem.graph.node_count();
         if (n < 2) return "needs two nodes or more";
         if (n * n * problem.messages > kMaxContributions)
           return fmt::format("needs at most {} nodes squared times messages", kMaxContributions);
         if (!some_algorithm_applies(accumulation_of(problem))) return "needs a multinode accumulation";
         return "";
       },
       .plan =
           [](const Problem& problem) {
             const Problem accumulation = accumulation_of(problem);
             Choice choice = choose_algorithm(accumulation, true);
             const Schedule plan =
                 choice.plan ? std::move(*choice.plan) : plan_of(*choice.algorithm, accumulation);
             return allreduce_of_accumulation(problem, plan, "accumulate-everywhere");
           },
       .knows_messages = true,
       .knows_one_way = true}};
}

}  // namespace safnet
