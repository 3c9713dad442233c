// Folded cubes (Varvarigos, "Efficient routing algorithms for folded-cube networks"): the network (B1 to B4),
// collectives of one node and multinode broadcast (B5, B11 to B13).
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"
#include "cpp_model/algorithm/gossip/translated_trees.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::uint64_t power_of_two(std::uint32_t d) { return std::uint64_t{1} << d; }
std::string cube(std::uint32_t d) { return fmt::format("folded-cube:{}", d); }

std::string check_shape(std::uint32_t d) {
  const Graph graph = make_topology(cube(d));
  const std::uint64_t edges = graph.link_count() / 2, expected = (d + 1) * power_of_two(d - 1);
  if (edges != expected) return fmt::format("{} links both ways, expected {}", edges, expected);
  if (graph.min_degree() != d + 1) return fmt::format("a node with {} links", graph.min_degree());
  const std::uint32_t diameter = graph.diameter();
  return unless(diameter == (d + 1) / 2, "diameter {}", diameter);
}

Checks shape_checks(bool full) {
  return check_each(range<std::uint32_t>(2, full ? 11 : 8), cube, check_shape);
}

using NodeMap = NodeId (*)(std::uint32_t d, std::uint32_t j, NodeId s);

// Does the map take dimension i to d + j - i, from every node, and is it one to one?
bool is_isomorphism(NodeMap map, std::uint32_t d, std::uint32_t j) {
  std::vector<std::uint8_t> met(power_of_two(d), 0);
  for (NodeId s = 0; s < met.size(); ++s) {
    if (met[map(d, j, s)]++ != 0) return false;
    for (std::uint32_t i = 0; i <= d; ++i) {
      if (i == j) continue;
      const NodeId to = map(d, j, s ^ folded_cube_generator(d, i));
      if (to != (map(d, j, s) ^ folded_cube_generator(d, (d + j - i) % (d + 1)))) return false;
    }
  }
  return true;
}

std::string check_isomorphisms(std::uint32_t d) {
  return first_fault(range<std::uint32_t>(0, d), [d](std::uint32_t j) {
    return unless(is_isomorphism(folded_cube_map, d, j), "V_{} is none", j);
  });
}

// Upside down, dimension i of F_j goes to i + j + 1, so d - 1 - j goes to d, which F_d does not have.
std::string check_upside_down() {
  for (std::uint32_t d = 1; d <= 7; ++d) {
    for (std::uint32_t j = 0; j <= d; ++j) {
      for (NodeId s = 0; s < power_of_two(d); ++s) {
        const NodeId at = folded_cube_map_upside_down(d, j, s);
        for (std::uint32_t i = 0; i <= d; ++i) {
          const NodeId to = folded_cube_map_upside_down(d, j, s ^ folded_cube_generator(d, i));
          if (to != (at ^ folded_cube_generator(d, (i + j + 1) % (d + 1))))
            return fmt::format("d = {}, j = {}: dimension {} does not go to i + j + 1", d, j, i);
        }
      }
    }
  }
  return {};
}

Checks isomorphisms_checks(bool) {
  return joined(check_each(range<std::uint32_t>(1, 7), "d = {}, every j, s and i", check_isomorphisms),
                {{"s_0 on top, d = 1 ... 7, every j, s and i", check_upside_down}});
}

// V_0^-1(V_c(s)), or as printed V_c(V_0^-1(s)): does it take dimension i of F_c to i - c?
std::string check_composition(std::uint32_t d, std::uint32_t c, bool as_printed) {
  std::vector<NodeId> inverse(power_of_two(d));
  for (NodeId s = 0; s < inverse.size(); ++s) inverse[folded_cube_map(d, 0, s)] = s;
  const auto map = [&](NodeId s) {
    return as_printed ? folded_cube_map(d, c, inverse[s]) : inverse[folded_cube_map(d, c, s)];
  };
  for (NodeId s = 0; s < inverse.size(); ++s) {
    for (std::uint32_t i = 0; i <= d; ++i) {
      if (i == c) continue;
      const NodeId wanted = map(s) ^ folded_cube_generator(d, (i + d + 1 - c) % (d + 1));
      if (map(s ^ folded_cube_generator(d, i)) != wanted)
        return fmt::format("c = {}: dimension {} of node {} goes elsewhere", c, i, s);
    }
  }
  return {};
}

void composition_checks(bool, Checks& checks) {
  for (std::uint32_t d = 2; d <= 6; ++d) {
    const auto all_c = range<std::uint32_t>(0, d);
    checks.push_back(
        {.name = fmt::format("d = {}, every c, s and i", d),
         .check =
             [=] {
               return first_fault(all_c, [d](std::uint32_t c) { return check_composition(d, c, false); });
             },
         .printed = Printed<>{{kExactly, d + 1, "c for which dimensions go to i - c", "V_c(V_0^-1(s))"}, [=] {
                                return Rational(std::ranges::count_if(all_c, [d](std::uint32_t c) {
                                  return check_composition(d, c, true).empty();
                                }));
                              }}});
  }
}

// All distances from node 0, by search, against (1) times N^2.
std::string check_mean_distance(std::uint32_t d) {
  const std::uint64_t found = searched_status(make_topology(cube(d)), 0);
  const std::uint64_t halves = (d + 1) * (power_of_two(d) - binomial(d, (d + 1) / 2));
  return unless(2 * found == halves, "sum of distances {}, (1) gives {}/2", found, halves);
}

Checks mean_distance_checks(bool full) {
  return check_each(range<std::uint32_t>(2, full ? 16 : 10), cube, check_mean_distance);
}

void single_node_broadcast_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    for (const CollectiveKind collective : {kBroadcast, kReduction})
      cases.push_back(all_port_case(cube(d), collective, "shortest-path-tree", (d + 1) / 2));
  }
}

// d steps of packing, then ceil(packets / 2^k) for every dimension.
std::uint64_t class_steps(std::uint32_t d) {
  const std::uint64_t packets = divide_up(power_of_two(d), d + 1);
  std::uint64_t steps = d;
  for (std::uint32_t k = 1; k <= d; ++k) steps += divide_up(packets, power_of_two(k));
  return steps;
}

std::uint64_t published_multinode_broadcast(std::uint32_t d) {
  return divide_up(power_of_two(d), d + 1) + 2 * d - 1;
}

std::uint64_t fewest_multinode_broadcast(std::uint32_t d) { return divide_up(power_of_two(d) - 1, d + 1); }

void multinode_broadcast_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    const std::uint64_t fewest = fewest_multinode_broadcast(d);
    cases.push_back(all_port_case(cube(d), kMultinodeBroadcast, "folded-cube-classes-as-published",
                                  class_steps(d), steps_between(fewest, published_multinode_broadcast(d))));
    for (const CollectiveKind collective : {kMultinodeBroadcast, kMultinodeAccumulation})
      cases.push_back(all_port_case(cube(d), collective, "translated-broadcast", fewest));
  }
}

Checks multinode_broadcast_checks(bool full) {
  return check_each(range<std::uint32_t>(2, full ? 12 : 8),
                    "folded-cube:{}: one tree, every port once a step", [](std::uint32_t d) {
                      const auto steps = translated_trees(make_topology(cube(d)), kAllPort, 1).back().step;
                      return unless(steps == fewest_multinode_broadcast(d), "{} steps", steps);
                    });
}

void gather_and_scatter_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    const std::uint64_t fewest = fewest_multinode_broadcast(d);
    for (const CollectiveKind collective : {kGather, kScatter}) {
      cases.push_back(at_most_on_routers(
          all_port_case(cube(d), collective, "folded-cube-classes-as-published", class_steps(d),
                        steps_between(fewest, published_multinode_broadcast(d)))));
      cases.push_back(all_port_case(cube(d), collective, "translated-broadcast", fewest));
    }
  }
}

void gather_in_parts_runs(bool full, Cases& cases) {
  cases.push_back(messages(all_port_case("torus:3x3", kGather, "translated-broadcast", 8), 4));
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    const std::uint64_t parts = (power_of_two(d) - 1) * (d + 1);
    cases.push_back(
        printed(messages(all_port_case(cube(d), kGather, "translated-broadcast", power_of_two(d) - 1), d + 1),
                {{kExactly, 0, "complete gathers in parts", "algorithms that segment packets cannot be used"},
                 [parts](const RunOutcome& o) { return Rational(o.deliveries / parts); }}));
  }
}

}  // namespace

std::vector<Claim> folded_cube_claims() {
  return {
      claim("folded.B1", "folded cubes 2", kHolds,
            "a folded cube of d >= 2 dimensions has (d + 1) 2^(d-1) links (both ways as one) and diameter "
            "ceil(d/2)",
            shape_checks),
      claim("folded.B2", "folded cubes 2, Lemma 1", kHolds,
            "without its dimension j a folded cube is a hypercube: V_j(s) = E C^j s maps dimension i to d + "
            "j - i modulo d + 1, if the column vector s has s_(d-1) on top; with s_0 on top it maps i to i + "
            "j + 1",
            isomorphisms_checks),
      claim("folded.B3", "folded cubes 3", kCorrected,
            "F_c is mapped to F_0, dimension i to i - c, by V_0^-1(V_c(s))", composition_checks),
      claim("folded.B4", "folded cubes 2, (1)", kHolds,
            "the mean distance is (d + 1)/2 - (d + 1)/(2N) C(d, ceil(d/2))", mean_distance_checks),
      claim("folded.B5", "folded cubes 3, table", kHolds,
            "a node's broadcast, and backwards an accumulation, take ceil(d/2) steps",
            single_node_broadcast_runs),
      claim("folded.B11", "folded cubes 3", kHolds,
            "multinode broadcast takes at most ceil(N/(d + 1)) + 2d - 1 steps, on d + 1 hypercubes at once; "
            "the bound ceil((N - 1)/(d + 1)) is met, without splitting packets, by one tree for all nodes",
            multinode_broadcast_runs, multinode_broadcast_checks),
      claim(
          "folded.B12", "folded cubes 3, table", kHolds,
          "a node's gather and scatter take as many steps as the multinode broadcast, of which they keep the "
          "ways to the root (routers that follow its plan at most that): at most ceil(N/(d + 1)) + 2d - 1 as "
          "published, ceil((N - 1)/(d + 1)) at best",
          gather_and_scatter_runs),
      claim("folded.B13", "folded cubes 3", kRefuted,
            "multinode broadcasts that split packets serve the gather too: in d + 1 parts it takes N - 1 "
            "steps of a part each, (N - 1)/(d + 1) of a packet",
            gather_in_parts_runs)};
}

}  // namespace safnet
