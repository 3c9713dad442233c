#include "cpp_model/algorithm/gossip/general_allreduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/gossip/gossip_plans.hpp"
#include "cpp_model/algorithm/gossip/translated_trees.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

// All nodes of a Cayley graph doing the same; packet m n + v is message m of node v.
std::vector<Send> translated_gossip(const Graph& graph, PortModel ports, std::uint32_t messages) {
  return translated_sends(graph, translated_trees(graph, ports, messages));
}

// All nodes, the most central first: by the hops to and from the node furthest away, then by their sum.
std::vector<NodeId> most_central(const FlatGraph& graph) {
  std::vector<std::uint64_t> reach(graph.nodes);
  std::vector<NodeId> order(graph.nodes);
  for (NodeId v = 0; v < graph.nodes; ++v) {
    order[v] = v;
    for (const auto& distance : {graph.distances_from(v), graph.distances_to(v)}) {
      reach[v] += (std::uint64_t{*std::max_element(distance.begin(), distance.end())} << 32) +
                  std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return reach[a] < reach[b]; });
  return order;
}

// Every message is reduced to its root, and broadcast from there. `in_turn`: message by message, each as soon
// as those before it let it; otherwise first all are reduced.
Schedule through_roots(const Problem& problem, const std::vector<NodeId>& roots,
                       std::span<const Send> inwards, std::span<const Send> outwards, bool in_turn) {
  Schedule schedule = empty_schedule(problem, "reduce-then-broadcast");
  const std::vector<PacketIndex> results = add_reductions(schedule, roots, inwards, true);
  const std::uint32_t reduced = last_step(inwards);
  for (const Send& send : outwards)
    schedule.sends.push_back({reduced + send.start, send.link, results[send.packet]});
  sort_sends(schedule);
  if (!in_turn) {
    tighten(schedule);
    return schedule;
  }
  // A send's turn is the number of its message: the last message to be reduced is the last to be broadcast.
  std::vector<std::uint32_t> turn;
  for (const Send& send : schedule.sends)
    turn.push_back(schedule.packets.tag(send.packet) % problem.messages);
  place_in_turn(schedule, turn);
  return schedule;
}

Schedule reduce_then_broadcast(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  const FlatGraph graph(problem.graph), back = turned_round(graph);
  const PortLimits limits = port_limits(problem.ports);
  const std::uint64_t bound = lower_bound(problem).steps;
  std::vector<Schedule> best;
  const auto keep = [&](Schedule schedule) {
    if (best.empty() || last_step(schedule.sends) < last_step(best.front().sends))
      best.assign(1, std::move(schedule));
  };
  const auto is_good = [&] { return !best.empty() && last_step(best.front().sends) <= bound; };
  std::vector<NodeId> roots(problem.messages);
  if (problem.graph.translations() && problem.messages % n == 0 && n > 1) {
    for (std::uint32_t m = 0; m < problem.messages; ++m) roots[m] = m % n;
    const std::vector<Send> outwards = translated_gossip(problem.graph, problem.ports, problem.messages / n);
    std::vector<Send> inwards = outwards;
    for (Send& send : inwards)
      send.link =
          problem.graph.link(problem.graph.link_target(send.link), problem.graph.link_target_port(send.link));
    for (const bool in_turn : {false, true}) keep(through_roots(problem, roots, inwards, outwards, in_turn));
  }
  // Roots near the middle have short ways, many roots have many links: 1, 2, n/2 and n roots are tried, at
  // most as many as there are messages.
  const std::vector<NodeId> central = most_central(graph);
  std::vector<std::size_t> periods{1};
  for (const std::size_t period : {std::size_t{2}, std::size_t{n} / 2, std::size_t{n}}) {
    const std::size_t useful = std::min<std::size_t>(period, problem.messages);
    if (useful > periods.back()) periods.push_back(useful);
  }
  // Where trying several numbers of roots takes seconds, only the largest is tried.
  if (std::uint64_t{problem.messages} * n > kMostSendsAtOnce)
    periods.erase(periods.begin(), periods.end() - 1);
  for (const std::size_t period : periods) {
    if (is_good()) break;
    for (std::uint32_t m = 0; m < problem.messages; ++m) roots[m] = central[m % period];
    GossipEffort effort;
    effort.packets_looked_at = 3'000'000;
    const std::vector<Send> inwards = plan_gossip({back, turned_round(limits), roots}, period, effort);
    const std::vector<Send> outwards = plan_gossip({graph, limits, roots}, period, effort);
    for (const bool in_turn : {false, true}) {
      if (in_turn && (problem.messages == 1 || is_good())) break;
      keep(through_roots(problem, roots, inwards, outwards, in_turn));
    }
  }
  return std::move(best.front());
}

Algorithm reduce_then_broadcast_algorithm() {
  return {
      .name = "reduce-then-broadcast",
      .collective = CollectiveKind::kAllreduce,
      .source = "beyond the thesis; many messages: reduce-scatter and allgather",
      .description = "every message is combined at a root of its own and broadcast from there",
      .domain = fmt::format("networks of at most {} nodes and {} sends", kMostGossipNodes, kMostGossipSends),
      .why_not = [](const Problem& p) { return why_too_many(p, std::uint64_t{2} * p.messages); },
      .plan = reduce_then_broadcast,
      .knows_messages = true,
      .knows_one_way = true};
}

// The fewest parallel links from any node to any other; 0 if some two are not neighbours.
std::uint32_t links_between_all(const FlatGraph& graph) {
  if (graph.out.size() < std::size_t{graph.nodes} * (graph.nodes - 1)) return 0;
  std::uint32_t fewest = graph.nodes;
  std::vector<std::uint32_t> links(graph.nodes);
  for (NodeId v = 0; v < graph.nodes; ++v) {
    std::fill(links.begin(), links.end(), 0);
    for (const LinkId link : graph.out_of(v)) ++links[graph.target[link]];
    links[v] = fewest;
    fewest = std::min(fewest, *std::min_element(links.begin(), links.end()));
  }
  return fewest;
}

Schedule direct_exchange(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "direct-exchange");
  const FlatGraph graph(problem.graph);
  const NodeId n = graph.nodes;
  const std::uint32_t parallel = links_between_all(graph);
  std::vector<std::uint32_t> before(n);  // links to the same node that have been seen
  for (NodeId v = 0; v < n; ++v) {
    std::fill(before.begin(), before.end(), 0);
    for (const LinkId link : graph.out_of(v)) {
      const NodeId to = graph.target[link];
      const std::uint32_t number = before[to]++;
      if (problem.ports == PortModel::kAllPort) {
        for (std::uint32_t m = number; number < parallel && m < problem.messages; m += parallel)
          schedule.sends.push_back({m / parallel + 1, link, m * n + v});
      } else if (number == 0) {
        // In step k all send to the node k places on.
        const std::uint32_t places = to > v ? to - v : to + n - v;
        for (std::uint32_t m = 0; m < problem.messages; ++m)
          schedule.sends.push_back({m * (n - 1) + places, link, m * n + v});
      }
    }
  }
  std::vector<PacketIndex> parts(n);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    std::iota(parts.begin(), parts.end(), m * n);
    for (NodeId v = 0; v < n; ++v) schedule.packets.add(v, problem.messages + m, 1, std::span(&v, 1), parts);
  }
  sort_sends(schedule);
  return schedule;
}

Algorithm direct_exchange_algorithm() {
  static constexpr NodeId kMostParts = 255;  // that a tdm_node combines
  return {.name = "direct-exchange",
          .collective = CollectiveKind::kAllreduce,
          .source = "beyond the thesis",
          .description = "every node sends its contributions to all others and combines what it gets",
          .domain = fmt::format("networks of at most {} nodes, all neighbours of each other", kMostParts),
          .why_not = [](const Problem& p) -> std::string {
            const NodeId n = p.graph.node_count();
            if (n < 2 || n > kMostParts || links_between_all(FlatGraph(p.graph)) == 0)
              return fmt::format("needs 2 to {} nodes, all neighbours of each other", kMostParts);
            // Beyond that a reduction and a broadcast per message, all roots sharing the links, are better.
            if (p.messages > n) return fmt::format("needs --messages {} or fewer, as many as nodes", n);
            return why_too_many(p, std::uint64_t{n} * p.messages);
          },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            if (p.messages > 1)
              return std::nullopt;  // no promise to prefer it by: for many there are better ways
            return p.ports == PortModel::kAllPort ? 1 : p.graph.node_count() - std::uint64_t{1};
          },
          .plan = direct_exchange,
          .knows_messages = true,
          .knows_one_way = true};
}

// An allreduce by multinode broadcasts along all dimensions in turn; message m begins with dimension m modulo
// their number.
Schedule by_dimensions(const Problem& problem, const std::string& name,
                       const std::vector<DimensionCopies>& dimensions) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  const std::uint32_t messages = problem.messages;
  const auto count = static_cast<std::uint32_t>(dimensions.size());
  Schedule schedule = empty_schedule(problem, name);
  std::vector<PacketIndex> held(std::size_t{messages} * n);  // by message and node: what it combines next
  std::iota(held.begin(), held.end(), PacketIndex{0});
  std::uint32_t begin = 0;
  // Messages that go along a dimension at the same time are those of the same number modulo `count`.
  for (std::uint32_t round = 0; round < count; ++round) {
    std::uint32_t longest = 0;
    for (std::uint32_t group = 0; group < std::min(count, messages); ++group) {
      const DimensionCopies& lines = dimensions[(group + round) % count];
      const Graph& factor = lines.dimension;
      const NodeId size = factor.node_count();
      const std::uint32_t in_group = (messages - group + count - 1) / count;
      const FlatGraph flat(factor);
      std::vector<NodeId> origins;
      for (std::uint32_t k = 0; k < in_group; ++k) {
        for (NodeId v = 0; v < size; ++v) origins.push_back(v);
      }
      const std::vector<Send> sends =
          factor.translations() && size > 1
              ? translated_gossip(factor, problem.ports, in_group)
              : plan_gossip({flat, port_limits(problem.ports), origins}, size, GossipEffort{});
      // One-port nodes serve one group at a time.
      if (problem.ports != PortModel::kAllPort && group > 0) begin += longest;
      longest = problem.ports == PortModel::kAllPort ? std::max(longest, last_step(sends)) : last_step(sends);
      for (const auto& line : lines.list) {
        for (const Send& send : sends) {
          const std::uint32_t m = group + send.packet / size * count;
          const LinkId link =
              lines.link(graph, line, factor.link_source(send.link), factor.link_port(send.link));
          schedule.sends.push_back(
              {begin + send.start, link, held[std::size_t{m} * n + lines.node(line, send.packet % size)]});
        }
      }
      for (std::uint32_t k = 0; k < in_group; ++k) {
        PacketIndex* const of_message = &held[std::size_t{group + k * count} * n];
        for (const auto& line : lines.list) {
          std::vector<PacketIndex> parts;
          for (NodeId i = 0; i < size; ++i) parts.push_back(of_message[lines.node(line, i)]);
          for (NodeId i = 0; i < size; ++i) {
            const NodeId v = lines.node(line, i);
            const bool is_result = round + 1 == count;
            of_message[v] =
                schedule.packets.add(v, messages * (round + 1) + group + k * count, 1,
                                     is_result ? std::span(&v, 1) : std::span<const NodeId>(), parts);
          }
        }
      }
    }
    begin += longest;
  }
  sort_sends(schedule);
  tighten(schedule);
  return schedule;
}

Algorithm everywhere_algorithm(bool by_dimension) {
  const std::string name = by_dimension ? "dimension-by-dimension" : "combine-everywhere";
  return {.name = name,
          .collective = CollectiveKind::kAllreduce,
          .source = "beyond the thesis",
          .description = by_dimension ? "combine-everywhere along each dimension in turn"
                                      : "every node gets every contribution and combines them",
          .domain = fmt::format("{} of at most {} nodes and {} sends", by_dimension ? "products" : "networks",
                                kMostGossipNodes, kMostGossipSends),
          .why_not = [by_dimension](const Problem& p) -> std::string {
            if (by_dimension && p.graph.factors().empty()) return "needs a product";
            std::uint64_t each = by_dimension ? 0 : p.graph.node_count();
            for (const Graph& factor : p.graph.factors()) each += by_dimension ? factor.node_count() : 0;
            return why_too_many(p, each * p.messages);
          },
          .plan =
              [by_dimension, name](const Problem& p) {
                if (by_dimension) return by_dimensions(p, name, copies_of_dimensions(p.graph));
                return by_dimensions(p, name, {{p.graph, 1, {{0, 0}}}});
              },
          .knows_messages = true,
          .knows_one_way = !by_dimension};
}

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

Algorithm accumulate_everywhere_algorithm() {
  return {
      .name = "accumulate-everywhere",
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
      .knows_one_way = true};
}

}  // namespace

std::vector<Algorithm> general_allreduce_algorithms() {
  return {direct_exchange_algorithm(), reduce_then_broadcast_algorithm(), everywhere_algorithm(false),
          everywhere_algorithm(true), accumulate_everywhere_algorithm()};
}

}  // namespace safnet
