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

constexpr std::uint32_t kShuffledRanks = 64;
constexpr NodeId kMaxLeaves = 256;  // for last in, first out, which is simulated once per step

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

bool is_from_below(const FatTree& tree, NodeId node, NodeId origin) {
  return tree.above(origin, tree.level_of(node)) == node;
}

// Which of the packets that wait for a link leaves first: that of the smallest rank, 0 ... ranks +
// ranks_per_level * height - 1; at equal rank in the order of arrival.
struct FloodingOrder {
  std::uint32_t ranks = 1, ranks_per_level = 0;
  std::uint32_t (*rank)(const FatTree&, NodeId node, NodeId origin) = [](const FatTree&, NodeId, NodeId) {
    return 0U;
  };
};

Policy flooding_policy(const Problem& problem, const FloodingOrder& order) {
  const auto tree = std::make_shared<const FatTree>(shape_of(problem));
  Policy policy = one_packet_each(*tree);
  policy.rank_levels = order.ranks + order.ranks_per_level * tree->height();
  policy.queue_bound = tree->leaves();
  policy.table = [tree, rank = order.rank](NodeId node, Label origin) {
    TableEntry entry = entry_away_from_leaf(*tree, node, origin);
    entry.service_order.clear();
    entry.rank = rank(*tree, node, origin);
    return entry;
  };
  return policy;
}

Policy broadcast_policy(const Problem& problem) {
  Policy policy = flooding_policy(problem, {});
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
          .closed_form =
              [](const Problem& p) {
                const FatTree tree = shape_of(p);
                const std::uint32_t thinnest = *std::ranges::min_element(tree.capacities());
                return 2 * tree.height() - 1 + divide_up(p.messages, thinnest);
              },
          .knows_messages = true,
          .knows_routers = true};
}

Algorithm flooding(std::string name, std::string description, const FloodingOrder& order = {}) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = "beyond thesis 6.3.2, Theorem 6.9",
          .description = std::move(description),
          .domain = "fat trees, all-port",
          .why_not = why_not_all_port_fat_tree,
          .policy = [order](const Problem& p) { return flooding_policy(p, order); },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const FatTree tree = shape_of(p);
            if (tree.capacity(1) != 1) return std::nullopt;
            return tree.leaves() + (tree.arity(1) == 2 && tree.height() > 1 ? 1U : 0U);
          },
          .chosen_by_name_only = true,
          .knows_routers = true};
}

// Last in, first out needs ranks that fall with the step of arrival, which itself depends on the ranks. So
// arrivals are simulated again and again with the ranks of the round before, until they stay the same; each
// round settles at least one more step.
Policy last_in_first_out_policy(const Problem& problem) {
  Policy policy = flooding_policy(problem, {});
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
  Algorithm algorithm =
      flooding("flooding-last-in-first-out", "flooding; the packet that has come last leaves first");
  algorithm.domain = "fat trees of at most 256 leaves, all-port";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_all_port_fat_tree(p); !reason.empty()) return reason;
    if (p.messages != 1) return "needs --messages 1";
    return p.graph.processor_count() <= kMaxLeaves ? "" : fmt::format("needs at most {} leaves", kMaxLeaves);
  };
  algorithm.knows_messages = true;  // it takes only one, so there is nothing to repeat
  algorithm.policy = last_in_first_out_policy;
  return algorithm;
}

}  // namespace

std::vector<Algorithm> fat_tree_broadcast_algorithms() {
  Algorithm published = flooding(
      "flooding", "routers copy what they get to wherever it did not come from; first in, first out");
  published.source = "thesis 6.3.2, Theorem 6.9";
  published.chosen_by_name_only = false;
  using Tree = const FatTree&;
  return {
      broadcast(),
      published,
      flooding("flooding-from-below-first",
               "flooding; packets of the leaves below a router leave before others",
               {2, 0, [](Tree t, NodeId v, NodeId from) { return is_from_below(t, v, from) ? 0U : 1U; }}),
      flooding("flooding-from-above-first",
               "flooding; packets of the leaves below a router leave after others",
               {2, 0, [](Tree t, NodeId v, NodeId from) { return is_from_below(t, v, from) ? 1U : 0U; }}),
      flooding("flooding-far-first", "flooding; packets that have come furthest leave first",
               {1, 2, [](Tree t, NodeId v, NodeId from) { return 2 * t.height() - distance(t, v, from); }}),
      flooding("flooding-near-first", "flooding; packets that have come least far leave first",
               {1, 2, distance}),
      flooding(
          "flooding-shuffled", "flooding; every router has an order of its own, made by hashing",
          {kShuffledRanks, 0, [](Tree, NodeId v, NodeId from) { return hash(v, from) % kShuffledRanks; }}),
      last_in_first_out()};
}

}  // namespace safnet
