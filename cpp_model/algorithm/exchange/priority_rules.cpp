#include "cpp_model/algorithm/exchange/priority_rules.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// How a variant differs from its rule.
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
      entry.output_mask = port_bit(routes->next_port(v, destination));
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
    std::ranges::stable_sort(packets, std::greater(),
                             [&](const Injection& packet) { return routes->distance(v, packet.label); });
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
    if (rule == PriorityRule::kFurthestFirst || rule == PriorityRule::kMessageShift) return quarter_square(n);
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

// Labels are destinations, plus n for packets that travel counterclockwise.
struct RingLabels {
  NodeId n;
  bool one_way;  ///< all clockwise, whichever way is shorter; otherwise by parity half-way round
  // Hops of a label from v to its destination, in its direction.
  NodeId hops(NodeId v, Label label) const {
    return label < n ? (label + n - v) % n : (v + n - (label - n)) % n;
  }
  Label label(NodeId source, NodeId destination) const {
    const NodeId clockwise = (destination + n - source) % n;
    const bool goes_clockwise = one_way || 2 * clockwise < n || (2 * clockwise == n && source % 2 == 0);
    return goes_clockwise ? destination : destination + n;
  }
};

// `closest_queued`: the node's own packets are queued closest first, not furthest first as published.
Policy ring_policy(const Problem& problem, PriorityRule rule, bool one_way, bool closest_queued) {
  const RingLabels ring{problem.graph.node_count(), one_way};
  const NodeId longest = one_way ? ring.n - 1 : ring.n / 2;
  const PortId counterclockwise = problem.graph.max_degree() - 1;  // ring:2 has one port only
  const auto rank = [rule, longest](NodeId hops, bool local) {
    return priority_rank(rule, hops, longest, local);
  };
  Policy policy;
  policy.label_count = one_way ? ring.n : 2 * ring.n;
  policy.host_packets = ring.n - 1;
  policy.rank_levels = std::max<std::uint32_t>(2, longest);
  policy.conflict_free = true;
  policy.queue_bound = std::uint64_t{longest} * (longest + 1) / 2;
  policy.table = [ring, longest, counterclockwise, rank](NodeId v, Label label) {
    TableEntry entry;
    const NodeId hops = ring.hops(v, label);
    if (hops == 0) {
      entry.deliver = true;
    } else if (hops <= longest) {
      entry.output_mask = port_bit(label < ring.n ? 0 : counterclockwise);
      entry.rank = rank(hops, false);
    }
    return entry;
  };
  policy.injections = [ring, rank, closest_queued](NodeId v) {
    std::vector<Injection> packets;
    for (NodeId offset = 1; offset < ring.n; ++offset) {
      const NodeId destination = (v + offset) % ring.n;
      const Label label = ring.label(v, destination);
      packets.push_back({label, destination, rank(ring.hops(v, label), true)});
    }
    std::stable_sort(packets.begin(), packets.end(), [&](const Injection& a, const Injection& b) {
      const NodeId hops_a = ring.hops(v, a.label), hops_b = ring.hops(v, b.label);
      return closest_queued ? hops_a < hops_b : hops_a > hops_b;
    });
    return packets;
  };
  return policy;
}

Algorithm parity_algorithm(std::string name, PriorityRule rule, std::string description,
                           bool closest_queued = false) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = "thesis 4.3.2, Theorem 4.6",
          .description = std::move(description),
          .domain = "rings of an even number of nodes, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
            const NodeId n = ring_length(p.graph);
            return n == 0 || n % 2 != 0 ? "needs a ring of an even number of nodes" : "";
          },
          .policy = [rule, closest_queued](
                        const Problem& p) { return ring_policy(p, rule, false, closest_queued); },
          .closed_form = [rule, closest_queued](const Problem& p) -> std::optional<std::uint64_t> {
            const std::uint64_t n = p.graph.node_count();
            const std::uint64_t optimum = eighth_square(n);
            // The thesis gives no times for other orders than its own; these two are measured.
            if (closest_queued) return n % 4 == 0 ? optimum + 1 : optimum;
            return rule == PriorityRule::kClosestFirst ? optimum + n / 4 : optimum;
          }};
}

// Thesis 4.1.1, 4.3, on [60]; first in, first out, a node's own packets, furthest first, there from the
// start.
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
          .policy =
              [](const Problem& p) {
                Policy policy = ring_policy(p, PriorityRule::kMessageShift, true, false);
                policy.rank_levels = 2;
                return policy;
              },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const std::uint64_t n = p.graph.node_count();
            return n * (n - 1) / 2;
          },
          .chosen_by_name_only = true};
}

// The total exchange whose tables serve this problem.
Problem total_exchange_of(const Problem& problem) {
  Problem whole = problem;
  whole.collective = CollectiveKind::kTotalExchange;
  whole.active.clear();
  return whole;
}

Algorithm routed(const std::string& name, const std::string& description) {
  return {.name = name,
          .collective = CollectiveKind::kPartialExchange,
          .source = "beyond the thesis",
          .description = description,
          .domain = "any network, on-line",
          .why_not = [](const Problem& problem) -> std::string {
            if (!problem.tree.empty()) return "has no use for --tree";
            return problem.active.empty() ? "needs --active" : "";
          },
          .policy =
              [name](const Problem& problem) {
                const Problem whole = total_exchange_of(problem);
                Policy policy = find_algorithm(whole, name).policy(whole);
                policy.injections.round = [all = policy.injections.round, active = problem.active](NodeId v) {
                  return std::binary_search(active.begin(), active.end(), v) ? all(v)
                                                                             : std::vector<Injection>{};
                };
                policy.conflict_free = false;  // only a total exchange keeps all nodes in step
                return policy;
              },
          .knows_messages = true};
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
      parity_algorithm(
          "parity-message-shift", PriorityRule::kMessageShift,
          "first in, first out; half-way packets of even nodes clockwise, of odd nodes counterclockwise"),
      parity_algorithm("parity-furthest-first", PriorityRule::kFurthestFirst,
                       "the same directions, the packet with the most hops to go first"),
      parity_algorithm("parity-closest-first", PriorityRule::kClosestFirst,
                       "the same directions, the packet with the fewest hops to go first"),
      parity_algorithm("parity-shift-closest-queued", PriorityRule::kMessageShift,
                       "parity-message-shift from queues that hold the closest packets first", true),
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

std::vector<Algorithm> routed_partial_exchange_algorithms() {
  return {routed("furthest-first", "shortest paths; the packet with the most hops to go leaves first"),
          routed("transit-first",
                 "shortest paths; what has just arrived leaves before anything of the node's own")};
}

}  // namespace safnet
