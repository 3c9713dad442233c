#include "cpp_model/algorithm/fat_tree/fat_tree_one_port_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <queue>
#include <tuple>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::string why_no_phases(const Problem& problem) {
  return why_not_fat_tree(problem, problem.ports == PortModel::kOnePortSend, "one-send");
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
  const FatTree tree = shape_of(problem);
  Policy policy = one_packet_each(tree);
  policy.rank_levels = 3;
  policy.rest_ranks = routing != Routing::kFirstComeFirstServed && routing != Routing::kChildrenFirst;
  policy.queue_bound = largest_link_load(tree, false);
  policy.table = [tree, routing](NodeId v, Label origin) {
    return broadcast_entry(tree, routing, v, origin);
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
          .closed_form = [](const Problem& p) { return multinode_broadcast_steps(shape_of(p)); },
          .knows_routers = true};
}

// All leaves but one, in the reverse order of leaves_in_digit_order().
std::vector<NodeId> nearest_first(const FatTree& tree, NodeId leaf) {
  std::vector<NodeId> list = leaves_in_digit_order(tree, leaf);
  std::ranges::reverse(list);
  return list;
}

// What a router sends first; kAny: neither, all packets leave in the order of arrival.
enum class First : std::uint8_t { kToParent, kToChildren, kAny };

// A leaf injects its packets by the digits that are added to its own, so that at any time all leaves send
// equally far and, below every router, to different children; or by destination.
Policy total_exchange_policy(const Problem& problem, const LeafOrder& order, First first) {
  const FatTree tree = shape_of(problem);
  Policy policy = personal_policy(tree, order);
  policy.rank_levels = 2;
  policy.queue_bound = largest_link_load(tree, true);
  policy.table = [tree, first](NodeId v, Label leaf) {
    TableEntry entry = entry_towards_leaf(tree, v, leaf);
    const bool upwards = tree.above(leaf, tree.level_of(v)) != v;
    if (first != First::kAny) entry.rank = upwards == (first == First::kToChildren) ? 1 : 0;
    return entry;
  };
  return policy;
}

// Theorem 6.6, with what it leaves out. A node of level i < h sends N_i (2n - N_(i-1) - N_i) packets from
// step i + 1 on, the last of them i hops from its leaf; the root n (n - N_(h-1)).
std::uint64_t total_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves();
  const std::uint32_t h = tree.height();
  std::uint64_t largest = 0;
  for (std::uint32_t i = 1; i <= h; ++i) {
    const std::uint64_t below = tree.leaves_below(i), below_child = tree.leaves_below(i - 1);
    largest = std::max(largest, below * (2 * n - below_child - below) + 2 * i - 1);
  }
  return largest;
}

Algorithm total_exchange(std::string name, std::string description, const LeafOrder& order, First first) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = "thesis 6.2.4, Fig. 6.8, Theorem 6.8",
          .description = std::move(description),
          .domain = "fat trees, one-port-send",
          .why_not = why_no_phases,
          .policy = [order, first](const Problem& p) { return total_exchange_policy(p, order, first); },
          .closed_form = [](const Problem& p) { return total_exchange_steps(shape_of(p)); },
          .knows_routers = true};
}

// Nothing is promised of what differs from what is published; some are slower.
Algorithm varied(Algorithm algorithm) {
  algorithm.closed_form = Algorithm().closed_form;
  algorithm.chosen_by_name_only = true;
  return algorithm;
}

constexpr std::uint32_t kMaxRanks = 4096;
constexpr std::uint64_t kMaxLabels = 131072;

// One label per packet: source * leaves + destination.
struct PacketLabel {
  NodeId leaves;
  Label of(NodeId source, NodeId destination) const { return source * leaves + destination; }
  NodeId destination(Label label) const { return label % leaves; }
  NodeId source(Label label) const { return label / leaves; }
};

// The ranks that packets have at the routers that they pass.
class Turns {
 public:
  explicit Turns(const FatTree& tree)
      : tree_(tree), label_{tree.leaves()}, queues_(tree.node_count()), came_(tree.node_count()) {
    ranks_.resize(std::size_t{tree.leaves()} * tree.leaves());
    for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf) {
      for (const NodeId destination : leaves_in_digit_order(tree, leaf))
        push(leaf, 0, label_.of(leaf, destination));
    }
    while (waiting_ != 0) advance();
  }

  /// 0 on the way up, 1 + the number of packets before it for the same child on the way down.
  std::uint32_t rank(NodeId router, Label label) const {
    const std::size_t at = index_on_way(router, label);
    return at < ranks_[label].size() ? ranks_[label][at] : 0;
  }
  std::uint32_t largest_rank() const { return largest_; }

 private:
  static constexpr std::size_t kNotOnWay = ~std::size_t{0};
  using Key = std::tuple<std::uint32_t, std::uint64_t, Label>;  // rank, arrival, packet
  using Queue = std::priority_queue<Key, std::vector<Key>, std::greater<>>;

  // Only the way down has ranks: at the turning router, the one below it, ...
  std::size_t index_on_way(NodeId router, Label label) const {
    const NodeId source = label_.source(label), destination = label_.destination(label);
    const std::uint32_t level = tree_.level_of(router);
    if (source == destination || level == 0 || tree_.above(destination, level) != router) return kNotOnWay;
    const std::uint32_t turn = tree_.turning_level(source, destination);
    return level > turn ? kNotOnWay : turn - level;
  }

  void push(NodeId node, std::uint32_t rank, Label label) {
    queues_[node].emplace(rank, arrivals_++, label);
    ++waiting_;
  }

  void arrive(NodeId router, Label label) {
    const NodeId destination = label_.destination(label);
    const std::uint32_t level = tree_.level_of(router);
    if (level == 0) return;
    std::uint32_t rank = 0;
    if (tree_.above(destination, level) == router) {
      std::vector<std::uint32_t>& came = came_[router];
      came.resize(tree_.arity(level));
      rank = 1 + came[tree_.child_number(tree_.above(destination, level - 1))]++;
      ranks_[label].push_back(rank);
      largest_ = std::max(largest_, rank);
    }
    push(router, rank, label);
  }

  void advance() {
    struct Arrival {
      NodeId to, from;
      Label label;
    };
    std::vector<Arrival> arrivals;
    for (NodeId v = 0; v < tree_.node_count(); ++v) {
      if (queues_[v].empty()) continue;
      const Label label = std::get<2>(queues_[v].top());
      queues_[v].pop();
      --waiting_;
      const NodeId destination = label_.destination(label);
      const std::uint32_t level = tree_.level_of(v);
      const bool down = level > 0 && tree_.above(destination, level) == v;
      arrivals.push_back({down ? tree_.above(destination, level - 1) : tree_.parent(v), v, label});
    }
    // Lower input ports first: the children from the left, then the parent, as their numbers are.
    std::ranges::sort(arrivals, {}, [](const Arrival& a) { return std::pair(a.to, a.from); });
    for (const Arrival& a : arrivals) arrive(a.to, a.label);
  }

  FatTree tree_;
  PacketLabel label_;
  std::vector<Queue> queues_;
  std::vector<std::vector<std::uint32_t>> came_;   // per router and child
  std::vector<std::vector<std::uint32_t>> ranks_;  // per packet, at the routers of its way down
  std::uint64_t arrivals_ = 0, waiting_ = 0;
  std::uint32_t largest_ = 0;
};

std::uint64_t most_packets_for_a_child(const FatTree& tree) {
  std::uint64_t most = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t inside = tree.leaves_below(i - 1);
    most = std::max(most, inside * (tree.leaves() - inside));
  }
  return most;
}

std::string why_no_turns(const Problem& problem) {
  if (std::string reason = why_no_phases(problem); !reason.empty()) return reason;
  const FatTree tree = shape_of(problem);
  const std::uint64_t labels = std::uint64_t{tree.leaves()} * tree.leaves();
  const std::uint64_t ranks = most_packets_for_a_child(tree) + 1;
  if (labels > kMaxLabels || ranks > kMaxRanks)
    return fmt::format("needs {} labels and {} ranks; expected at most {} and {}", labels, ranks, kMaxLabels,
                       kMaxRanks);
  return {};
}

Policy turns_policy(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  const auto turns = std::make_shared<const Turns>(tree);
  const PacketLabel label{tree.leaves()};
  Policy policy = personal_policy(tree, leaves_in_digit_order);
  policy.label_count = tree.leaves() * tree.leaves();
  policy.rank_levels = turns->largest_rank() + 1;
  policy.queue_bound = most_packets_for_a_child(tree);
  policy.table = [tree, turns, label](NodeId v, Label l) {
    const NodeId source = label.source(l), destination = label.destination(l);
    const std::uint32_t level = tree.level_of(v);
    const bool on_way = source != destination && level <= tree.turning_level(source, destination) &&
                        (tree.above(source, level) == v || tree.above(destination, level) == v);
    if (!on_way) return TableEntry{};
    TableEntry entry = entry_towards_leaf(tree, v, destination);
    entry.rank = turns->rank(v, l);
    return entry;
  };
  policy.injections = [all = policy.injections, label](NodeId v) {
    std::vector<Injection> packets = all(v);
    for (Injection& packet : packets) packet.label = label.of(v, packet.tag);
    return packets;
  };
  return policy;
}

Algorithm in_turns() {
  Algorithm algorithm = total_exchange(
      "parent-first-in-turns",
      "leaves send furthest-first, routers to their parent first, then to their children in turn, without "
      "those that nothing waits for",
      leaves_in_digit_order, First::kToParent);
  algorithm.domain = "fat trees of at most 362 leaves and 4095 packets per branch, one-port-send";
  algorithm.why_not = why_no_turns;
  algorithm.policy = turns_policy;
  algorithm.chosen_by_name_only = true;  // the order of arrival does as well, with fewer labels and ranks
  return algorithm;
}

}  // namespace

std::vector<Algorithm> fat_tree_phase_algorithms() {
  return {
      multinode_broadcast("parent-first",
                          "routers send packets from below to their parent first, then everything to their "
                          "children, in the order of arrival",
                          Routing::kPhases),
      varied(multinode_broadcast("parent-first-own-next",
                                 "parent-first, then packets from below before those from above",
                                 Routing::kPhasesOwnNext)),
      varied(multinode_broadcast("parent-first-above-next",
                                 "parent-first, then packets from above before those from below",
                                 Routing::kPhasesAboveNext)),
      varied(multinode_broadcast("parent-first-rotated", "parent-first, every packet to another child first",
                                 Routing::kPhasesRotated)),
      varied(multinode_broadcast("first-come-first-served",
                                 "packets in the order of arrival, each to the parent, then to the children",
                                 Routing::kFirstComeFirstServed)),
      varied(multinode_broadcast("children-first",
                                 "packets in the order of arrival, each to the children, then to the parent",
                                 Routing::kChildrenFirst)),
      total_exchange("parent-first",
                     "leaves send furthest-first, routers to their parent first, then to their children in "
                     "the order of arrival",
                     leaves_in_digit_order, First::kToParent),
      varied(total_exchange("parent-first-nearest", "parent-first, but leaves send nearest-first",
                            nearest_first, First::kToParent)),
      varied(total_exchange("parent-first-ascending", "parent-first, but leaves send to leaf 0, 1, ...",
                            other_leaves, First::kToParent)),
      varied(total_exchange("first-come-first-served",
                            "leaves send furthest-first, routers in the order of arrival",
                            leaves_in_digit_order, First::kAny)),
      varied(
          total_exchange("children-first",
                         "leaves send furthest-first, routers to their children first, then to their parent",
                         leaves_in_digit_order, First::kToChildren)),
      in_turns()};
}

}  // namespace safnet
