#include "cpp_model/algorithm/exchange/priority_rules.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/algorithm/tools/shuffle.hpp"

namespace safnet {
namespace {

// How the rules' variants differ from the rules.
struct Variation {
  NextHop next_hop = NextHop::kLowestPort;
  bool own_order_per_node = false;  ///< each node queues its own packets in another, random order
};

Policy rule_policy(const Problem& problem, PriorityRule rule, Variation variation) {
  const Graph graph = problem.graph;
  const auto routes = std::make_shared<const ShortestPathRoutes>(graph, variation.next_hop);
  const std::uint32_t longest = routes->longest();
  const auto rank = [rule, longest](std::uint32_t hops, bool local) {
    return priority_rank(rule, hops, longest, local);
  };
  Policy policy;
  policy.label_count = graph.node_count();
  policy.host_packets = graph.node_count() - 1;
  policy.rank_levels = std::max<std::uint32_t>(2, longest);
  policy.conflict_free = graph.translations().has_value();  // Lemma 4.8
  policy.queue_bound = routes->largest_link_load();
  policy.table = [routes, rank](NodeId v, Label destination) {
    TableEntry entry;
    if (v == destination) {
      entry.deliver = true;
    } else {
      entry.output_mask = std::uint64_t{1} << routes->next_port(v, destination);
      entry.rank = rank(routes->distance(v, destination), false);
    }
    return entry;
  };
  policy.injections = [graph, routes, rank, variation](NodeId v) {
    // The same order at every node, as the translations (or the numbering) see it; furthest first.
    std::vector<Injection> packets;
    for (NodeId offset = 1; offset < graph.node_count(); ++offset) {
      const NodeId destination = graph.translations()
                                     ? graph.translations()->apply(v, offset)
                                     : static_cast<NodeId>((std::uint64_t{v} + offset) % graph.node_count());
      packets.push_back({destination, destination, rank(routes->distance(v, destination), true)});
    }
    std::stable_sort(packets.begin(), packets.end(), [&](const Injection& a, const Injection& b) {
      return routes->distance(v, a.label) > routes->distance(v, b.label);
    });
    if (variation.own_order_per_node) {
      std::mt19937_64 random(v);
      shuffle(packets, random);
    }
    return packets;
  };
  return policy;
}

std::optional<std::uint64_t> rule_closed_form(const Problem& problem, PriorityRule rule) {
  const Graph& graph = problem.graph;
  if (problem.ports != PortModel::kAllPort) {
    if (graph.translations()) return graph.status(0);  // Theorem 4.11
    return std::nullopt;
  }
  if (const std::uint64_t n = linear_array_length(graph); n != 0) {
    // Theorem 4.3; first in, first out does as well from queues sorted furthest-first.
    if (rule == PriorityRule::kFurthestFirst || rule == PriorityRule::kMessageShift)
      return (n * n - 1 + 3) / 4;
    return std::nullopt;
  }
  if (const std::uint64_t n = ring_length(graph); n != 0) {
    return n % 2 == 1 ? (n * n - 1) / 8 : n * (n + 2) / 8;  // Theorem 4.5; 4.3.2
  }
  return std::nullopt;
}

Algorithm rule_algorithm(std::string name, PriorityRule rule, std::string description,
                         Variation variation = {}) {
  return {
      .name = std::move(name),
      .collective = CollectiveKind::kTotalExchange,
      .source = "thesis 4.2, Theorem 4.3; 4.3.1, Theorem 4.5; 4.4, Theorem 4.11",
      .description = std::move(description),
      .domain = variation.own_order_per_node ? "rings of an odd number of nodes, all-port" : "any network",
      .why_not = [variation](const Problem& p) -> std::string {
        if (!p.tree.empty()) return "has no use for --tree";
        if (!variation.own_order_per_node) return {};
        if (p.ports != PortModel::kAllPort) return "needs --ports all";
        if (ring_length(p.graph) % 2 == 0) return "needs a ring of an odd number of nodes";
        return {};
      },
      .policy = [rule, variation](const Problem& p) { return rule_policy(p, rule, variation); },
      .closed_form = [rule](const Problem& p) { return rule_closed_form(p, rule); },
      .knows_one_way = true};
}

// Every packet travels clockwise, whichever way is shorter (thesis 4.1.1, 4.3, on [60]); first in, first out,
// a node's own packets, furthest first, there from the start.
Policy rotation_policy(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  Policy policy;
  policy.label_count = n;
  policy.host_packets = n - 1;
  policy.rank_levels = 2;
  policy.conflict_free = true;
  policy.queue_bound = std::uint64_t{n} * (n - 1) / 2;
  policy.table = [n](NodeId v, Label destination) {
    TableEntry entry;
    if (v == destination) {
      entry.deliver = true;
    } else {
      entry.output_mask = 1;
      entry.rank = priority_rank(PriorityRule::kMessageShift, 1, 1, false);
    }
    return entry;
  };
  policy.injections = [n](NodeId v) {
    std::vector<Injection> packets;
    for (NodeId hops = n - 1; hops > 0; --hops) {
      const NodeId destination = (v + hops) % n;
      packets.push_back({destination, destination, priority_rank(PriorityRule::kMessageShift, 1, 1, true)});
    }
    return packets;
  };
  return policy;
}

Algorithm rotation() {
  return {.name = "one-way-rotation",
          .collective = CollectiveKind::kTotalExchange,
          .source = "thesis 4.1.1, 4.3, on [60]",
          .description = "all packets clockwise around the ring, whichever way is shorter",
          .domain = "rings",
          .why_not = [](const Problem& p) -> std::string {
            if (!p.tree.empty()) return "has no use for --tree";
            return ring_length(p.graph) == 0 ? "needs a ring" : "";
          },
          .policy = rotation_policy,
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const std::uint64_t n = p.graph.node_count();
            return n * (n - 1) / 2;
          },
          .chosen_by_name_only = true};
}

}  // namespace

std::uint32_t priority_rank(PriorityRule rule, std::uint32_t hops, std::uint32_t longest, bool local) {
  switch (rule) {
    case PriorityRule::kFurthestFirst:
      return longest - hops;
    case PriorityRule::kClosestFirst:
      return hops - 1;
    case PriorityRule::kMessageShift:
      return local ? 0 : 1;
    case PriorityRule::kTransitFirst:
      return local ? 1 : 0;
  }
  return 0;
}

NodeId linear_array_length(const Graph& graph) {
  const bool one_dimension =
      graph.family() == "linear" || (graph.family() == "mesh" && graph.factors().size() == 1);
  return one_dimension ? graph.node_count() : 0;
}
NodeId ring_length(const Graph& graph) {
  const bool one_dimension =
      graph.family() == "ring" || (graph.family() == "torus" && graph.factors().size() == 1);
  return one_dimension ? graph.node_count() : 0;
}

std::vector<Algorithm> priority_rule_algorithms() {
  return {
      rule_algorithm("furthest-first", PriorityRule::kFurthestFirst,
                     "the packet with the most hops to go leaves first"),
      rule_algorithm("message-shift", PriorityRule::kMessageShift,
                     "first in, first out; a node's own packets, furthest first, are queued from the start"),
      rule_algorithm("closest-first", PriorityRule::kClosestFirst,
                     "the packet with the fewest hops to go leaves first"),
      rule_algorithm("transit-first", PriorityRule::kTransitFirst,
                     "what has just arrived leaves before anything of the node's own"),
      rule_algorithm("message-shift-highest-port", PriorityRule::kMessageShift,
                     "message-shift over routes that cross the highest dimension, by the highest port, first",
                     {NextHop::kHighestPort, false}),
      rule_algorithm("message-shift-any-order", PriorityRule::kMessageShift,
                     "message-shift from queues that every node has filled in a random order of its own",
                     {NextHop::kLowestPort, true}),
      rotation()};
}

}  // namespace safnet
