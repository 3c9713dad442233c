#include "cpp_model/algorithm/gossip/general_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/algorithm/gossip/combining.hpp"
#include "cpp_model/algorithm/gossip/hamiltonian_cycle.hpp"
#include "cpp_model/algorithm/gossip/rarest_first.hpp"
#include "cpp_model/algorithm/gossip/translated_broadcast.hpp"
#include "cpp_model/algorithm/tree/disjoint_trees.hpp"
#include "cpp_model/bound/exact.hpp"
#include "cpp_model/bound/flow_bound.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostSends = 5'000'000;
constexpr NodeId kMostNodes = 4096;
constexpr std::uint64_t kMostLinksForTrees = 300'000'000;
// More are planned in parts, one after the other. Those of one root have a long way before all links are
// busy.
constexpr std::uint64_t kMostSendsAtOnce = 400'000, kMostSendsOfRoot = 1'200'000;

bool combines(CollectiveKind kind) {
  return kind == CollectiveKind::kReduction || kind == CollectiveKind::kMultinodeAccumulation;
}

std::uint32_t last_step(std::span<const Send> sends) {
  std::uint32_t last = 0;
  for (const Send& send : sends) last = std::max(last, send.start);
  return last;
}

// A bound for gossip to aim at, where none is given.
std::uint64_t goal_of(const GossipTask& gossip) {
  const FlatGraph& graph = gossip.graph;
  std::vector<std::uint64_t> packets(graph.nodes, 0);
  for (const NodeId origin : gossip.origins) ++packets[origin];
  std::uint64_t steps = 0;
  for (NodeId v = 0; v < graph.nodes; ++v) {
    const std::uint64_t in = gossip.limits.one_receive ? 1 : graph.first_in[v + 1] - graph.first_in[v];
    if (in != 0) steps = std::max(steps, divide_up(gossip.origins.size() - packets[v], in));
    if (packets[v] == 0) continue;
    const std::vector<std::uint32_t> distance = graph.distances_from(v);
    steps = std::max<std::uint64_t>(steps, *std::max_element(distance.begin(), distance.end()));
  }
  std::vector<NodeId> target;
  for (const LinkId link : graph.out) target.push_back(graph.target[link]);
  const PortModel ports = !gossip.limits.one_send     ? PortModel::kAllPort
                          : gossip.limits.one_receive ? PortModel::kOnePort
                                                      : PortModel::kOnePortSend;
  return std::max(steps, flow_bound(graph.first_out, target, packets, ports).steps);
}

// Gossip of any number of packets whose origins repeat after `period` of them.
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

// By packet, or result: where it is from, or combined.
std::vector<NodeId> roots_of(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  std::vector<NodeId> roots;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    if (name_of(problem.collective).has_root) {
      roots.push_back(problem.root);
    } else {
      for (NodeId v = 0; v < n; ++v) roots.push_back(v);
    }
  }
  return roots;
}

// A schedule out of multicasts: as they are, or backwards if the problem combines; they then go over links
// turned round.
Schedule schedule_of(const Problem& problem, const std::string& name, std::vector<Send> multicasts,
                     bool may_be_tighter = true) {
  Schedule schedule = empty_schedule(problem, name);
  if (combines(problem.collective)) {
    add_reductions(schedule, roots_of(problem), multicasts, false);
  } else {
    schedule.sends = std::move(multicasts);
  }
  sort_sends(schedule);
  if (may_be_tighter) tighten(schedule);
  return schedule;
}

Schedule rarest_first_schedule(const Problem& problem) {
  const std::vector<NodeId> roots = roots_of(problem);
  FlatGraph graph(problem.graph);
  PortLimits limits = port_limits(problem.ports);
  if (combines(problem.collective)) {
    graph = turned_round(std::move(graph));
    limits = turned_round(limits);
  }
  GossipEffort effort;
  effort.goal = lower_bound(problem).steps;
  return schedule_of(
      problem, "rarest-first",
      plan_gossip({graph, limits, roots}, name_of(problem.collective).has_root ? 1 : graph.nodes, effort));
}

// Sends of packets that cross `links` each: one for each other node.
std::string why_too_many(const Problem& problem, std::uint64_t packets) {
  const std::uint64_t n = problem.graph.node_count();
  if (!problem.tree.empty()) return "has no use for --tree";
  if (n > kMostNodes) return fmt::format("needs a network of at most {} nodes", kMostNodes);
  if (packets * (n - 1) > kMostSends) return fmt::format("needs at most {} sends", kMostSends);
  return {};
}

Algorithm rarest_first_algorithm(CollectiveKind kind) {
  Algorithm algorithm;
  algorithm.name = "rarest-first";
  algorithm.collective = kind;
  algorithm.source = "beyond the thesis";
  algorithm.description = "links carry what their targets lack, first what few nodes have or has far to go";
  if (combines(kind)) algorithm.description += "; backwards";
  algorithm.domain = fmt::format("networks of at most {} nodes and {} sends", kMostNodes, kMostSends);
  algorithm.why_not = [kind](const Problem& p) {
    return why_too_many(p, (name_of(kind).has_root ? std::uint64_t{1} : p.graph.node_count()) * p.messages);
  };
  algorithm.closed_form = [](const Problem&) { return std::optional<std::uint64_t>(); };
  algorithm.plan = rarest_first_schedule;
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// Trees for a broadcast, or backwards a reduction: as many as make it shortest. Few trees are lower.
std::vector<OutTree> trees_for(const Problem& problem, const FlatGraph& graph) {
  const std::uint32_t most = std::min(fewest_links_cut(graph, problem.root), problem.messages);
  std::vector<OutTree> best;
  for (std::uint64_t count = 1; count <= most; ++count) {
    // Links looked at, for a tree's every node as many paths as there are trees.
    const std::uint64_t work = count * count * graph.nodes * (graph.out.size() + count * graph.nodes);
    if (count > 1 && work > kMostLinksForTrees) break;
    std::vector<OutTree> trees = disjoint_trees(graph, problem.root, static_cast<std::uint32_t>(count));
    if (best.empty() || steps_over_trees(trees, problem.messages) < steps_over_trees(best, problem.messages))
      best = std::move(trees);
  }
  return best;
}

FlatGraph outward(const Problem& problem) {
  FlatGraph graph(problem.graph);
  return combines(problem.collective) ? turned_round(std::move(graph)) : graph;
}

Algorithm disjoint_trees_algorithm(CollectiveKind kind) {
  Algorithm algorithm;
  algorithm.name = "disjoint-trees";
  algorithm.collective = kind;
  algorithm.source = "Edmonds 1973, branchings without a common link";
  algorithm.description = "messages are dealt out to spanning trees that share no link";
  if (combines(kind)) algorithm.description += "; backwards";
  algorithm.domain =
      fmt::format("networks of at most {} nodes and {} sends, all-port", kMostNodes, kMostSends);
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (p.ports != PortModel::kAllPort) return "needs --ports all";
    if (p.graph.node_count() < 2) return "needs two nodes";
    return why_too_many(p, p.messages);
  };
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    return steps_over_trees(trees_for(p, outward(p)), p.messages);
  };
  algorithm.plan = [](const Problem& p) {
    const FlatGraph graph = outward(p);
    return schedule_of(p, "disjoint-trees",
                       broadcast_over_trees(graph, p.root, trees_for(p, graph), p.messages), false);
  };
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// Every step all packets go one node on; message after message.
Schedule round_the_cycle(const Problem& problem) {
  const FlatGraph graph = outward(problem);
  const std::vector<LinkId> cycle = hamiltonian_cycle(graph);
  const NodeId n = graph.nodes;
  std::vector<Send> sends;
  sends.reserve(std::size_t{problem.messages} * n * (n - 1));
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId step = 0; step + 1 < n; ++step) {
      for (NodeId i = 0; i < n; ++i) {
        const NodeId origin = graph.source[cycle[(i + n - step) % n]];
        sends.push_back({m * (n - 1) + step + 1, cycle[i], m * n + origin});
      }
    }
  }
  return schedule_of(problem, "hamiltonian-cycle", std::move(sends), false);
}

Algorithm cycle_algorithm(CollectiveKind kind) {
  static constexpr NodeId kMostCycleNodes = 1024;
  Algorithm algorithm;
  algorithm.name = "hamiltonian-cycle";
  algorithm.collective = kind;
  algorithm.source = "beyond the thesis";
  algorithm.description = "every packet goes round a cycle through all nodes";
  if (combines(kind)) algorithm.description += "; backwards";
  algorithm.domain =
      fmt::format("one-port, networks of at most {} nodes in which a cycle is found", kMostCycleNodes);
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (p.ports == PortModel::kAllPort) return "needs --ports one";
    const NodeId n = p.graph.node_count();
    if (n > kMostCycleNodes) return fmt::format("needs a network of at most {} nodes", kMostCycleNodes);
    if (std::string reason = why_too_many(p, std::uint64_t{n} * p.messages); !reason.empty()) return reason;
    return hamiltonian_cycle(outward(p)).empty() ? "finds no cycle through all nodes" : "";
  };
  algorithm.closed_form = [](const Problem& p) {
    return std::optional<std::uint64_t>(std::uint64_t{p.messages} * (p.graph.node_count() - 1));
  };
  algorithm.plan = round_the_cycle;
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// All nodes of a Cayley graph doing the same; packet m n + v is message m of node v.
std::vector<Send> translated_gossip(const Graph& graph, PortModel ports, std::uint32_t messages) {
  return translated_sends(graph, translated_trees(graph, ports, messages));
}

// The link back over the same edge.
void over_links_back(const Graph& graph, std::vector<Send>& sends) {
  for (Send& send : sends)
    send.link = graph.link(graph.link_target(send.link), graph.link_target_port(send.link));
}

// Scatter over a tree of shortest paths, the furthest first; a gather is that backwards.
Schedule furthest_first_tree(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "furthest-first-tree");
  const bool gathers = problem.collective == CollectiveKind::kGather;
  const NodeId n = problem.graph.node_count();
  FlatGraph graph(problem.graph);
  if (gathers) graph = turned_round(std::move(graph));
  const std::vector<std::uint32_t> distance = graph.distances_from(problem.root);
  std::vector<NodeId> order;
  std::vector<LinkId> up(n, 0);  // the link from the parent
  for (NodeId v = 0; v < n; ++v) {
    if (v == problem.root) continue;
    if (distance[v] == kUnreachable)
      throw std::invalid_argument(fmt::format("node {} cannot be reached from node {}", v, problem.root));
    order.push_back(v);
    for (std::uint32_t i = graph.first_in[v]; i < graph.first_in[v + 1]; ++i) {
      if (distance[graph.source[graph.in[i]]] + 1 == distance[v]) up[v] = graph.in[i];
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
  const std::uint32_t steps = problem.messages * (n - 1);
  std::uint32_t leaves = 0;  // the step in which a packet leaves the root; it never waits after that
  for (const NodeId destination : order) {
    for (std::uint32_t m = 0; m < problem.messages; ++m) {
      const PacketIndex packet = m * (n - 1) + destination - (destination > problem.root ? 1 : 0);
      std::uint32_t step = ++leaves + distance[destination];
      for (NodeId v = destination; v != problem.root; v = graph.source[up[v]]) {
        --step;
        schedule.sends.push_back({gathers ? steps + 1 - step : step, up[v], packet});
      }
    }
  }
  sort_sends(schedule);
  return schedule;
}

Algorithm furthest_first_algorithm(CollectiveKind kind) {
  Algorithm algorithm;
  algorithm.name = "furthest-first-tree";
  algorithm.collective = kind;
  algorithm.source = "thesis 3.3, Theorem 3.6";
  algorithm.description = kind == CollectiveKind::kScatter
                              ? "over a tree of shortest paths, the furthest first"
                              : "over a tree of shortest paths, the nearest first";
  algorithm.domain = fmt::format("one-port, at most {} sends", kMostSends);
  algorithm.why_not = [kind](const Problem& p) -> std::string {
    if (!p.tree.empty()) return "has no use for --tree";
    if (p.ports == PortModel::kAllPort) return "needs --ports one";
    const FlatGraph graph(p.graph);
    const auto distance =
        kind == CollectiveKind::kGather ? graph.distances_to(p.root) : graph.distances_from(p.root);
    if (std::accumulate(distance.begin(), distance.end(), std::uint64_t{0}) * p.messages > kMostSends)
      return fmt::format("needs at most {} sends", kMostSends);
    return {};
  };
  algorithm.closed_form = [](const Problem& p) {
    return std::optional<std::uint64_t>(std::uint64_t{p.messages} * (p.graph.node_count() - 1));
  };
  algorithm.plan = furthest_first_tree;
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// Nodes, those first from and to which the furthest are near.
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
  // The message that is the last to be reduced, in turn, is the last to be broadcast.
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
    over_links_back(problem.graph, inwards);
    for (const bool in_turn : {false, true}) keep(through_roots(problem, roots, inwards, outwards, in_turn));
  }
  // Roots near the middle have short ways, many roots have many links: one, as many as there are messages,
  // all nodes.
  const std::vector<NodeId> central = most_central(graph);
  std::vector<std::size_t> periods{1};
  for (const std::size_t period : {std::size_t{2}, std::size_t{n} / 2, std::size_t{n}}) {
    const std::size_t useful = std::min<std::size_t>(period, problem.messages);
    if (useful > periods.back()) periods.push_back(useful);
  }
  // Where that takes seconds: all nodes alone.
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
  Algorithm algorithm;
  algorithm.name = "reduce-then-broadcast";
  algorithm.collective = CollectiveKind::kAllreduce;
  algorithm.source = "beyond the thesis; many messages: reduce-scatter and allgather";
  algorithm.description = "every message is combined at a root of its own and broadcast from there";
  algorithm.domain = fmt::format("networks of at most {} nodes and {} sends", kMostNodes, kMostSends);
  algorithm.why_not = [](const Problem& p) { return why_too_many(p, std::uint64_t{2} * p.messages); };
  algorithm.closed_form = [](const Problem&) { return std::optional<std::uint64_t>(); };
  algorithm.plan = reduce_then_broadcast;
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// Neighbours of everyone: contributions go to all others directly, nothing is sent on, and all combine. The
// fewest parallel links from a node to another; 0 if some are not neighbours.
std::uint32_t links_between_all(const FlatGraph& graph) {
  if (graph.out.size() < std::size_t{graph.nodes} * (graph.nodes - 1)) return 0;
  std::uint32_t fewest = graph.nodes;
  std::vector<std::uint32_t> links(graph.nodes);
  for (NodeId v = 0; v < graph.nodes; ++v) {
    std::fill(links.begin(), links.end(), 0);
    for (std::uint32_t i = graph.first_out[v]; i < graph.first_out[v + 1]; ++i)
      ++links[graph.target[graph.out[i]]];
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
    for (std::uint32_t i = graph.first_out[v]; i < graph.first_out[v + 1]; ++i) {
      const LinkId link = graph.out[i];
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
  Algorithm algorithm;
  algorithm.name = "direct-exchange";
  algorithm.collective = CollectiveKind::kAllreduce;
  algorithm.source = "beyond the thesis";
  algorithm.description = "every node sends its contributions to all others and combines what it gets";
  algorithm.domain = fmt::format("networks of at most {} nodes, all neighbours of each other", kMostParts);
  algorithm.why_not = [](const Problem& p) -> std::string {
    const NodeId n = p.graph.node_count();
    if (n < 2 || n > kMostParts || links_between_all(FlatGraph(p.graph)) == 0)
      return fmt::format("needs 2 to {} nodes, all neighbours of each other", kMostParts);
    // Beyond that a reduction and a broadcast per message, all roots sharing the links, are better.
    if (p.messages > n) return fmt::format("needs --messages {} or fewer, as many as nodes", n);
    return why_too_many(p, std::uint64_t{n} * p.messages);
  };
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    if (p.messages > 1) return std::nullopt;  // no promise to prefer it by: for many there are better ways
    return p.ports == PortModel::kAllPort ? 1 : p.graph.node_count() - std::uint64_t{1};
  };
  algorithm.plan = direct_exchange;
  algorithm.knows_messages = true;
  algorithm.knows_one_way = true;
  return algorithm;
}

// Lines of a product along a dimension, with other networks as single dimension: every line's nodes in the
// order of the factor's.
struct Dimension {
  const Graph* factor = nullptr;
  std::vector<std::vector<NodeId>> lines;
};

std::vector<Dimension> dimensions_of(const Graph& graph) {
  const NodeId n = graph.node_count();
  std::vector<Dimension> dimensions;
  if (graph.factors().empty()) {
    std::vector<NodeId> all(n);
    std::iota(all.begin(), all.end(), NodeId{0});
    dimensions.push_back({&graph, {all}});
    return dimensions;
  }
  NodeId stride = n;
  for (const Graph& factor : graph.factors()) {
    const NodeId size = factor.node_count();
    stride /= size;
    Dimension dimension{&factor, {}};
    for (NodeId v = 0; v < n; ++v) {
      if (v / stride % size != 0) continue;
      std::vector<NodeId> line;
      for (NodeId i = 0; i < size; ++i) line.push_back(v + i * stride);
      dimension.lines.push_back(std::move(line));
    }
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

// The lowest port of a product's node for a port of a factor's node: dimensions have their ports in a row.
PortId first_port(const Graph& graph, std::size_t dimension, NodeId v) {
  if (graph.factors().empty()) return 0;
  const std::vector<NodeId> coordinates = graph.coordinates(v);
  PortId port = 0;
  for (std::size_t d = 0; d < dimension; ++d) port += graph.factors()[d].degree(coordinates[d]);
  return port;
}

// An allreduce by multinode broadcasts along all dimensions in turn; message m begins with dimension m.
Schedule by_dimensions(const Problem& problem, const std::string& name,
                       const std::vector<Dimension>& dimensions) {
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
      const std::size_t d = (group + round) % count;
      const Graph& factor = *dimensions[d].factor;
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
      for (const std::vector<NodeId>& line : dimensions[d].lines) {
        std::vector<PortId> port(size);
        for (NodeId i = 0; i < size; ++i) port[i] = first_port(graph, d, line[i]);
        for (const Send& send : sends) {
          const NodeId from = factor.link_source(send.link);
          const std::uint32_t m = group + send.packet / size * count;
          schedule.sends.push_back({begin + send.start,
                                    graph.link(line[from], port[from] + factor.link_port(send.link)),
                                    held[std::size_t{m} * n + line[send.packet % size]]});
        }
      }
      for (std::uint32_t k = 0; k < in_group; ++k) {
        PacketIndex* const of_message = &held[std::size_t{group + k * count} * n];
        for (const std::vector<NodeId>& line : dimensions[d].lines) {
          std::vector<PacketIndex> parts;
          for (const NodeId v : line) parts.push_back(of_message[v]);
          for (const NodeId v : line) {
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
  Algorithm algorithm;
  algorithm.name = by_dimension ? "dimension-by-dimension" : "combine-everywhere";
  algorithm.collective = CollectiveKind::kAllreduce;
  algorithm.source = "beyond the thesis";
  algorithm.description = by_dimension
                              ? "combine-everywhere along each dimension in turn; not for tdm_nodes"
                              : "every node gets every contribution and combines them; not for tdm_nodes "
                                "where packets are sent on";
  algorithm.domain = fmt::format("{} of at most {} nodes and {} sends",
                                 by_dimension ? "products" : "networks", kMostNodes, kMostSends);
  algorithm.why_not = [by_dimension](const Problem& p) -> std::string {
    if (by_dimension && p.graph.factors().empty()) return "needs a product";
    std::uint64_t each = by_dimension ? 0 : p.graph.node_count();
    for (const Graph& factor : p.graph.factors()) each += by_dimension ? factor.node_count() : 0;
    return why_too_many(p, each * p.messages);
  };
  algorithm.closed_form = [](const Problem&) { return std::optional<std::uint64_t>(); };
  algorithm.chosen_by_name_only = true;
  algorithm.plan = [by_dimension, name = algorithm.name](const Problem& p) {
    if (by_dimension) return by_dimensions(p, name, dimensions_of(p.graph));
    std::vector<NodeId> all(p.graph.node_count());
    std::iota(all.begin(), all.end(), NodeId{0});
    return by_dimensions(p, name, {{&p.graph, {all}}});
  };
  algorithm.knows_messages = true;
  algorithm.knows_one_way = !by_dimension;
  return algorithm;
}

}  // namespace

std::vector<Algorithm> general_collective_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind kind :
       {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation})
    list.push_back(cycle_algorithm(kind));
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kMultinodeBroadcast,
                                    CollectiveKind::kReduction, CollectiveKind::kMultinodeAccumulation})
    list.push_back(rarest_first_algorithm(kind));
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduction})
    list.push_back(disjoint_trees_algorithm(kind));
  for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather})
    list.push_back(furthest_first_algorithm(kind));
  list.push_back(direct_exchange_algorithm());
  list.push_back(reduce_then_broadcast_algorithm());
  for (const bool by_dimension : {false, true}) list.push_back(everywhere_algorithm(by_dimension));
  return list;
}

}  // namespace safnet
