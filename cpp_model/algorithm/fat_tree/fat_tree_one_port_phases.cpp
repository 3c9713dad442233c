#include "cpp_model/algorithm/fat_tree/fat_tree_one_port_phases.hpp"

#include <algorithm>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::string why_no_phases(const Problem& problem) {
  if (!problem.tree.empty()) return "has no use for --tree";
  if (!fat_tree_shape(problem.graph)) return "needs a fat tree";
  return problem.ports == PortModel::kOnePortSend ? "" : "needs --ports one-send";
}

// Most packets that ever cross one link: one of every leaf on one side of it, or, personal ones, one of every
// leaf there for every leaf on the other side.
std::uint64_t largest_link_load(const FatTree& tree, bool personal) {
  std::uint64_t largest = 1;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t inside = tree.leaves_below(i - 1), outside = tree.leaves() - inside;
    const std::uint64_t branch = personal ? inside * outside : std::max(inside, outside);
    largest = std::max(largest, divide_up(branch, tree.capacity(i)));
  }
  return largest;
}

// How a router treats broadcast packets.
enum class Routing : std::uint8_t {
  kPhases,                // phase B in the order of arrival
  kPhasesOwnNext,         // phase B: packets from below before those from the parent
  kPhasesAboveNext,       // the other way round
  kPhasesRotated,         // as kPhases, but every packet is copied to another child first
  kFirstComeFirstServed,  // no phases: packets in the order of arrival, to the parent, then to the children
  kChildrenFirst,         // the same, but to the parent last
};

TableEntry broadcast_entry(const FatTree& tree, Routing routing, NodeId v, NodeId origin) {
  TableEntry entry = entry_away_from_leaf(tree, v, origin);
  const std::uint32_t level = tree.level_of(v);
  if (level == 0 || routing == Routing::kFirstComeFirstServed) return entry;
  if (routing == Routing::kChildrenFirst) {
    entry.service_order = ports_to_children(tree, v);
    return entry;
  }
  if (routing == Routing::kPhasesRotated) {
    std::vector<PortId> order = ports_to_children(tree, v);
    const auto first = tree.down_port(level, origin % tree.arity(level));
    std::rotate(order.begin(), order.begin() + first, order.end());
    entry.service_order.insert(entry.service_order.end(), order.begin(), order.end());
  }
  const std::uint32_t own = routing == Routing::kPhasesAboveNext ? 2 : 1;
  const std::uint32_t from_above = routing == Routing::kPhasesOwnNext ? 2 : 1;
  const bool from_below = tree.above(origin, level) == v;
  if (!from_below) {
    entry.rank = from_above;
  } else if (v == tree.root()) {
    entry.rank = own;
  } else {
    entry.rest_rank = own;
  }
  return entry;
}

Policy multinode_broadcast_policy(const Problem& problem, Routing routing) {
  const FatTree tree = *fat_tree_shape(problem.graph);
  Policy policy;
  policy.label_count = tree.leaves();
  policy.rank_levels = 3;
  policy.deals_links = !tree.has_constant_capacities();
  policy.rest_ranks = routing != Routing::kFirstComeFirstServed && routing != Routing::kChildrenFirst;
  policy.queue_bound = largest_link_load(tree, false);
  policy.table = [tree, routing](NodeId v, Label origin) {
    return broadcast_entry(tree, routing, v, origin);
  };
  policy.injections = [tree](NodeId v) {
    return v < tree.leaves() ? std::vector<Injection>{{v, 0, 0}} : std::vector<Injection>{};
  };
  return policy;
}

// Theorem 6.3 with arities that differ. A node of level i < h makes n k_i transmissions and has the first
// packet after step i; the root n (k_h - 1). The last packet to leave it is copied at all levels below.
std::uint64_t multinode_broadcast_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves();
  const std::uint32_t h = tree.height();
  std::uint64_t largest = 0, copied_below = 0;
  for (std::uint32_t i = 1; i <= h; ++i) {
    const std::uint64_t own = n * (i < h ? tree.arity(i) : tree.arity(i) - 1);
    largest = std::max(largest, own + i + copied_below);
    copied_below += tree.arity(i);
  }
  return largest;
}

Algorithm multinode_broadcast(std::string name, std::string description, Routing routing) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = "thesis 6.2.3, Fig. 6.6, Theorem 6.5",
          .description = std::move(description),
          .domain = "fat trees, one-port-send",
          .why_not = why_no_phases,
          .policy = [routing](const Problem& p) { return multinode_broadcast_policy(p, routing); },
          // Nothing is promised of the others; some are slower.
          .closed_form = [routing](const Problem& p) -> std::optional<std::uint64_t> {
            if (routing != Routing::kPhases) return std::nullopt;
            return multinode_broadcast_steps(*fat_tree_shape(p.graph));
          },
          .chosen_by_name_only = routing != Routing::kPhases,
          .knows_routers = true};
}

// In which order a leaf injects its packets: by the digits that are added to its own, so that at any time all
// leaves send equally far and, below every router, to different children; or by destination.
enum class Order : std::uint8_t { kFurthestFirst, kNearestFirst, kAscending };

// What a router sends first: no matter which, its packets in the order of arrival.
enum class First : std::uint8_t { kToParent, kToChildren, kAny };

Policy total_exchange_policy(const Problem& problem, Order order, First first) {
  const FatTree tree = *fat_tree_shape(problem.graph);
  Policy policy;
  policy.label_count = tree.leaves();
  policy.rank_levels = 2;
  policy.deals_links = !tree.has_constant_capacities();
  policy.host_packets = tree.leaves() - 1;
  policy.queue_bound = largest_link_load(tree, true);
  policy.table = [tree, first](NodeId v, Label leaf) {
    TableEntry entry = entry_towards_leaf(tree, v, leaf);
    const bool upwards = tree.above(leaf, tree.level_of(v)) != v;
    if (first != First::kAny) entry.rank = upwards == (first == First::kToChildren) ? 1 : 0;
    return entry;
  };
  policy.injections = [tree, order](NodeId v) {
    std::vector<Injection> packets;
    if (v >= tree.leaves()) return packets;
    const NodeId n = tree.leaves();
    for (NodeId i = 1; i < n; ++i) {
      const NodeId leaf = order == Order::kAscending
                              ? (i <= v ? i - 1 : i)
                              : sum_of_digits(tree, v, order == Order::kFurthestFirst ? n - i : i);
      packets.push_back({leaf, leaf, 0});
    }
    return packets;
  };
  return policy;
}

Algorithm total_exchange(std::string name, std::string description, Order order, First first) {
  Algorithm algorithm;
  algorithm.name = std::move(name);
  algorithm.collective = CollectiveKind::kTotalExchange;
  algorithm.source = "thesis 6.2.4, Fig. 6.8, Theorem 6.8";
  algorithm.description = std::move(description);
  algorithm.domain = "fat trees, one-port-send";
  algorithm.why_not = why_no_phases;
  algorithm.policy = [order, first](const Problem& p) { return total_exchange_policy(p, order, first); };
  algorithm.chosen_by_name_only = first != First::kToParent || order != Order::kFurthestFirst;
  algorithm.closed_form =
      [published = !algorithm.chosen_by_name_only](const Problem& p) -> std::optional<std::uint64_t> {
    if (!published) return std::nullopt;
    return fat_tree_one_port_exchange_steps(*fat_tree_shape(p.graph));
  };
  algorithm.knows_routers = true;
  return algorithm;
}

}  // namespace

std::uint64_t fat_tree_one_port_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves();
  const std::uint32_t h = tree.height();
  std::uint64_t largest = 0;
  for (std::uint32_t i = 1; i <= h; ++i) {
    const std::uint64_t below = tree.leaves_below(i), below_child = tree.leaves_below(i - 1);
    largest = std::max(largest, below * (2 * n - below_child - below) + 2 * i - 1);
  }
  return largest;
}

std::vector<Algorithm> fat_tree_phase_algorithms() {
  return {
      multinode_broadcast("parent-first",
                          "routers send packets from below to their parent first, then everything to their "
                          "children, in the order of arrival",
                          Routing::kPhases),
      multinode_broadcast("parent-first-own-next",
                          "parent-first, then packets from below before those from above",
                          Routing::kPhasesOwnNext),
      multinode_broadcast("parent-first-above-next",
                          "parent-first, then packets from above before those from below",
                          Routing::kPhasesAboveNext),
      multinode_broadcast("parent-first-rotated", "parent-first, every packet to another child first",
                          Routing::kPhasesRotated),
      multinode_broadcast("first-come-first-served",
                          "packets in the order of arrival, each to the parent, then to the children",
                          Routing::kFirstComeFirstServed),
      multinode_broadcast("children-first",
                          "packets in the order of arrival, each to the children, then to the parent",
                          Routing::kChildrenFirst),
      total_exchange("parent-first",
                     "leaves send furthest-first, routers to their parent first, then to their children in "
                     "the order of arrival",
                     Order::kFurthestFirst, First::kToParent),
      total_exchange("parent-first-nearest", "parent-first, but leaves send nearest-first",
                     Order::kNearestFirst, First::kToParent),
      total_exchange("parent-first-ascending", "parent-first, but leaves send to leaf 0, 1, ...",
                     Order::kAscending, First::kToParent),
      total_exchange("first-come-first-served", "leaves send furthest-first, routers in the order of arrival",
                     Order::kFurthestFirst, First::kAny),
      total_exchange("children-first",
                     "leaves send furthest-first, routers to their children first, then to their parent",
                     Order::kFurthestFirst, First::kToChildren)};
}

}  // namespace safnet
