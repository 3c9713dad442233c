// What is published of arrays that stand for tori (Varvarigos and Bertsekas 1994, section 2) and of folded
// cubes (Varvarigos, "Efficient routing algorithms for folded-cube networks").
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cpp_model/algorithm/folded_cube/folded_cube.hpp"
#include "cpp_model/algorithm/gossip/translated_broadcast.hpp"
#include "cpp_model/bound/exact.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr auto kAll = PortModel::kAllPort;

std::string cube(std::uint32_t d) { return fmt::format("folded-cube:{}", d); }
std::uint64_t power_of_two(std::uint32_t d) { return std::uint64_t{1} << d; }
std::string square(const char* family, NodeId side) { return fmt::format("{}:{}x{}", family, side, side); }

ClaimCase run_of(const std::string& topology, CollectiveKind collective, const std::string& algorithm,
                 std::uint64_t steps) {
  return {topology, collective, kAll, algorithm, 0, "", steps};
}
ClaimCase printed(ClaimCase entry, std::string what) {
  entry.printed = std::move(what);
  return entry;
}
ClaimCase messages(ClaimCase entry, std::uint32_t count) {
  entry.messages = count;
  return entry;
}

std::function<std::string(const RunOutcome&)> steps_between(std::uint64_t fewest, std::uint64_t most) {
  return [fewest, most](const RunOutcome& o) -> std::string {
    return o.steps >= fewest && o.steps <= most
               ? ""
               : fmt::format("{} steps, {} to {} are claimed", o.steps, fewest, most);
  };
}

// ---- arrays that stand for tori

// On odd rings and tori every link is busy in every step of a total exchange.
std::uint64_t odd_torus_exchange(NodeId side, std::uint32_t dimensions) {
  std::uint64_t steps = (std::uint64_t{side} * side - 1) / 8;
  for (std::uint32_t i = 1; i < dimensions; ++i) steps *= side;
  return steps;
}

std::function<std::string(const RunOutcome&)> busy_for(std::uint64_t steps) {
  return [steps](const RunOutcome& o) -> std::string {
    const std::uint64_t most = o.graph->link_count() * steps;
    const std::uint64_t sends = o.trace->transfers.size();
    return sends == most ? "" : fmt::format("{} packets crossed links, {} are claimed", sends, most);
  };
}

Claim ring_on_array() {
  return {"mesh.A1",
          "meshes 2, Fig. 1",
          "a linear array does what a ring of as many nodes does in twice the steps, all links of the ring "
          "busy all the time: odd rings' total exchange of (p^2 - 1)/8 steps takes (p^2 - 1)/4",
          Finding::kHolds,
          "p = 3, 5, ..., 13; full: to 31",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (NodeId p = 3; p <= (full ? 31U : 13U); p += 2) {
              const std::uint64_t steps = odd_torus_exchange(p, 1);
              ClaimCase on_ring = run_of(fmt::format("ring:{}", p), CollectiveKind::kTotalExchange,
                                         "generator-colouring", steps);
              on_ring.inspect = busy_for(steps);
              cases.push_back(on_ring);
              cases.push_back(run_of(fmt::format("linear:{}", p), CollectiveKind::kTotalExchange,
                                     "array-from-torus", 2 * steps));
            }
            return cases;
          }};
}

Claim torus_on_array() {
  return {
      "mesh.A2",
      "meshes 2, Fig. 1",
      "an array of any dimension does what the torus of the same sides does in twice the steps, all links "
      "of the torus busy all the time",
      Finding::kHolds,
      "p x p, p = 3, 5, and 3 x 3 x 3; full: also p = 7, 9, 5 x 5 x 5 and 3 x 3 x 3 x 3",
      [](bool full) {
        std::vector<std::pair<NodeId, std::uint32_t>> sizes{{3, 2}, {5, 2}, {3, 3}};
        if (full) sizes.insert(sizes.end(), {{7, 2}, {9, 2}, {5, 3}, {3, 4}});
        std::vector<ClaimCase> cases;
        for (const auto& [p, d] : sizes) {
          const std::string sides = fmt::format("{}", fmt::join(std::vector<NodeId>(d, p), "x"));
          const std::uint64_t steps = odd_torus_exchange(p, d);
          ClaimCase on_torus =
              run_of("torus:" + sides, CollectiveKind::kTotalExchange, "generator-colouring", steps);
          on_torus.inspect = busy_for(steps);
          cases.push_back(on_torus);
          cases.push_back(
              run_of("mesh:" + sides, CollectiveKind::kTotalExchange, "array-from-torus", 2 * steps));
        }
        return cases;
      }};
}

Claim torus_multinode_broadcast() {
  return {"mesh.A3",
          "meshes 2, on [15]",
          "multinode broadcast on p x p tori, p >= 3, takes p^2/4 (p even) or (p^2 - 1)/4 steps",
          Finding::kCorrected,
          "p = 2 ... 8, two constructions; full: to 16",
          [](bool full) {
            std::vector<ClaimCase> cases;
            cases.push_back(
                printed(run_of("torus:2x2", CollectiveKind::kMultinodeBroadcast, "translated-broadcast", 2),
                        "p^2/4 = 1 step for p = 2, a ring of four nodes and diameter 2"));
            for (NodeId p = 3; p <= (full ? 16U : 8U); ++p) {
              const std::uint64_t steps = p % 2 == 0 ? p * p / 4 : (p * p - 1) / 4;
              for (const char* name : {"torus-quarter-turns", "translated-broadcast"})
                cases.push_back(run_of(square("torus", p), CollectiveKind::kMultinodeBroadcast, name, steps));
            }
            return cases;
          }};
}

Claim array_multinode_broadcast() {
  return {"mesh.A4",
          "meshes 2, Theorem 1, (2)",
          "multinode broadcast on p x p arrays, p >= 3, takes floor(N/2) steps: twice the torus', and the "
          "corners cannot receive faster. M packets a node, p odd: M (N - 1)/2",
          Finding::kHolds,
          "p = 3 ... 7, M to 3; full: p to 12",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (NodeId p = 3; p <= (full ? 12U : 7U); ++p) {
              cases.push_back(run_of(square("mesh", p), CollectiveKind::kMultinodeBroadcast,
                                     "array-from-torus", p * p / 2));
              if (p % 2 == 0 || p > 7) continue;
              for (std::uint32_t m = 2; m <= 3; ++m) {
                cases.push_back(messages(run_of(square("mesh", p), CollectiveKind::kMultinodeBroadcast,
                                                "array-from-torus", std::uint64_t{m} * (p * p - 1) / 2),
                                         m));
              }
            }
            return cases;
          }};
}

// ---- folded cubes: the network

std::string check_shape(std::uint32_t d) {
  const Graph graph = make_topology(cube(d));
  const std::uint64_t edges = graph.link_count() / 2, expected = (d + 1) * power_of_two(d - 1);
  if (edges != expected) return fmt::format("{} links both ways, expected {}", edges, expected);
  if (graph.min_degree() != d + 1) return fmt::format("a node with {} links", graph.min_degree());
  const std::uint32_t diameter = graph.diameter();
  return diameter == (d + 1) / 2 ? "" : fmt::format("diameter {}", diameter);
}

Claim shape() {
  Claim claim{"folded.B1", "folded cubes 2",
              "a folded cube of d >= 2 dimensions has (d + 1) 2^(d-1) links (both ways as one) and diameter "
              "ceil(d/2)",
              Finding::kHolds, "d = 2 ... 8; full: to 11"};
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 2; d <= (full ? 11U : 8U); ++d)
      checks.push_back({cube(d), [d] { return check_shape(d); }});
    return checks;
  };
  return claim;
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
  for (std::uint32_t j = 0; j <= d; ++j) {
    if (!is_isomorphism(folded_cube_map, d, j)) return fmt::format("V_{} is none", j);
  }
  return {};
}

// The other way up dimension d - 1 - j of F_j goes to dimension d, which F_d is without.
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

Claim isomorphisms() {
  Claim claim{"folded.B2", "folded cubes 2, Lemma 1",
              "without its dimension j a folded cube is a hypercube: V_j(s) = E C^j s maps dimension i to "
              "d + j - i modulo d + 1, if the column vector s has s_(d-1) on top; with s_0 on top it maps i "
              "to i + j + 1",
              Finding::kHolds, "d = 1 ... 7, every j, s and i"};
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 1; d <= 7; ++d)
      checks.push_back({fmt::format("d = {}", d), [d] { return check_isomorphisms(d); }});
    checks.push_back({"s_0 on top", check_upside_down});
    return checks;
  };
  return claim;
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

Claim composition() {
  Claim claim{"folded.B3", "folded cubes 3", "F_c is mapped to F_0, dimension i to i - c, by V_0^-1(V_c(s))",
              Finding::kCorrected, "d = 2 ... 6, every c, s and i"};
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 2; d <= 6; ++d) {
      std::uint32_t wrong = 0;
      for (std::uint32_t c = 0; c <= d; ++c) wrong += check_composition(d, c, true).empty() ? 0 : 1;
      checks.push_back({fmt::format("d = {}", d),
                        [d]() -> std::string {
                          for (std::uint32_t c = 0; c <= d; ++c) {
                            if (std::string fault = check_composition(d, c, false); !fault.empty())
                              return fault;
                          }
                          return {};
                        },
                        wrong == 0 ? "" : fmt::format("V_c(V_0^-1(s)), wrong for {} of {} c", wrong, d + 1)});
    }
    return checks;
  };
  return claim;
}

// All distances from node 0, by search, against (1) times N^2.
std::string check_mean_distance(std::uint32_t d) {
  const std::uint64_t found = searched_status(make_topology(cube(d)), 0);
  const std::uint64_t halves = (d + 1) * (power_of_two(d) - binomial(d, (d + 1) / 2));
  return 2 * found == halves ? "" : fmt::format("sum of distances {}, (1) gives {}/2", found, halves);
}

Claim mean_distance() {
  Claim claim{"folded.B4", "folded cubes 2, (1)",
              "the mean distance is (d + 1)/2 - (d + 1)/(2N) C(d, ceil(d/2))", Finding::kHolds,
              "d = 2 ... 10; full: to 16"};
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 2; d <= (full ? 16U : 10U); ++d)
      checks.push_back({cube(d), [d] { return check_mean_distance(d); }});
    return checks;
  };
  return claim;
}

// ---- folded cubes: one node's collectives, multinode broadcast

Claim single_node_broadcast() {
  return {"folded.B5",
          "folded cubes 3, table",
          "a node's broadcast, and backwards an accumulation, take ceil(d/2) steps",
          Finding::kHolds,
          "d = 2 ... 5; full: to 7",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
              for (const CollectiveKind collective : {CollectiveKind::kBroadcast, CollectiveKind::kReduction})
                cases.push_back(run_of(cube(d), collective, "shortest-path-tree", (d + 1) / 2));
            }
            return cases;
          }};
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

Claim multinode_broadcast() {
  Claim claim{
      "folded.B11", "folded cubes 3",
      "multinode broadcast takes at most ceil(N/(d + 1)) + 2d - 1 steps, on d + 1 hypercubes at once; "
      "the bound ceil((N - 1)/(d + 1)) is met, without splitting packets, by one tree for all nodes",
      Finding::kHolds, "d = 2 ... 5 on hardware, to 8 by numbers; full: d = 2 ... 7, to 12"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
      ClaimCase published = run_of(cube(d), CollectiveKind::kMultinodeBroadcast,
                                   "folded-cube-classes-as-published", class_steps(d));
      published.inspect = steps_between(fewest_multinode_broadcast(d), published_multinode_broadcast(d));
      cases.push_back(published);
      cases.push_back(run_of(cube(d), CollectiveKind::kMultinodeBroadcast, "translated-broadcast",
                             fewest_multinode_broadcast(d)));
      cases.push_back(run_of(cube(d), CollectiveKind::kMultinodeAccumulation, "translated-broadcast",
                             fewest_multinode_broadcast(d)));
    }
    return cases;
  };
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 2; d <= (full ? 12U : 8U); ++d) {
      checks.push_back({fmt::format("{}: one tree, every port once a step", cube(d)), [d]() -> std::string {
                          const auto steps = translated_trees(make_topology(cube(d)), kAll, 1).back().step;
                          return steps == fewest_multinode_broadcast(d) ? "" : fmt::format("{} steps", steps);
                        }});
    }
    return checks;
  };
  return claim;
}

Claim gather_and_scatter() {
  return {"folded.B12",
          "folded cubes 3, table",
          "a node's gather and scatter take as many steps as the multinode broadcast, of which they keep the "
          "ways to the root: at most ceil(N/(d + 1)) + 2d - 1 as published, ceil((N - 1)/(d + 1)) at best",
          Finding::kHolds,
          "d = 2 ... 5; full: to 7",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
              for (const CollectiveKind collective : {CollectiveKind::kGather, CollectiveKind::kScatter}) {
                ClaimCase published = run_of(cube(d), collective, "folded-cube-classes-as-published",
                                             fewest_multinode_broadcast(d));
                published.relation = Relation::kAtLeast;
                published.inspect =
                    steps_between(fewest_multinode_broadcast(d), published_multinode_broadcast(d));
                cases.push_back(published);
                cases.push_back(
                    run_of(cube(d), collective, "translated-broadcast", fewest_multinode_broadcast(d)));
              }
            }
            return cases;
          }};
}

Claim gather_in_parts() {
  return {
      "folded.B13",
      "folded cubes 3",
      "multinode broadcasts that split packets serve the gather too: in d + 1 parts it takes N - 1 steps "
      "of a part each, (N - 1)/(d + 1) of a packet",
      Finding::kRefuted,
      "d = 3, 4, 5 and torus:3x3 in 4 parts; full: d = 2 ... 7",
      [](bool full) {
        std::vector<ClaimCase> cases;
        const std::string what = "algorithms that require the segmentation of packets cannot be used";
        cases.push_back(messages(run_of("torus:3x3", CollectiveKind::kGather, "translated-broadcast", 8), 4));
        for (std::uint32_t d = full ? 2 : 3; d <= (full ? 7U : 5U); ++d) {
          cases.push_back(printed(
              messages(run_of(cube(d), CollectiveKind::kGather, "translated-broadcast", power_of_two(d) - 1),
                       d + 1),
              what));
        }
        return cases;
      }};
}

// ---- folded cubes: total exchange

// (7) in halves of a step.
std::uint64_t exchange_half_steps(std::uint32_t d) { return power_of_two(d) - binomial(d, (d + 1) / 2); }
std::uint64_t fewest_exchange(std::uint32_t d) { return divide_up(exchange_half_steps(d), 2); }
std::string printed_exchange(std::uint32_t d) {
  const std::uint64_t halves = exchange_half_steps(d);
  return fmt::format("{}{} steps", halves / 2, halves % 2 == 0 ? "" : ".5");
}
bool is_power_of_two_less_one(std::uint32_t d) { return std::has_single_bit(d + 1); }

std::string check_critical_sum(std::uint32_t d) {
  const std::uint64_t sum = critical_sum(d, folded_cube_routing_tags(d, MiddleHalf::kBalanced));
  return sum == fewest_exchange(d) ? "" : fmt::format("{} steps, {} are claimed", sum, fewest_exchange(d));
}

Claim even_exchange() {
  Claim claim{"folded.B15", "folded cubes 4", "total exchange for d even takes 2^(d-1) - C(d, d/2)/2 steps",
              Finding::kHolds, "d = 2, 4, 6 on hardware, 8, 10 by colouring"};
  claim.cases = [](bool) {
    std::vector<ClaimCase> cases;
    for (const std::uint32_t d : {2, 4, 6})
      cases.push_back(
          run_of(cube(d), CollectiveKind::kTotalExchange, "folded-cube-exchange", fewest_exchange(d)));
    return cases;
  };
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (const std::uint32_t d : {8, 10})
      checks.push_back({fmt::format("{}: critical sum", cube(d)), [d] { return check_critical_sum(d); }});
    return checks;
  };
  return claim;
}

Claim odd_exchange() {
  Claim claim{"folded.B16", "folded cubes 4",
              "total exchange for d odd takes 2^(d-1) - C(d, ceil(d/2))/2 steps, rounded up",
              Finding::kCorrected, "d = 3, 5 on hardware; full: also 7; 9, 11 by colouring"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (std::uint32_t d = 3; d <= (full ? 7U : 5U); d += 2) {
      ClaimCase entry =
          run_of(cube(d), CollectiveKind::kTotalExchange, "folded-cube-exchange", fewest_exchange(d));
      if (is_power_of_two_less_one(d)) entry.printed = printed_exchange(d);
      cases.push_back(entry);
    }
    return cases;
  };
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (const std::uint32_t d : {9, 11})
      checks.push_back({fmt::format("{}: critical sum", cube(d)), [d] { return check_critical_sum(d); }});
    return checks;
  };
  return claim;
}

Claim exchange_bound() {
  Claim claim{"folded.B17", "folded cubes 4, (7)",
              "no total exchange takes fewer than 2^(d-1) - C(d, ceil(d/2))/2 steps, rounded up: a half is "
              "left over if and only if d = 2^k - 1",
              Finding::kCorrected, "d = 1 ... 40; the critical sum for d = 15"};
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 1; d <= 40; ++d) {
      const bool half = is_power_of_two_less_one(d);
      checks.push_back({fmt::format("d = {}", d),
                        [d, half]() -> std::string {
                          return (exchange_half_steps(d) % 2 == 1) == half ? ""
                                                                           : "the half is not as claimed";
                        },
                        half ? printed_exchange(d) : ""});
    }
    checks.push_back({"d = 15: critical sum 13167", [] { return check_critical_sum(15); }});
    return checks;
  };
  return claim;
}

Claim balanced_middle() {
  Claim claim{
      "folded.B18", "folded cubes 4",
      "for d odd the destinations half-way are parted so that every bit differs in as many of one half as "
      "any other bit, give or take one; halves of equal cardinality are not enough",
      Finding::kCorrected, "d = 5 on hardware; full: also 7; 9 by colouring"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    // All of the half differ in the highest bit: that dimension has the longest queue.
    for (const auto& [d, steps] : std::vector<std::pair<std::uint32_t, std::uint64_t>>{{5, 15}, {7, 61}}) {
      if (d == 7 && !full) continue;
      cases.push_back(
          printed(run_of(cube(d), CollectiveKind::kTotalExchange, "folded-cube-exchange-as-printed", steps),
                  printed_exchange(d)));
    }
    return cases;
  };
  claim.checks = [](bool) {
    return std::vector<ClaimCheck>{{"d = 9: 249 steps against 193", []() -> std::string {
                                      const auto high = folded_cube_routing_tags(9, MiddleHalf::kHighest);
                                      if (critical_sum(9, high) != 249) return "not 249";
                                      return check_critical_sum(9);
                                    }}};
  };
  return claim;
}

// The chain of equalities for the column sum, d odd, times 2d; the third sum from j = `from`.
std::string check_column_sum(std::uint32_t d, std::uint32_t from) {
  const std::uint32_t half = (d + 1) / 2;
  const std::uint64_t middle = binomial(d, half);
  std::uint64_t first = 0, second = 0, third = 0;
  for (std::uint32_t i = 1; i < half; ++i) {
    first += 4 * i * binomial(d, i);
    second += 4 * d * binomial(d - 1, i - 1);
  }
  for (std::uint32_t j = from; j + 1 < half; ++j) third += 4 * d * binomial(d - 1, j);
  const std::uint64_t fourth = d * power_of_two(d) - 2 * d * binomial(d - 1, half - 1);
  const std::uint64_t last = d * exchange_half_steps(d);
  for (const std::uint64_t sum : {first, second, third, fourth}) {
    if (sum + middle != last) return fmt::format("{}/{}, expected {}/{}", sum + middle, 2 * d, last, 2 * d);
  }
  return {};
}

Claim column_sum() {
  Claim claim{"folded.B19", "folded cubes 4", "tau_e for d odd, by four sums; the third counts from j = 0",
              Finding::kMisprint, "d = 3 ... 19"};
  claim.checks = [](bool) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 3; d <= 19; d += 2) {
      checks.push_back({fmt::format("d = {}", d), [d] { return check_column_sum(d, 0); },
                        check_column_sum(d, 1).empty() ? "" : "the third sum from j = 1, 2 less"});
    }
    return checks;
  };
  return claim;
}

Claim utilisation() {
  return {"folded.B20",
          "folded cubes 4",
          "in the total exchange every link is busy in every step, unless d = 2^k - 1",
          Finding::kCorrected,
          "d = 2 ... 6; full: also 7",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (std::uint32_t d = 2; d <= (full ? 7U : 6U); ++d) {
              const std::uint64_t steps = fewest_exchange(d);
              ClaimCase entry =
                  run_of(cube(d), CollectiveKind::kTotalExchange, "folded-cube-exchange", steps);
              const bool half = is_power_of_two_less_one(d);
              const std::uint64_t sends = power_of_two(d) * (d + 1) * exchange_half_steps(d) / 2;
              entry.inspect = [sends, steps, half](const RunOutcome& o) -> std::string {
                const std::uint64_t found = o.trace->transfers.size(), most = o.graph->link_count() * steps;
                if (found != sends) return fmt::format("{} packets crossed links, expected {}", found, sends);
                return (found < most) == half ? "" : fmt::format("{} of {} could cross", found, most);
              };
              if (half) entry.printed = "100% utilisation of the links";
              cases.push_back(entry);
            }
            return cases;
          }};
}

std::string check_greedy(std::uint32_t d) {
  const std::uint64_t most = fewest_exchange(d) + (d + 1) / 2 - 1;
  for (const GreedyRule rule : {GreedyRule::kFurthestFirst, GreedyRule::kClosestFirst, GreedyRule::kAnyOrder,
                                GreedyRule::kPortsInTurn, GreedyRule::kPortsInTurnAny}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::uint32_t steps = greedy_matching_steps(d, rule, seed);
      if (steps > most)
        return fmt::format("rule {}, seed {}: {} steps, at most {}", static_cast<int>(rule), seed, steps,
                           most);
    }
  }
  return {};
}

Claim greedy_exchange() {
  Claim claim{
      "folded.B21", "folded cubes 4",
      "any symmetric greedy scheme takes at most d - 1 steps more than the best; ceil(d/2) - 1 suffice. "
      "Routers that serve the furthest first, each packet's dimensions in an order that rotates, take "
      "none more; but a router's packet waits for one port while others may idle, which is not greedy: the "
      "closest first takes 7 more on d = 7, and in a fixed order 6 on d = 6",
      Finding::kHolds,
      "d = 2 ... 5 on hardware, 5 rules and 5 seeds to d = 8 by numbers; full: d = 2 ... 7, to 9"};
  claim.cases = [](bool full) {
    std::vector<ClaimCase> cases;
    for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
      for (const char* name :
           {"folded-cube-greedy", "folded-cube-greedy-fifo", "folded-cube-greedy-matching"})
        cases.push_back(run_of(cube(d), CollectiveKind::kTotalExchange, name, fewest_exchange(d)));
      // Within d - 1 of the best only as long as little waits for the wrong port.
      ClaimCase slower = run_of(cube(d), CollectiveKind::kTotalExchange, "folded-cube-greedy-closest-first",
                                fewest_exchange(d));
      slower.relation = Relation::kAtLeast;
      if (d <= 6) slower.inspect = steps_between(fewest_exchange(d), fewest_exchange(d) + d - 1);
      if (d == 7) slower.expected_steps += 7;
      cases.push_back(slower);
    }
    if (full) {
      // Not greedy as published: a router's packet waits for the port that its order says, others may idle.
      ClaimCase fixed = run_of(cube(6), CollectiveKind::kTotalExchange,
                               "folded-cube-greedy-ascending-closest-first", fewest_exchange(6) + 6);
      fixed.relation = Relation::kAtLeast;
      cases.push_back(fixed);
    }
    return cases;
  };
  claim.checks = [](bool full) {
    std::vector<ClaimCheck> checks;
    for (std::uint32_t d = 2; d <= (full ? 9U : 8U); ++d)
      checks.push_back({fmt::format("{}: maximal matchings", cube(d)), [d] { return check_greedy(d); }});
    return checks;
  };
  return claim;
}

std::string check_sixteen() {
  if (exchange_half_steps(16) != 2 * 26333) return "the bound is not 26333";
  // d N / (2 (d + 1)) = 30840 and 8/17.
  if (16 * power_of_two(16) / (2 * 17) != 30840) return "the splitting algorithm does not take 30840";
  return power_of_two(15) == 32768 ? "" : "the hypercube does not take 32768";
}

Claim sixteen_dimensions() {
  Claim claim{
      "folded.B22", "folded cubes 4",
      "total exchange for d = 16: at least 26333 steps, 30840 by splitting (rounded down), 32768 on the "
      "hypercube",
      Finding::kHolds, "d = 16"};
  claim.checks = [](bool) { return std::vector<ClaimCheck>{{"numbers", check_sixteen}}; };
  return claim;
}

}  // namespace

std::vector<Claim> mesh_and_folded_cube_claims() {
  return {ring_on_array(),
          torus_on_array(),
          torus_multinode_broadcast(),
          array_multinode_broadcast(),
          shape(),
          isomorphisms(),
          composition(),
          mean_distance(),
          single_node_broadcast(),
          multinode_broadcast(),
          gather_and_scatter(),
          gather_in_parts(),
          even_exchange(),
          odd_exchange(),
          exchange_bound(),
          balanced_middle(),
          column_sum(),
          utilisation(),
          greedy_exchange(),
          sixteen_dimensions()};
}

}  // namespace safnet
