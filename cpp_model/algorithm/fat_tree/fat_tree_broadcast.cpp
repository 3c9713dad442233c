#include "cpp_model/algorithm/fat_tree/fat_tree_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// Which of the packets that wait for a link leaves first. At equal rank: the order of arrival.
enum class FloodingOrder : std::uint8_t {
  kFirstInFirstOut,
  kFromBelowFirst,  // packets of leaves below the router before others
  kFromAboveFirst,
  kFarFirst,  // packets of the origin that is furthest from the router
  kNearFirst,
  kShuffled,  // by a hash of router and origin
};

constexpr std::uint32_t kShuffledRanks = 64;
constexpr NodeId kMaxLeaves = 256;  // last in, first out: rounds as many as steps

std::uint32_t rank_levels(const FatTree& tree, FloodingOrder order) {
  switch (order) {
    case FloodingOrder::kFirstInFirstOut:
      return 1;
    case FloodingOrder::kFromBelowFirst:
    case FloodingOrder::kFromAboveFirst:
      return 2;
    case FloodingOrder::kFarFirst:
    case FloodingOrder::kNearFirst:
      return 2 * tree.height() + 1;
    case FloodingOrder::kShuffled:
      return kShuffledRanks;
  }
  return 1;
}

std::uint32_t hash(std::uint64_t node, std::uint64_t origin) {
  std::uint64_t x = (node << 32 | origin) + 0x9e37'79b9'7f4a'7c15;
  x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
  return static_cast<std::uint32_t>(x >> 40);
}

// Hops from a leaf up to the lowest node above both, and down.
std::uint32_t distance(const FatTree& tree, NodeId node, NodeId origin) {
  const std::uint32_t level = tree.level_of(node);
  std::uint32_t turn = level;
  while (tree.above(origin, turn) != tree.above(tree.index_of(node) * tree.leaves_below(level), turn)) ++turn;
  return 2 * turn - level;
}

std::uint32_t flooding_rank(const FatTree& tree, FloodingOrder order, NodeId node, NodeId origin) {
  const bool from_below = tree.above(origin, tree.level_of(node)) == node;
  switch (order) {
    case FloodingOrder::kFirstInFirstOut:
      return 0;
    case FloodingOrder::kFromBelowFirst:
      return from_below ? 0 : 1;
    case FloodingOrder::kFromAboveFirst:
      return from_below ? 1 : 0;
    case FloodingOrder::kFarFirst:
      return 2 * tree.height() - distance(tree, node, origin);
    case FloodingOrder::kNearFirst:
      return distance(tree, node, origin);
    case FloodingOrder::kShuffled:
      return hash(node, origin) % kShuffledRanks;
  }
  return 0;
}

Policy flooding_policy(const Problem& problem, FloodingOrder order) {
  const auto tree = std::make_shared<const FatTree>(*fat_tree_shape(problem.graph));
  Policy policy;
  policy.label_count = tree->leaves();
  policy.rank_levels = rank_levels(*tree, order);
  policy.deals_links = !tree->has_constant_capacities();
  policy.queue_bound = tree->leaves();
  policy.table = [tree, order](NodeId node, Label origin) {
    TableEntry entry = entry_away_from_leaf(*tree, node, origin);
    entry.service_order.clear();
    entry.rank = flooding_rank(*tree, order, node, origin);
    return entry;
  };
  policy.injections = [tree](NodeId leaf) {
    return leaf < tree->leaves() ? std::vector<Injection>{{leaf, 0, 0}} : std::vector<Injection>{};
  };
  return policy;
}

Policy broadcast_policy(const Problem& problem) {
  Policy policy = flooding_policy(problem, FloodingOrder::kFirstInFirstOut);
  policy.host_packets = problem.messages;
  policy.queue_bound = problem.messages;
  policy.injections = [root = problem.root, messages = problem.messages](NodeId leaf) {
    std::vector<Injection> packets;
    for (std::uint32_t m = 0; leaf == root && m < messages; ++m) packets.push_back({root, m, 0});
    return packets;
  };
  return policy;
}

Algorithm broadcast() {
  return {.name = "flooding",
          .collective = CollectiveKind::kBroadcast,
          .source = "thesis 6.3.1",
          .description = "routers copy what they get to wherever it did not come from",
          .domain = "fat trees, all-port",
          .why_not = why_not_all_port_fat_tree,
          .policy = broadcast_policy,
          // The branch of fewest links passes that many messages a step; in the other branches they follow
          // each other.
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const FatTree tree = *fat_tree_shape(p.graph);
            const std::uint32_t thinnest = *std::ranges::min_element(tree.capacities());
            return 2 * tree.height() - 1 + divide_up(p.messages, thinnest);
          },
          .knows_messages = true,
          .knows_routers = true};
}

Algorithm flooding(std::string name, FloodingOrder order, std::string description) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = order == FloodingOrder::kFirstInFirstOut ? "thesis 6.3.2, Theorem 6.9"
                                                             : "beyond thesis 6.3.2, Theorem 6.9",
          .description = std::move(description),
          .domain = "fat trees, all-port",
          .why_not = why_not_all_port_fat_tree,
          .policy = [order](const Problem& p) { return flooding_policy(p, order); },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const FatTree tree = *fat_tree_shape(p.graph);
            if (tree.capacity(1) != 1) return std::nullopt;
            return tree.leaves() + (tree.arity(1) == 2 && tree.height() > 1 ? 1U : 0U);
          },
          .chosen_by_name_only = order != FloodingOrder::kFirstInFirstOut,
          .knows_routers = true};
}

// Last in, first out needs ranks that fall with the step of arrival, which itself depends on the ranks. So
// arrivals are simulated again and again with the ranks of the round before, until they stay the same; each
// round settles at least one more step.
Policy last_in_first_out_policy(const Problem& problem) {
  Policy policy = flooding_policy(problem, FloodingOrder::kFirstInFirstOut);
  const NodeId leaves = policy.label_count;
  const auto none = std::make_shared<std::vector<std::uint32_t>>(problem.graph.node_count() * leaves);
  std::shared_ptr<const std::vector<std::uint32_t>> arrival = none;  // by node and origin
  policy.rank_levels = 4 * leaves;
  const auto table = [first_in = policy.table, leaves](const auto& arrivals, NodeId node, Label origin) {
    TableEntry entry = first_in(node, origin);
    entry.rank = 4 * leaves - 1 - (*arrivals)[node * leaves + origin];
    return entry;
  };
  while (true) {
    policy.table = [table, arrival](NodeId node, Label origin) { return table(arrival, node, origin); };
    const Schedule schedule = plan_from_policy(problem, policy, "flooding-last-in-first-out");
    auto next = std::make_shared<std::vector<std::uint32_t>>(*none);
    for (const Send& send : schedule.sends)
      (*next)[schedule.network.link_target(send.link) * leaves + send.packet] = send.start;
    if (*next == *arrival) return policy;
    arrival = std::move(next);
  }
}

Algorithm last_in_first_out() {
  Algorithm algorithm = flooding("flooding-last-in-first-out", FloodingOrder::kFirstInFirstOut,
                                 "flooding; the packet that has come last leaves first");
  algorithm.source = "beyond thesis 6.3.2, Theorem 6.9";
  algorithm.chosen_by_name_only = true;
  algorithm.domain = "fat trees of at most 256 leaves, all-port";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_all_port_fat_tree(p); !reason.empty()) return reason;
    if (p.messages != 1) return "needs --messages 1";
    return p.graph.processor_count() <= kMaxLeaves ? "" : fmt::format("needs at most {} leaves", kMaxLeaves);
  };
  algorithm.knows_messages = true;  // it has one
  algorithm.policy = last_in_first_out_policy;
  return algorithm;
}

}  // namespace

std::vector<Algorithm> fat_tree_broadcast_algorithms() {
  return {broadcast(),
          flooding("flooding", FloodingOrder::kFirstInFirstOut,
                   "routers copy what they get to wherever it did not come from; first in, first out"),
          flooding("flooding-from-below-first", FloodingOrder::kFromBelowFirst,
                   "flooding; packets of the leaves below a router leave before others"),
          flooding("flooding-from-above-first", FloodingOrder::kFromAboveFirst,
                   "flooding; packets of the leaves below a router leave after others"),
          flooding("flooding-far-first", FloodingOrder::kFarFirst,
                   "flooding; packets that have come furthest leave first"),
          flooding("flooding-near-first", FloodingOrder::kNearFirst,
                   "flooding; packets that have come least far leave first"),
          flooding("flooding-shuffled", FloodingOrder::kShuffled,
                   "flooding; every router has an order of its own, made by hashing"),
          last_in_first_out()};
}

}  // namespace safnet
