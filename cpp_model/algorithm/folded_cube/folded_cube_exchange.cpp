#include "cpp_model/algorithm/folded_cube/folded_cube_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <tuple>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"
#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/algorithm/tools/translated_sends.hpp"
#include "cpp_model/graph/bipartite_colouring.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// A packet for the node that differs by `type` takes a dimension in a step.
struct TypeHop {
  std::uint32_t step = 0;  // from 1
  NodeId type = 0;
  std::uint32_t dimension = 0;
};

std::vector<TypeHop> coloured_hops(std::uint32_t d, MiddleHalf half) {
  const std::vector<std::uint32_t> tags = folded_cube_routing_tags(d, half);
  std::vector<BipartiteEdge> edges;
  for (NodeId type = 1; type < tags.size(); ++type) {
    for (std::uint32_t i = 0; i <= d; ++i) {
      if (tags[type] >> i & 1) edges.push_back({type, i});
    }
  }
  const std::vector<std::uint32_t> colours =
      colour_bipartite(edges, static_cast<std::uint32_t>(tags.size()), d + 1);
  std::vector<TypeHop> hops(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) hops[e] = {colours[e] + 1, edges[e].left, edges[e].right};
  return hops;
}

// What is still to be taken, and the choice of a step: every dimension at most once, every packet at most
// once, and no dimension idle that a packet left behind could take.
class GreedyMatching {
 public:
  GreedyMatching(std::uint32_t d, GreedyRule rule, std::uint64_t seed)
      : d_(d), rule_(rule), left_(folded_cube_routing_tags(d, MiddleHalf::kBalanced)) {
    order_.resize(left_.size() - 1);
    std::iota(order_.begin(), order_.end(), NodeId{1});
    std::mt19937_64 random(seed);
    shuffle(order_, random);
  }

  std::vector<TypeHop> run() {
    std::vector<TypeHop> hops;
    for (std::uint32_t step = 1; !order_.empty(); ++step) {
      const std::size_t before = hops.size();
      if (rule_ == GreedyRule::kPortsInTurn || rule_ == GreedyRule::kPortsInTurnAny) {
        dimensions_choose(step, hops);
      } else {
        packets_choose(step, hops);
      }
      for (std::size_t h = before; h < hops.size(); ++h) left_[hops[h].type] ^= 1U << hops[h].dimension;
      std::erase_if(order_, [&](NodeId type) { return left_[type] == 0; });
    }
    return hops;
  }

 private:
  std::uint32_t to_go(NodeId type) const { return static_cast<std::uint32_t>(std::popcount(left_[type])); }
  std::vector<NodeId> furthest_first() const {
    std::vector<NodeId> types = order_;
    std::ranges::stable_sort(types, std::greater(), [&](NodeId type) { return to_go(type); });
    return types;
  }

  void packets_choose(std::uint32_t step, std::vector<TypeHop>& hops) const {
    std::vector<NodeId> types = rule_ == GreedyRule::kAnyOrder ? order_ : furthest_first();
    if (rule_ == GreedyRule::kClosestFirst) std::reverse(types.begin(), types.end());
    // How many packets still want each dimension: they choose the most wanted.
    std::vector<std::uint32_t> wanted(d_ + 1, 0);
    for (const NodeId type : types) {
      for (std::uint32_t i = 0; i <= d_; ++i) wanted[i] += left_[type] >> i & 1;
    }
    std::uint32_t idle = (2U << d_) - 1;
    for (const NodeId type : types) {
      std::uint32_t best = d_ + 1;
      for (std::uint32_t i = 0; i <= d_; ++i) {
        if ((left_[type] & idle) >> i & 1 && (best > d_ || wanted[i] > wanted[best])) best = i;
      }
      if (best > d_) continue;
      idle ^= 1U << best;
      hops.push_back({step, type, best});
      if (idle == 0) return;
    }
  }
  void dimensions_choose(std::uint32_t step, std::vector<TypeHop>& hops) const {
    const std::vector<NodeId> types = rule_ == GreedyRule::kPortsInTurn ? furthest_first() : order_;
    std::vector<std::uint8_t> taken(left_.size(), 0);
    for (std::uint32_t k = 0; k <= d_; ++k) {
      const std::uint32_t i = (k + step) % (d_ + 1);
      const auto type = std::find_if(types.begin(), types.end(),
                                     [&](NodeId t) { return !taken[t] && (left_[t] >> i & 1); });
      if (type == types.end()) continue;
      taken[*type] = 1;
      hops.push_back({step, *type, i});
    }
  }

  std::uint32_t d_;
  GreedyRule rule_;
  std::vector<std::uint32_t> left_;  // by type: dimensions
  std::vector<NodeId> order_;        // types that have not arrived
};

// All nodes do the same.
Schedule symmetric_schedule(const Problem& problem, const std::string& name, std::vector<TypeHop> hops) {
  const std::uint32_t d = *folded_cube_dimensions(problem.graph);
  std::ranges::stable_sort(hops, {}, &TypeHop::step);
  std::vector<NodeId> at(problem.graph.node_count(), 0);  // by type: where the packet of node 0 is
  std::vector<TranslatedHop> translated;
  translated.reserve(hops.size());
  for (const TypeHop& hop : hops) {
    translated.push_back({hop.step, 0, at[hop.type], folded_cube_port(d, hop.dimension), hop.type});
    at[hop.type] ^= folded_cube_generator(d, hop.dimension);
  }
  return translated_schedule(problem, name, std::move(translated), [](NodeId v, NodeId x) { return v ^ x; });
}

Algorithm exchange(const std::string& name, std::string description, std::string (*why_not)(const Problem&)) {
  return {.name = name,
          .collective = CollectiveKind::kTotalExchange,
          .source = "Varvarigos, folded cubes, section 4",
          .description = std::move(description),
          .domain = "folded cubes, all-port",
          .why_not = why_not,
          .chosen_by_name_only = true};
}

std::string why_not_planned(const Problem& problem) {
  if (std::string reason = why_not_folded_cube(problem); !reason.empty()) return reason;
  if (problem.graph.total_status() <= kMaxPlannedSends) return {};
  return fmt::format("needs a network whose total exchange takes at most {} hops", kMaxPlannedSends);
}

Algorithm timetable(const std::string& name, std::string description,
                    std::function<std::vector<TypeHop>(std::uint32_t d)> hops) {
  Algorithm algorithm = exchange(name, std::move(description), why_not_planned);
  algorithm.plan = [name, hops = std::move(hops)](const Problem& p) {
    return symmetric_schedule(p, name, hops(*folded_cube_dimensions(p.graph)));
  };
  return algorithm;
}

constexpr std::uint32_t kMaxMeasuredGreedy = 10;
constexpr std::uint32_t kMostDimensions = 12;  // 106 496 labels; a router's table has 131 072 at most

// Where the order of a packet's dimensions begins.
enum class FirstDimension : std::uint8_t {
  kLowest,    // 0: every packet in ascending order
  kRotating,  // packet after packet the next one
};

// Routers know what a label says: the destination, the dimension that the packet's order begins with, and,
// for packets that may go either way, which. Each packet takes the dimensions of its routing tag in ascending
// order, cyclically from that one. After its first hop only one of its two ways is shortest, so a node need
// not know the origin.
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
      entry.output_mask = port_bit(folded_cube_port(d, labels.next(v, label)));
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

std::string why_no_labels(const Problem& problem) {
  if (std::string reason = why_not_folded_cube(problem); !reason.empty()) return reason;
  return *folded_cube_dimensions(problem.graph) <= kMostDimensions
             ? ""
             : fmt::format("needs a folded cube of at most {} dimensions", kMostDimensions);
}

std::vector<Algorithm> greedy_policies() {
  std::vector<Algorithm> list;
  for (const auto& [suffix, order, first] :
       {std::tuple{"", "dimensions in ascending order from one that rotates", FirstDimension::kRotating},
        std::tuple{"-ascending", "dimensions in ascending order", FirstDimension::kLowest}}) {
    for (const auto& [rule_suffix, words, rule] :
         {std::tuple{"", "the furthest first", PriorityRule::kFurthestFirst},
          std::tuple{"-fifo", "first in, first out", PriorityRule::kMessageShift},
          std::tuple{"-closest-first", "the closest first", PriorityRule::kClosestFirst}}) {
      Algorithm& algorithm =
          list.emplace_back(exchange(fmt::format("folded-cube-greedy{}{}", suffix, rule_suffix),
                                     fmt::format("{}; {}", order, words), why_no_labels));
      algorithm.policy = [rule = rule, first = first](const Problem& p) {
        return greedy_policy(p, rule, first);
      };
    }
  }
  list.front().chosen_by_name_only = false;
  // No proof: found step by step up to d = 10.
  list.front().closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    if (d > kMaxMeasuredGreedy) return std::nullopt;
    return folded_cube_exchange_steps(d);
  };
  return list;
}

}  // namespace

std::uint32_t greedy_matching_steps(std::uint32_t d, GreedyRule rule, std::uint64_t seed) {
  return GreedyMatching(d, rule, seed).run().back().step;
}

std::vector<Algorithm> folded_cube_exchange_algorithms() {
  Algorithm optimal = timetable("folded-cube-exchange",
                                "shortest paths that use all dimensions equally often, steps by colouring",
                                [](std::uint32_t d) { return coloured_hops(d, MiddleHalf::kBalanced); });
  optimal.closed_form = [](const Problem& p) {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    return std::max<std::uint64_t>(folded_cube_exchange_steps(d), (d + 1) / 2);
  };
  optimal.chosen_by_name_only = false;
  Algorithm printed =
      timetable("folded-cube-exchange-as-printed",
                "the same with the middle destinations parted in two sets of equal cardinality, no more",
                [](std::uint32_t d) { return coloured_hops(d, MiddleHalf::kHighest); });
  printed.closed_form = [](const Problem& p) {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    return critical_sum(d, folded_cube_routing_tags(d, MiddleHalf::kHighest));
  };
  std::vector<Algorithm> list{
      optimal, printed,
      timetable("folded-cube-greedy-matching",
                "no dimension idle that a packet left behind could take; the furthest first",
                [](std::uint32_t d) { return GreedyMatching(d, GreedyRule::kFurthestFirst, 1).run(); })};
  std::ranges::move(greedy_policies(), std::back_inserter(list));
  return list;
}

}  // namespace safnet
