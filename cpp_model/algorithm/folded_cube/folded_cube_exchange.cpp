#include "cpp_model/algorithm/folded_cube/folded_cube_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

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
    std::stable_sort(types.begin(), types.end(), [&](NodeId a, NodeId b) { return to_go(a) > to_go(b); });
    return types;
  }

  void packets_choose(std::uint32_t step, std::vector<TypeHop>& hops) const {
    std::vector<NodeId> types = rule_ == GreedyRule::kAnyOrder ? order_ : furthest_first();
    if (rule_ == GreedyRule::kClosestFirst) std::reverse(types.begin(), types.end());
    // The dimension that most packets still want.
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
  std::stable_sort(hops.begin(), hops.end(),
                   [](const TypeHop& a, const TypeHop& b) { return a.step < b.step; });
  std::vector<NodeId> at(problem.graph.node_count(), 0);  // by type: where the packet of node 0 is
  std::vector<TranslatedHop> translated;
  translated.reserve(hops.size());
  for (const TypeHop& hop : hops) {
    translated.push_back({hop.step, 0, at[hop.type], folded_cube_port(d, hop.dimension), hop.type});
    at[hop.type] ^= folded_cube_generator(d, hop.dimension);
  }
  return translated_schedule(problem, name, std::move(translated), [](NodeId v, NodeId x) { return v ^ x; });
}

Algorithm exchange(std::string name, std::string description) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = "Varvarigos, folded cubes, section 4",
          .description = std::move(description),
          .domain = "folded cubes, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (const std::string reason = why_not_folded_cube(p); !reason.empty()) return reason;
            if (p.graph.total_status() > kMaxPlannedSends)
              return fmt::format("needs a network whose total exchange takes at most {} hops",
                                 kMaxPlannedSends);
            return {};
          }};
}

}  // namespace

std::uint32_t greedy_matching_steps(std::uint32_t d, GreedyRule rule, std::uint64_t seed) {
  return GreedyMatching(d, rule, seed).run().back().step;
}

std::vector<Algorithm> folded_cube_exchange_algorithms() {
  Algorithm optimal = exchange("folded-cube-exchange",
                               "shortest paths that use all dimensions equally often, steps by colouring");
  optimal.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    return std::max<std::uint64_t>(folded_cube_exchange_steps(d), (d + 1) / 2);
  };
  optimal.plan = [](const Problem& p) {
    return symmetric_schedule(p, "folded-cube-exchange",
                              coloured_hops(*folded_cube_dimensions(p.graph), MiddleHalf::kBalanced));
  };
  Algorithm printed =
      exchange("folded-cube-exchange-as-printed",
               "the same with the middle destinations parted in two sets of equal cardinality, no more");
  printed.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const std::uint32_t d = *folded_cube_dimensions(p.graph);
    return critical_sum(d, folded_cube_routing_tags(d, MiddleHalf::kHighest));
  };
  printed.plan = [](const Problem& p) {
    return symmetric_schedule(p, "folded-cube-exchange-as-printed",
                              coloured_hops(*folded_cube_dimensions(p.graph), MiddleHalf::kHighest));
  };
  printed.chosen_by_name_only = true;
  Algorithm greedy = exchange("folded-cube-greedy-matching",
                              "no dimension idle that a packet left behind could take; the furthest first");
  greedy.plan = [](const Problem& p) {
    return symmetric_schedule(
        p, "folded-cube-greedy-matching",
        GreedyMatching(*folded_cube_dimensions(p.graph), GreedyRule::kFurthestFirst, 1).run());
  };
  greedy.chosen_by_name_only = true;
  return {optimal, printed, greedy};
}

}  // namespace safnet
