#include "cpp_model/bound/routed_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/bound/branches.hpp"
#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/fat_tree_exchange_bound.hpp"
#include "cpp_model/bound/load_bound.hpp"
#include "cpp_model/bound/routed_reduction.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostSearched = std::uint64_t{1} << 26;

std::string name(const Problem& problem, NodeId v) { return problem.graph.node_name(v); }

// Marked nodes by their distance from a node, over all its branches (`sides`) and, at 0, the node itself.
Distances around(const std::vector<const Distances*>& sides, bool itself) {
  std::size_t hops = 1;
  for (const Distances* side : sides) hops = std::max(hops, side->at_least.size() + 1);
  Distances all{std::vector<std::uint64_t>(hops, 0)};
  for (const Distances* side : sides) {
    for (std::size_t d = 0; d < hops; ++d) all.at_least[d] += side->beyond(d == 0 ? 0 : d - 1);
  }
  all.at_least[0] += itself ? 1 : 0;
  while (!all.at_least.empty() && all.at_least.back() == 0) all.at_least.pop_back();
  return all;
}
// How many are `hops` or more hops away from a node over the branch to `side`.
std::uint64_t over(const Distances& side, std::size_t hops) { return side.beyond(hops == 0 ? 0 : hops - 1); }

// The nodes on the side of a branch's source; the network is a tree.
std::vector<std::uint8_t> side_behind(const Graph& graph, const Branch& branch) {
  std::vector<std::uint8_t> behind(graph.node_count(), 0);
  std::vector<NodeId> reached{branch.from};
  behind[branch.from] = 1;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (PortId p = 0; p < graph.degree(reached[i]); ++p) {
      const NodeId u = graph.peer(reached[i], p).node;
      if (behind[u] != 0 || u == branch.to) continue;
      behind[u] = 1;
      reached.push_back(u);
    }
  }
  return behind;
}

// Packets that cross a branch: `across(a, b)` of them come from a hops or more and go b hops or more.
template <class Across>
void consider_branch(LargestBound& bound, const Problem& problem, const Branch& branch, std::size_t behind,
                     std::size_t ahead, const Across& across) {
  if (branch.usable == 0) return;
  for (std::size_t a = 0; a < behind; ++a) {
    for (std::size_t b = 0; b < ahead; ++b) {
      const std::uint64_t packets = across(a, b);
      if (packets == 0) continue;
      bound.consider(
          a + divide_up(packets, branch.usable) + b,
          [&] {
            return fmt::format("{} from {} to {}, {} at once, of origins {} before it and for {} after it",
                               counted(packets, "packet"), name(problem, branch.from),
                               name(problem, branch.to), branch.usable, counted(a, "hop"), counted(b, "hop"));
          },
          [&] { return must_cross(side_behind(problem.graph, branch), packets, branch.usable, a, b); });
    }
  }
}

constexpr std::string_view kSends = "sends", kReceives = "receives";

// Packets that a node sends or receives (`does`) one by one, the first after `before` steps; when the last is
// through, at least `after` more steps follow.
void consider_node(LargestBound& bound, const Problem& problem, NodeId v, std::string_view does,
                   std::uint64_t before, std::uint64_t packets, std::uint64_t after) {
  if (packets == 0) return;
  bound.consider(
      before + packets + after,
      [&] {
        return fmt::format("{} that {} {} one by one, {} before and {} after that",
                           counted(packets, "packet"), name(problem, v), does, counted(before, "step"),
                           after);
      },
      [&] { return (does == kSends ? must_leave : must_reach)(v, packets, 1, before, after); });
}

// Personal packets from origins to destinations; in a tree each has one way to go.
LowerBound exchange_over(const Problem& problem, const Branches& branches, const Demand& demand) {
  const Graph& graph = problem.graph;
  const std::vector<Distances> to_origins = branches.sides(demand.is_origin),
                               to_destinations = branches.sides(demand.is_destination);
  LargestBound bound;
  if (problem.ports == PortModel::kAllPort) {
    for (std::uint32_t b = 0; b < branches.all().size(); ++b) {
      const Branch& branch = branches.all()[b];
      const Distances &behind = to_origins[branch.back], &ahead = to_destinations[b];
      consider_branch(bound, problem, branch, behind.at_least.size(), ahead.at_least.size(),
                      [&](std::size_t from, std::size_t to) {
                        return behind.beyond(from) * ahead.beyond(to) * demand.messages;
                      });
    }
    return bound.value();
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::vector<const Distances*> origins, destinations;
    for (const std::uint32_t b : branches.leaving(v)) {
      origins.push_back(&to_origins[b]);
      destinations.push_back(&to_destinations[b]);
    }
    const Distances from = around(origins, demand.is_origin[v] != 0),
                    to = around(destinations, demand.is_destination[v] != 0);
    // Packets that v handles whose origin and destination are on different branches or v itself: from `a`
    // hops away or more, for `b` hops away or more.
    const auto through = [&](std::size_t a, std::size_t b) {
      std::uint64_t packets = from.beyond(a) * to.beyond(b);
      for (std::size_t i = 0; i < origins.size(); ++i)
        packets -= over(*origins[i], a) * over(*destinations[i], b);
      if (a == 0 && b == 0) packets -= demand.is_origin[v] * demand.is_destination[v];
      return packets * demand.messages;
    };
    for (std::size_t a = 0; a < from.at_least.size(); ++a) {
      for (std::size_t b = 0; b < to.at_least.size(); ++b) {
        if (b > 0) consider_node(bound, problem, v, kSends, a, through(a, b), b - 1);
        if (a > 0 && problem.ports == PortModel::kOnePort)
          consider_node(bound, problem, v, kReceives, a - 1, through(a, b), b);
      }
    }
  }
  return bound.value();
}

// Packets of some origins for all processors, copied on the way.
LowerBound dissemination_over(const Problem& problem, const Branches& branches,
                              const std::vector<std::uint8_t>& is_origin) {
  const Graph& graph = problem.graph;
  const std::vector<Distances> to_origins = branches.sides(is_origin);
  const std::uint64_t messages = problem.messages;
  LargestBound bound;
  if (problem.collective == CollectiveKind::kBroadcast && problem.ports != PortModel::kAllPort) {
    // The last message leaves the root after all others have.
    bound.consider(
        messages - 1 + branches.informing_steps(problem.root),
        [&] {
          return fmt::format(
              "{}copies that nodes send one by one, (6.1)",
              messages == 1 ? "" : fmt::format("{} messages before the last, and its ", messages - 1));
        },
        stated_witness(WitnessKind::kSending, {problem.root}));
  }
  if (problem.ports == PortModel::kAllPort) {
    for (const Branch& branch : branches.all()) {
      const Distances& behind = to_origins[branch.back];
      if (branch.processors.all() == 0 || behind.all() == 0) continue;
      const std::uint32_t furthest = branch.processors.furthest();
      consider_branch(
          bound, problem, branch, behind.at_least.size(), std::size_t{furthest} + 1,
          [&](std::size_t a, std::size_t b) { return b == furthest ? behind.beyond(a) * messages : 0; });
    }
    return bound.value();
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    // v sends a copy of every packet into every part of the network without v, but the packet's own part.
    std::uint64_t parts = 0, last_sent = ~std::uint64_t{0}, last_received = ~std::uint64_t{0};
    std::vector<const Distances*> origins;
    for (const std::uint32_t b : branches.leaving(v)) {
      const Branch& branch = branches.all()[b];
      origins.push_back(&to_origins[b]);
      if (to_origins[b].all() != 0)
        last_received = std::min(last_received, branches.all()[branch.back].informing_steps);
      if (branch.processors.all() == 0) continue;
      ++parts;
      last_sent = std::min(last_sent, branch.informing_steps);
    }
    const Distances from = around(origins, is_origin[v] != 0);
    if (parts == 0) continue;
    for (std::size_t a = 0; a < from.at_least.size(); ++a) {
      const std::uint64_t others = from.beyond(std::max<std::size_t>(a, 1));
      const std::uint64_t own = a == 0 ? from.beyond(0) - others : 0;
      consider_node(bound, problem, v, kSends, a, messages * (others * (parts - 1) + own * parts),
                    others * (parts - 1) + own * parts == 0 ? 0 : last_sent);
      if (a > 0 && problem.ports == PortModel::kOnePort)
        consider_node(bound, problem, v, kReceives, a - 1, messages * others, last_received);
    }
  }
  return bound.value();
}

// Results of `roots`, every processor contributes to each, and packets are combined by processors alone.
LowerBound combining_over(const Problem& problem, const Branches& branches,
                          const std::vector<std::uint8_t>& is_root) {
  const Graph& graph = problem.graph;
  const std::vector<Distances> to_roots = branches.sides(is_root);
  const std::uint64_t messages = problem.messages;
  LargestBound bound;
  for (std::uint32_t b = 0; b < branches.all().size(); ++b) {
    // For every result ahead a packet with the contribution of the processor furthest behind must cross.
    const Branch& branch = branches.all()[b];
    const Distances &behind = branches.all()[branch.back].processors, &ahead = to_roots[b];
    if (behind.all() == 0 || ahead.all() == 0) continue;
    const std::uint32_t furthest = behind.furthest();
    Branch of_model = branch;
    if (problem.ports != PortModel::kAllPort) of_model.usable = 1;
    consider_branch(
        bound, problem, of_model, std::size_t{furthest} + 1, ahead.at_least.size(),
        [&](std::size_t from, std::size_t to) { return from == furthest ? ahead.beyond(to) * messages : 0; });
  }
  if (problem.ports == PortModel::kAllPort) return bound.value();
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    // For every result v forwards a packet from every part of the network without v, but the part with the
    // result's root; a processor v may have combined them into one.
    std::vector<const Distances*> roots, processors;
    std::uint64_t parts = 0;
    for (const std::uint32_t b : branches.leaving(v)) {
      roots.push_back(&to_roots[b]);
      processors.push_back(&branches.all()[b].processors);
      parts += processors.back()->all() != 0 ? 1 : 0;
    }
    const bool processes = v < graph.processor_count();
    const Distances to = around(roots, false);
    if (to.at_least.empty()) continue;
    const std::uint64_t before = processes ? 0 : around(processors, false).nearest();
    for (std::size_t hops = 1; hops < to.at_least.size(); ++hops) {
      consider_node(bound, problem, v, kSends, before,
                    messages * to.beyond(hops) * (processes ? 1 : parts - 1), hops - 1);
    }
  }
  return bound.value();
}

// Per message processors receive at least n - 1 packets until the first one has the result, and n - 1 more
// until all have: 2 n - 2 in all, none of them in step 1 if no two processors are neighbours.
LowerBound allreduce_received(const Problem& problem) {
  const Graph& graph = problem.graph;
  const std::uint64_t n = graph.processor_count();
  if (n < 2) return {};
  std::uint64_t at_once = 0;
  bool neighbours = false;
  for (NodeId v = 0; v < n; ++v) {
    at_once += intake(graph, v, problem.ports);
    for (PortId p = 0; p < graph.degree(v); ++p) neighbours = neighbours || graph.peer(v, p).node < n;
  }
  return {(neighbours ? 0 : 1) + divide_up(2 * (n - 1) * problem.messages, at_once),
          "packets that all processors receive: 2 n - 2 per message", ""};
}

// On any network: the packets that one processor receives or, if packets are not `copied` on the way, sends,
// and how far away the other processors are.
LowerBound at_processors(const Problem& problem, const Demand& demand, bool copied) {
  const Graph& graph = problem.graph;
  LargestBound bound;
  const Graph transposed = graph.transposed();
  std::uint64_t left = kMostSearched;
  for (const bool gets : {false, true}) {
    if (copied && !gets) continue;
    const Graph& network = gets ? transposed : graph;
    const std::vector<std::uint8_t>&here = gets ? demand.is_destination : demand.is_origin,
          &there = gets ? demand.is_origin : demand.is_destination;
    for (NodeId v = 0; v < graph.processor_count(); ++v) {
      if (here[v] == 0 || graph.link_count() > left) continue;
      left -= graph.link_count();
      const std::uint64_t at_once = problem.ports == PortModel::kAllPort ? network.degree(v)
                                    : gets                               ? intake(graph, v, problem.ports)
                                                                         : 1;
      const std::vector<std::uint32_t> distance = network.distances_from(v);
      std::vector<std::uint64_t> count;
      for (NodeId u = 0; u < graph.processor_count(); ++u) {
        if (there[u] == 0 || u == v) continue;
        count.resize(std::max<std::size_t>(count.size(), std::size_t{distance[u]} + 1), 0);
        ++count[distance[u]];
      }
      std::uint64_t packets = 0;
      for (std::size_t hops = count.size(); hops-- > 1;) {
        packets += count[hops] * demand.messages;
        if (packets == 0) continue;
        bound.consider(
            hops - 1 + divide_up(packets, at_once),
            [&] {
              return fmt::format("{} packets that {} {}, {} hops or more", packets, name(problem, v),
                                 gets ? "gets" : "sends", hops);
            },
            [&] {
              return gets ? must_reach(v, packets, at_once, hops - 1)
                          : must_leave(v, packets, at_once, 0, hops - 1);
            });
      }
    }
  }
  return bound.value();
}

// The largest distance of any two processors, or between the root and a processor.
LowerBound furthest(const Problem& problem, bool rooted) {
  const Graph& graph = problem.graph;
  const auto furthest_of = [&](const std::vector<std::uint32_t>& distance) {
    return *std::max_element(distance.begin(), distance.begin() + graph.processor_count());
  };
  if (rooted) {
    const bool from_root = problem.collective == CollectiveKind::kBroadcast;
    return {furthest_of(from_root ? graph.distances_from(problem.root) : graph.distances_to(problem.root)),
            "distance between the root and the furthest processor", "",
            from_root ? way_between(problem.root, kNoNode) : way_between(kNoNode, problem.root)};
  }
  LargestBound bound;
  std::uint64_t left = kMostSearched;
  for (NodeId v = 0; v < graph.processor_count() && graph.link_count() <= left; ++v) {
    left -= graph.link_count();
    bound.consider(furthest_of(graph.distances_from(v)), "the largest distance of two processors",
                   way_between(v, kNoNode));
  }
  return bound.value();
}

// One-port. Backwards in time each result is a packet that is copied for all processors. That other nodes do
// not combine can only make it take longer.
LowerBound combining_backwards(const Problem& problem, const Branches& branches, const SomeNodes& roots) {
  Problem backwards = problem;
  backwards.collective = roots.size() == 1 ? CollectiveKind::kBroadcast : CollectiveKind::kMultinodeBroadcast;
  backwards.root = roots[0];
  std::vector<std::uint8_t> is_root(problem.graph.node_count(), 0);
  for (const NodeId v : roots.list()) is_root[v] = 1;
  LowerBound bound = dissemination_over(backwards, branches, is_root);
  bound.reason += ", seen backwards in time";
  bound.witness = turned_round(std::move(bound.witness), problem.graph.node_count());
  return bound;
}

// From some processors to all.
Demand demand_to_all(const Problem& problem, const SomeNodes& origins) {
  Demand demand(problem.graph.node_count(), origins.list(),
                SomeNodes{problem.graph.processor_count()}.list());
  demand.messages = problem.messages;
  return demand;
}

}  // namespace

LowerBound routed_bound(const Problem& problem) {
  if (problem.collective == CollectiveKind::kMultipath) return transfer_bound(problem, problem.messages);
  const Graph& graph = problem.graph;
  const std::optional<Branches> branches = Branches::of(graph);
  const CollectiveName& collective = name_of(problem.collective);
  const bool rooted = collective.from == Parties::kRoot || collective.to == Parties::kRoot;
  // All results of an allreduce are equal: they are bounded as one result, at node 0.
  SomeNodes roots =
      some_nodes(rooted ? Parties::kRoot : Parties::kAll, graph.processor_count(), problem.root, {});
  if (collective.handling == Handling::kCombinedOnce) roots = {0, {0}};
  LargestBound bound;
  switch (collective.handling) {
    case Handling::kPersonal: {
      const Demand demand = *demand_of(problem);
      bound.consider(at_processors(problem, demand, false));
      if (branches) bound.consider(exchange_over(problem, *branches, demand));
      const std::optional<FatTree> tree = fat_tree_shape(graph);
      if (tree && problem.collective == CollectiveKind::kTotalExchange &&
          problem.ports == PortModel::kAllPort) {
        bound.consider(fat_tree_exchange_mean_bound(*tree, problem.messages),
                       "mean time of packets between going up a branch of a level and down another");
      }
      break;
    }
    case Handling::kCopied: {
      if (problem.collective == CollectiveKind::kConcurrentBroadcast) break;
      const Demand demand = demand_to_all(problem, roots);
      bound.consider(furthest(problem, rooted));
      bound.consider(at_processors(problem, demand, true));
      if (branches) bound.consider(dissemination_over(problem, *branches, demand.is_origin));
      break;
    }
    case Handling::kCombined:
    case Handling::kCombinedOnce:
      bound.consider(furthest(problem, rooted));
      if (collective.handling == Handling::kCombinedOnce) bound.consider(allreduce_received(problem));
      bound.consider(routed_reduction_bound(problem, roots[0]));
      if (branches)
        bound.consider(combining_over(problem, *branches, demand_to_all(problem, roots).is_origin));
      if (branches && problem.ports == PortModel::kOnePort)
        bound.consider(combining_backwards(problem, *branches, roots));
      break;
    default:  // collectives of scan_nodes
      break;
  }
  return bound.value();
}

}  // namespace safnet
