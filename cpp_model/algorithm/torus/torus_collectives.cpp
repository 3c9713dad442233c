#include "cpp_model/algorithm/torus/torus_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"
#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "cpp_model/transform/reverse.hpp"

namespace safnet {
namespace {

// The sends of a broadcast or scatter, as if the root were node 0.
class TorusPlan {
 public:
  TorusPlan(const Problem& problem, const std::string& algorithm)
      : torus(*MultidimensionalTorus::of(problem.graph)),
        messages(problem.messages),
        root_(problem.root),
        schedule_(empty_schedule(problem, algorithm)) {}

  const MultidimensionalTorus torus;
  const std::uint32_t messages;

  void send(std::uint64_t step, const DimensionedLink& link, PacketIndex packet) {
    const NodeId from = torus.translate(root_, link.tail);
    const PortId port = torus.port_of_label(link.label);
    schedule_.sends.push_back({static_cast<std::uint32_t>(step), schedule_.network.link(from, port), packet});
  }
  // The scatter's packet for a node goes its way from a step on, without waiting.
  void send_along(std::uint64_t step, const std::vector<DimensionedLink>& path, std::uint64_t message) {
    const PacketIndex packet = packet_for(torus.head(path.back()), message);
    for (const DimensionedLink& link : path) send(step++, link, packet);
  }
  PacketIndex packet_for(NodeId v, std::uint64_t message) const {
    const NodeId destination = torus.translate(root_, v);
    return static_cast<PacketIndex>(message * (torus.node_count() - 1) + destination -
                                    (destination > root_ ? 1 : 0));
  }
  Schedule finish() {
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  NodeId root_;
  Schedule schedule_;
};

void broadcast_down_bst(TorusPlan& plan) {
  const MultidimensionalTorus& torus = plan.torus;
  const std::vector<DimensionedLink> links = bst_links(torus, ParentRule::kCorrected);
  for (std::uint32_t m = 0; m < plan.messages; ++m) {
    for (NodeId v = 1; v < torus.node_count(); ++v) plan.send(m + torus.distance(v), links[v], m);
  }
}

void broadcast_down_disjoint_trees(TorusPlan& plan) {
  const MultidimensionalTorus& torus = plan.torus;
  const RotatableTree tree = rotatable_tree(torus);
  const std::uint32_t trees = torus.label_count();
  for (std::uint32_t m = 0; m < plan.messages; ++m) {
    for (NodeId v = 1; v < torus.node_count(); ++v)
      plan.send(m / trees + tree.level[v], torus.rotate(tree.link_into[v], m % trees), m);
  }
}

void scatter_down_bsg(TorusPlan& plan, bool furthest_first) {
  const MultidimensionalTorus& torus = plan.torus;
  std::uint64_t before = 0;  // steps that earlier entries of the table take
  for (const NodeId generator : torus.entries(furthest_first)) {
    // Every node of the necklace is in `ways` subtrees; its messages are dealt out to them.
    const std::uint32_t period = torus.period(generator), ways = torus.label_count() / period;
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const std::vector<DimensionedLink> way = path_in_subtree(torus, generator, i);
      for (std::uint64_t m = i / period; m < plan.messages; m += ways)
        plan.send_along(before + m / ways + 1, way, m);
    }
    before += divide_up(plan.messages, ways);
  }
}

// From v to the neighbour `next`, if it is one.
std::optional<DimensionedLink> link_between(const MultidimensionalTorus& torus, NodeId v, NodeId next) {
  for (std::uint32_t label = 0; label < torus.label_count(); ++label) {
    if (torus.head({v, label}) == next) return DimensionedLink{v, label};
  }
  return std::nullopt;
}

// Down the BSG, the furthest first, but every node finds the next one by the rule. A packet waits for a link
// that another has taken, and stays where the rule leads to no neighbour.
void scatter_by_rule(TorusPlan& plan, RoutingRule rule) {
  const MultidimensionalTorus& torus = plan.torus;
  std::set<std::pair<DimensionedLink, std::uint64_t>> taken;
  std::uint64_t before = 0;
  for (const NodeId generator : torus.entries(true)) {
    const std::uint32_t period = torus.period(generator), ways = torus.label_count() / period;
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const NodeId destination = torus.rotate(generator, i);
      for (std::uint64_t m = i / period; m < plan.messages; m += ways) {
        std::uint64_t step = before + m / ways + 1;
        std::optional<DimensionedLink> link{{0, i}};
        while (link) {
          while (!taken.emplace(*link, step).second) ++step;
          plan.send(step++, *link, plan.packet_for(destination, m));
          const NodeId at = torus.head(*link);
          link.reset();
          if (at != destination)
            link = link_between(torus, at, forwarded_to(torus, at, destination, i, rule));
        }
      }
    }
    before += divide_up(plan.messages, ways);
  }
}

void scatter_in_turn(TorusPlan& plan) {
  const MultidimensionalTorus& torus = plan.torus;
  const std::uint32_t ports = torus.label_count();
  std::uint64_t dealt = 0;
  for (const NodeId generator : torus.entries(true)) {
    const std::uint32_t period = torus.period(generator);
    std::vector<std::vector<DimensionedLink>> ways;
    for (std::uint32_t i = 0; i < ports; ++i) ways.push_back(path_in_subtree(torus, generator, i));
    const std::uint64_t packets = std::uint64_t{plan.messages} * period;
    for (std::uint64_t x = 0; x < packets; ++x, ++dealt) {
      // P ports in a row lead to P different nodes of the necklace.
      plan.send_along(dealt / ports + 1, ways[dealt % ports], x / period);
    }
  }
}

void scatter_down_bst(TorusPlan& plan, ParentRule rule) {
  const MultidimensionalTorus& torus = plan.torus;
  const std::vector<DimensionedLink> links = bst_links(torus, rule);
  std::vector<std::uint64_t> sent(torus.label_count(), 0);
  std::vector<DimensionedLink> path;
  for (const NodeId generator : torus.entries(true)) {
    for (const NodeId v : torus.rotations(generator, torus.period(generator))) {
      path.clear();
      for (NodeId u = v; u != 0; u = path.back().tail) path.push_back(links[u]);
      std::reverse(path.begin(), path.end());
      for (std::uint64_t m = 0; m < plan.messages; ++m) plan.send_along(++sent[path.front().label], path, m);
    }
  }
}

std::uint64_t largest_bst_subtree(const MultidimensionalTorus& torus, ParentRule rule) {
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  std::vector<std::uint64_t> nodes(torus.label_count(), 0);
  for (NodeId v = 1; v < torus.node_count(); ++v) ++nodes[subtree[v]];
  return *std::max_element(nodes.begin(), nodes.end());
}

std::string why_not_torus(const Problem& problem) {
  if (problem.ports != PortModel::kAllPort) return "needs --ports all";
  if (!problem.tree.empty()) return "has trees of its own, without --tree";
  const auto torus = MultidimensionalTorus::of(problem.graph);
  if (!torus) return "needs a torus of equal sides of 3 or more, or a doubled cube";
  const bool personal =
      problem.collective == CollectiveKind::kScatter || problem.collective == CollectiveKind::kGather;
  const std::uint64_t sends = personal ? problem.graph.status(0) : torus->node_count() - 1;
  const std::uint64_t packets = personal ? torus->node_count() - 1 : 1;
  if (sends * problem.messages > kMaxPlannedSends || packets * problem.messages > PacketList::kMaxPackets)
    return fmt::format("needs at most {} sends of {} packets", kMaxPlannedSends, PacketList::kMaxPackets);
  return "";
}

using StepsOf = std::function<std::optional<std::uint64_t>(const MultidimensionalTorus&, std::uint64_t)>;
using PlanOn = std::function<void(TorusPlan&)>;

Algorithm torus_algorithm(const std::string& name, CollectiveKind collective, const std::string& source,
                          const std::string& description, StepsOf steps, PlanOn plan) {
  return {.name = name,
          .collective = collective,
          .source = source,
          .description = description,
          .domain = "tori of equal sides k >= 3 and doubled cubes, all-port",
          .why_not = why_not_torus,
          .closed_form =
              [steps = std::move(steps)](const Problem& problem) {
                return steps(*MultidimensionalTorus::of(problem.graph), problem.messages);
              },
          .plan =
              [plan = std::move(plan), name](const Problem& problem) {
                TorusPlan sends(problem, name);
                plan(sends);
                return sends.finish();
              },
          .knows_messages = true};
}

}  // namespace

std::uint64_t bst_broadcast_steps(const MultidimensionalTorus& torus, std::uint64_t messages) {
  return messages + torus.diameter() - 1;
}

std::uint64_t disjoint_trees_broadcast_steps(const MultidimensionalTorus& torus, std::uint64_t messages) {
  return divide_up(messages, torus.label_count()) + rotatable_tree_depth(torus.dimensions(), torus.radix()) -
         1;
}

std::uint64_t torus_broadcast_bound(const MultidimensionalTorus& torus, std::uint64_t messages) {
  return divide_up(messages, torus.label_count()) + torus.diameter() - 1;
}

std::uint64_t bsg_scatter_steps(const MultidimensionalTorus& torus, std::uint64_t messages) {
  std::uint64_t steps = 0;
  for (const NodeId generator : torus.entries(true))
    steps += divide_up(messages * torus.period(generator), torus.label_count());
  return steps;
}

std::uint64_t torus_scatter_bound(const MultidimensionalTorus& torus, std::uint64_t messages) {
  std::vector<std::uint64_t> at(torus.diameter() + 1, 0);
  for (NodeId v = 0; v < torus.node_count(); ++v) ++at[torus.distance(v)];
  std::uint64_t bound = 0, far = 0;
  for (std::uint32_t d = torus.diameter(); d > 0; --d) {
    far += at[d];
    bound = std::max(bound, d - 1 + divide_up(messages * far, torus.label_count()));
  }
  return bound;
}

Algorithm backwards(const Algorithm& forwards, CollectiveKind collective) {
  Algorithm algorithm = forwards;
  algorithm.collective = collective;
  algorithm.description += "; backwards";
  algorithm.plan = [forwards](Problem problem) {
    problem.collective = forwards.collective;
    return reverse(forwards.plan(problem));
  };
  return algorithm;
}

std::vector<Algorithm> torus_collective_algorithms() {
  using enum CollectiveKind;
  const std::string report = "Fragopoulou and Akl, TR 94-363, ";
  std::vector<Algorithm> list;
  list.push_back(torus_algorithm("torus-bst", kBroadcast, report + "5.2",
                                 "message after message down the balanced spanning tree", bst_broadcast_steps,
                                 broadcast_down_bst));
  list.push_back(torus_algorithm("torus-disjoint-trees", kBroadcast, "beyond TR 94-363, 5.1",
                                 "messages in turn down 2n trees without a common link",
                                 disjoint_trees_broadcast_steps, broadcast_down_disjoint_trees));
  list.push_back(torus_algorithm("torus-balanced-scatter", kScatter, "beyond TR 94-363, 5.4",
                                 "packets dealt out to the ports in turn, the furthest first; optimal",
                                 torus_scatter_bound, scatter_in_turn));
  for (std::size_t i = 0; i < 3; ++i) {
    const CollectiveKind turned = list[i].collective == kScatter ? kGather : kReduction;
    list.push_back(backwards(list[i], turned));
  }
  list.push_back(
      torus_algorithm("torus-bsg-scatter", kScatter, report + "5.4",
                      "necklace after necklace down the balanced spanning graph, the furthest first",
                      bsg_scatter_steps, [](TorusPlan& plan) { scatter_down_bsg(plan, true); }));
  list.push_back(torus_algorithm(
      "torus-bsg-scatter-nearest-first", kScatter, report + "5.4, the other way round",
      "necklace after necklace down the balanced spanning graph, the nearest first: slower",
      [](const MultidimensionalTorus&, std::uint64_t) -> std::optional<std::uint64_t> {
        return std::nullopt;
      },
      [](TorusPlan& plan) { scatter_down_bsg(plan, false); }));
  list.back().chosen_by_name_only = true;
  struct Tree {
    ParentRule rule;
    std::string suffix, description;
  };
  for (const Tree& tree :
       {Tree{ParentRule::kRepaired, "", ", repaired for even sides, the furthest first"},
        Tree{ParentRule::kCorrected, "-as-published", " of Definition 8, unbalanced for even sides"},
        Tree{ParentRule::kAsPrinted, "-as-printed",
             " with the printed parents, not all of their children's displacement"}}) {
    const ParentRule rule = tree.rule;
    list.push_back(torus_algorithm(
        "torus-bst-scatter" + tree.suffix, kScatter, report + "5.4",
        "down the balanced spanning tree" + tree.description,
        [rule](const MultidimensionalTorus& torus, std::uint64_t messages) {
          return messages * largest_bst_subtree(torus, rule);
        },
        [rule](TorusPlan& plan) { scatter_down_bst(plan, rule); }));
    list.back().chosen_by_name_only = rule != ParentRule::kRepaired;
  }
  for (const RoutingRule rule : {RoutingRule::kCorrected, RoutingRule::kAsPrinted}) {
    const bool printed = rule == RoutingRule::kAsPrinted;
    list.push_back(torus_algorithm(
        printed ? "torus-bsg-scatter-routed-as-printed" : "torus-bsg-scatter-routed", kScatter,
        report + "5.4, step 2",
        printed ? "every node finds the next by the printed rule, which leaves the spanning graph"
                : "down the balanced spanning graph, where every node finds the next from their labels",
        [](const MultidimensionalTorus&, std::uint64_t) -> std::optional<std::uint64_t> {
          return std::nullopt;
        },
        [rule](TorusPlan& plan) { scatter_by_rule(plan, rule); }));
    list.back().chosen_by_name_only = true;
  }
  return list;
}

}  // namespace safnet
