#include "cpp_model/algorithm/gossip/gossip_plans.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/bound/flow_bound.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// kMostSendsAtOnce for packets of one root, which take long to keep all links busy: larger parts pay.
constexpr std::uint64_t kMostSendsOfRoot = 1'200'000;

// A lower bound at which rarest_first() may stop.
std::uint64_t goal_of(const GossipTask& gossip) {
  const FlatGraph& graph = gossip.graph;
  std::vector<std::uint64_t> packets(graph.nodes, 0);
  for (const NodeId origin : gossip.origins) ++packets[origin];
  std::uint64_t steps = 0;
  for (NodeId v = 0; v < graph.nodes; ++v) {
    const std::uint64_t in = gossip.limits.one_receive ? 1 : graph.into(v).size();
    if (in != 0) steps = std::max(steps, divide_up(gossip.origins.size() - packets[v], in));
    if (packets[v] == 0) continue;
    const std::vector<std::uint32_t> distance = graph.distances_from(v);
    steps = std::max<std::uint64_t>(steps, *std::max_element(distance.begin(), distance.end()));
  }
  const Wiring wiring(Groups(graph.nodes, [&](const auto& put) {
    for (const LinkId link : graph.out) put(graph.source[link], graph.target[link]);
  }));
  const PortModel ports = !gossip.limits.one_send     ? PortModel::kAllPort
                          : gossip.limits.one_receive ? PortModel::kOnePort
                                                      : PortModel::kOnePortSend;
  return std::max(steps, flow_bound(wiring, packets, ports).steps);
}

}  // namespace

std::uint32_t last_step(std::span<const Send> sends) {
  std::uint32_t last = 0;
  for (const Send& send : sends) last = std::max(last, send.start);
  return last;
}

std::vector<Send> plan_gossip(const GossipTask& problem, std::size_t period, GossipEffort effort) {
  const std::uint64_t others = problem.graph.nodes - 1;
  const std::uint64_t packets = problem.origins.size();
  const std::uint64_t most = period == 1 ? kMostSendsOfRoot : kMostSendsAtOnce;
  if (packets * others <= most) {
    effort.goal = std::max(effort.goal, goal_of(problem));
    return rarest_first(problem, effort);
  }
  const std::uint64_t at_once = std::max<std::uint64_t>(most / (others * period), 1) * period;
  std::vector<Send> sends, part;
  std::uint32_t begin = 0;
  for (std::uint64_t first = 0; first < packets; first += at_once) {
    const std::uint64_t count = std::min(at_once, packets - first);
    if (first == 0 || count != at_once) {
      const GossipTask of_part{problem.graph, problem.limits, problem.origins.subspan(first, count)};
      effort.goal = goal_of(of_part);
      part = rarest_first(of_part, effort);
    }
    for (const Send& send : part)
      sends.push_back({begin + send.start, send.link, static_cast<PacketIndex>(first + send.packet)});
    begin += last_step(part);
  }
  return sends;
}

std::string why_too_many(const Problem& problem, std::uint64_t packets) {
  const std::uint64_t n = problem.graph.node_count();
  if (!problem.tree.empty()) return "has no use for --tree";
  if (n > kMostGossipNodes) return fmt::format("needs a network of at most {} nodes", kMostGossipNodes);
  if (packets * (n - 1) > kMostGossipSends) return fmt::format("needs at most {} sends", kMostGossipSends);
  return {};
}

}  // namespace safnet
