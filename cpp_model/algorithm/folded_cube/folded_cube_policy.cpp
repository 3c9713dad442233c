#include "cpp_model/algorithm/folded_cube/folded_cube_policy.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <tuple>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMaxMeasuredGreedy = 10;
constexpr std::uint32_t kMostDimensions = 12;  // 106 496 labels; a router's table has 131 072 at most

// Where the order of a packet's dimensions begins.
enum class FirstDimension : std::uint8_t {
  kLowest,    // 0: every packet in ascending order
  kRotating,  // packet after packet the next one
};

struct GreedyLabels {
  std::uint32_t d = 0;
  FirstDimension first = FirstDimension::kLowest;

  std::uint32_t firsts() const { return first == FirstDimension::kLowest ? 1 : d + 1; }
  std::uint32_t count() const { return (2U << d) * firsts(); }
  Label label(NodeId destination, std::uint32_t begin, bool complement) const {
    return (destination * firsts() + begin) * 2 + (complement ? 1 : 0);
  }
  NodeId destination(Label label) const { return label / 2 / firsts(); }
  // Dimensions that a packet with this label has still to take at node v.
  std::uint32_t tag(NodeId v, Label label) const {
    const NodeId r = v ^ destination(label), all = (NodeId{1} << d) - 1;
    const auto bits = static_cast<std::uint32_t>(std::popcount(r));
    const bool complement = 2 * bits == d + 1 ? label % 2 == 1 : 2 * bits > d + 1;
    return complement ? (r ^ all) | (all + 1) : r;
  }
  std::uint32_t next(NodeId v, Label label) const {
    const std::uint32_t left = tag(v, label);
    std::uint32_t i = label / 2 % firsts();
    while ((left >> i & 1) == 0) i = (i + 1) % (d + 1);
    return i;
  }
};

Policy greedy_policy(const Problem& problem, PriorityRule rule, FirstDimension first) {
  const std::uint32_t d = *folded_cube_dimensions(problem.graph);
  const GreedyLabels labels{d, first};
  const std::vector<std::uint32_t> tags = folded_cube_routing_tags(d, MiddleHalf::kBalanced);
  const std::uint32_t longest = (d + 1) / 2;
  const auto rank = [=](std::uint32_t tag, bool local) {
    return priority_rank(rule, static_cast<std::uint32_t>(std::popcount(tag)), longest, local);
  };
  Policy policy;
  policy.label_count = labels.count();
  policy.rank_levels = std::max<std::uint32_t>(2, longest);
  policy.host_packets = problem.graph.node_count() - 1;
  policy.queue_bound = critical_sum(d, tags);
  policy.table = [=](NodeId v, Label label) {
    TableEntry entry;
    if (v == labels.destination(label)) {
      entry.deliver = true;
    } else {
      entry.output_mask = std::uint64_t{1} << folded_cube_port(d, labels.next(v, label));
      entry.rank = rank(labels.tag(v, label), false);
    }
    return entry;
  };
  policy.injections = [=](NodeId v) {
    std::vector<Injection> packets;
    std::uint32_t begin = 0;
    for (std::uint32_t hops = longest; hops > 0; --hops) {  // the furthest first, the same at every node
      for (NodeId r = 1; r < tags.size(); ++r) {
        if (static_cast<std::uint32_t>(std::popcount(tags[r])) != hops) continue;
        packets.push_back({labels.label(v ^ r, begin, tags[r] >> d & 1), v ^ r, rank(tags[r], true)});
        begin = (begin + 1) % labels.firsts();
      }
    }
    return packets;
  };
  return policy;
}

Algorithm greedy(std::string name, std::string description, PriorityRule rule, FirstDimension first) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = "Varvarigos, folded cubes, section 4",
          .description = std::move(description),
          .domain = "folded cubes, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (std::string reason = why_not_folded_cube(p); !reason.empty()) return reason;
            return *folded_cube_dimensions(p.graph) <= kMostDimensions
                       ? ""
                       : fmt::format("needs a folded cube of at most {} dimensions", kMostDimensions);
          },
          .policy = [=](const Problem& p) { return greedy_policy(p, rule, first); }};
}

}  // namespace

std::vector<Algorithm> folded_cube_policy_algorithms() {
  std::vector<Algorithm> list;
  for (const auto& [suffix, order, first] :
       {std::tuple{"", "dimensions in ascending order from one that rotates", FirstDimension::kRotating},
        std::tuple{"-ascending", "dimensions in ascending order", FirstDimension::kLowest}}) {
    for (const auto& [rule_suffix, words, rule] :
         {std::tuple{"", "the furthest first", PriorityRule::kFurthestFirst},
          std::tuple{"-fifo", "first in, first out", PriorityRule::kMessageShift},
          std::tuple{"-closest-first", "the closest first", PriorityRule::kClosestFirst}}) {
      list.push_back(greedy(std::string("folded-cube-greedy") + suffix + rule_suffix,
                            std::string(order) + "; " + words, rule, first));
      list.back().chosen_by_name_only = list.size() > 1;
    }
  }
  // No proof: found step by step up to d = 10.
  list.front().closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    if (d > kMaxMeasuredGreedy) return std::nullopt;
    return folded_cube_exchange_steps(d);
  };
  return list;
}

}  // namespace safnet
