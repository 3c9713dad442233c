// Thesis chapter 2, networks: what is run for each statement and what must come out. Distances are read off
// the hardware: an all-port broadcast reaches a node in the step that is its distance.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/thesis/brute_force.hpp"
#include "cpp_model/graph/disjoint_paths.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

ClaimCase all_port_broadcast(const std::string& topology, NodeId root, std::uint64_t steps,
                             Inspection inspect) {
  return {topology, kBroadcast, kAllPort, "shortest-path-tree", root, "", steps, std::move(inspect)};
}

// A few nodes; all of them if `full`.
std::vector<NodeId> sources(const Graph& graph, bool full) {
  return full ? range<NodeId>(0, graph.node_count() - 1) : claim_sources(graph);
}

std::uint64_t searched_eccentricity(const Graph& graph, NodeId v) {
  const auto distance = graph.distances_from(v);
  return *std::max_element(distance.begin(), distance.end());
}

// (2.3): a delivery at u comes in the step that is the sum of the distances in the dimensions; (2.1): the
// degree is the sum of the degrees.
std::string check_sums(const RunOutcome& outcome, NodeId root) {
  const Graph& graph = *outcome.graph;
  const auto origin = graph.coordinates(root);
  std::vector<std::vector<std::uint32_t>> distance;
  for (std::size_t i = 0; i < origin.size(); ++i)
    distance.push_back(graph.factors()[i].distances_from(origin[i]));
  for (const Delivery& d : outcome.trace->deliveries) {
    const auto at = graph.coordinates(d.node);
    std::uint32_t hops = 0, degree = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      hops += distance[i][at[i]];
      degree += graph.factors()[i].degree(at[i]);
    }
    if (d.step != hops)
      return fmt::format("node {} reached in step {}, expected {}", graph.node_name(d.node), d.step, hops);
    if (graph.degree(d.node) != degree)
      return fmt::format("node {} has degree {}, expected {}", graph.node_name(d.node), graph.degree(d.node),
                         degree);
  }
  return unless(outcome.trace->deliveries.size() + 1 == graph.node_count(), "not all nodes were reached");
}

void sums_over_dimensions_runs(bool full, Cases& cases) {
  for (const std::string& word :
       listed("mesh:4x3 torus:3x5 generalized-hypercube:3x4 hypercycle:8/2x6/1 "
              "product(generalized-petersen:5,2,linear:3) product(random:7,9,1,linear:4) "
              "product(random:6,8,2,random:5,6,3) product(tree:2,2,ring:4)")) {
    const Graph graph = make_topology(word);
    for (const NodeId root : sources(graph, full)) {
      const auto origin = graph.coordinates(root);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < origin.size(); ++i)
        sum += searched_eccentricity(graph.factors()[i], origin[i]);
      cases.push_back(
          all_port_broadcast(word, root, sum, [root](const RunOutcome& o) { return check_sums(o, root); }));
    }
  }
}

// Deliveries per step, from the first.
std::vector<std::uint64_t> deliveries_per_step(const Trace& trace) {
  std::vector<std::uint64_t> count;
  for (const Delivery& d : trace.deliveries) {
    if (count.size() < d.step) count.resize(d.step);
    ++count[d.step - 1];
  }
  return count;
}

// Nodes at distance 1, 2, ... in a product whose dimensions look alike from every node.
std::vector<std::uint64_t> product_sequence(const Graph& graph) {
  std::vector<std::uint64_t> product{1};
  for (const Graph& factor : graph.factors()) {
    const auto distance = factor.distances_from(0);
    std::vector<std::uint64_t> next(product.size() + searched_eccentricity(factor, 0), 0);
    for (std::size_t i = 0; i < product.size(); ++i) {
      for (const std::uint32_t d : distance) next[i + d] += product[i];
    }
    product = std::move(next);
  }
  product.erase(product.begin());
  return product;
}

void products_of_symmetric_runs(bool full, Cases& cases) {
  for (const std::string& word :
       listed("torus:4x3 hypercube:4 hypercycle:8/2x6/1 generalized-hypercube:3x4 product(star:3,ring:4) "
              "product(generalized-petersen:5,2,ring:3) product(cube-connected-cycles:3,linear:2)")) {
    const Graph graph = make_topology(word);
    const std::vector<std::uint64_t> sequence = product_sequence(graph);
    for (const NodeId v : sources(graph, full)) {
      cases.push_back(all_port_broadcast(word, v, sequence.size(), [sequence](const RunOutcome& o) {
        return unless(deliveries_per_step(*o.trace) == sequence, "other numbers of nodes per distance");
      }));
    }
  }
}

// The sum of Theorem 2.1: in each dimension the disjoint paths between the two coordinates, or the neighbours
// where they are equal.
std::uint64_t stated_paths(const Graph& graph, NodeId v, NodeId u) {
  const auto from = graph.coordinates(v), to = graph.coordinates(u);
  std::uint64_t paths = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Graph& factor = graph.factors()[i];
    paths += from[i] == to[i] ? factor.degree(from[i]) : searched_disjoint_paths(factor, from[i], to[i]);
  }
  return paths;
}

// All ordered pairs of nodes of a product; what is wrong with the first wrong one.
std::string check_all_pairs(const Graph& graph) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      if (v == u) continue;
      const std::vector<Path> paths = product_paths(graph, v, u);
      std::string wrong = why_not_disjoint(graph, v, u, paths);
      if (wrong.empty() && paths.size() != stated_paths(graph, v, u)) wrong = "not as many as stated";
      if (!wrong.empty()) return fmt::format("{} to {}: {}", graph.node_name(v), graph.node_name(u), wrong);
    }
  }
  return {};
}

// The most packets that a node passes on which is not their origin.
std::uint64_t most_passed_on(const RunOutcome& outcome) {
  std::map<NodeId, std::uint64_t> passed;
  std::uint64_t most = 0;
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.packet.source != t.from) most = std::max(most, ++passed[t.from]);
  }
  return most;
}

// So many packets arrive, each over its own way: no node passes on two, and as disjoint ways are never
// shared, each packet arrives in the step that is the number of its hops.
std::string check_node_disjoint(const RunOutcome& outcome, std::uint64_t paths) {
  const std::vector<Delivery>& arrived = outcome.trace->deliveries;
  if (arrived.size() != paths) return fmt::format("{} packets arrive, expected {}", arrived.size(), paths);
  std::map<PacketId, std::uint64_t> hops;
  for (const Transfer& t : outcome.trace->transfers) ++hops[t.packet];
  for (const Delivery& d : arrived) {
    if (d.step != hops[d.packet])
      return fmt::format("a packet of {} hops arrives in step {}", hops[d.packet], d.step);
  }
  return unless(most_passed_on(outcome) <= 1, "a node passes on {} packets", most_passed_on(outcome));
}

// Its steps are those of the longest way, no fewer than the distance.
ClaimCase multipath(const Graph& graph, NodeId root, NodeId destination, const std::string& algorithm,
                    Inspection inspect) {
  ClaimCase wanted{
      graph.spelling(),  kMultipath, kAllPort, algorithm, root, "", graph.distances_from(root)[destination],
      std::move(inspect)};
  wanted.destination = destination;
  return wanted;
}

void disjoint_paths_claim_runs(bool full, Cases& cases) {
  for (const std::string& word :
       listed("mesh:3x3 mesh:3x4x2 torus:4x3 hypercube:4 product(generalized-petersen:5,2,linear:3)")) {
    const Graph graph = make_topology(word);
    for (const NodeId v : sources(graph, full)) {
      for (NodeId u = 0; u < graph.node_count(); u += full ? 1 : 3) {
        if (u == v) continue;
        const auto inspect = [paths = stated_paths(graph, v, u)](const RunOutcome& o) {
          return check_node_disjoint(o, paths);
        };
        cases.push_back(at_least(multipath(graph, v, u, "disjoint-paths", inspect)));
      }
    }
  }
  // Both ways from corner to corner pass the middle, which lies half-way on both.
  cases.push_back(printed(multipath(make_topology("mesh:3x3"), 0, 8, "disjoint-paths-as-printed", {}),
                          {{kAtMost, 1, "packets passed on by a node"}, most_passed_on}));
}

Checks disjoint_paths_claim_checks(bool full) {
  return check_each(with_more(full,
                              "mesh:3x3 mesh:3x4x2 torus:4x3 torus:5x5 hypercube:4 "
                              "product(generalized-petersen:5,2,linear:3)",
                              "mesh:5x4 hypercycle:8/2x6/1 generalized-hypercube:3x4x2 "
                              "product(random:6,9,1,random:7,9,2) product(tree:2,2,complete:4,linear:3)"),
                    "{}: corrected paths of all pairs of nodes",
                    [](const std::string& word) { return check_all_pairs(make_topology(word)); });
}

void degrees_and_diameters_runs(bool full, Cases& cases) {
  // Every neighbour of the root gets the packet in step 1.
  const auto run = [&](const std::string& word, NodeId root, std::uint64_t degree, std::uint64_t steps) {
    cases.push_back(all_port_broadcast(word, root, steps, [degree](const RunOutcome& o) {
      const auto found = deliveries_per_step(*o.trace);
      const std::uint64_t neighbours = found.empty() ? 0 : found[0];
      return unless(neighbours == degree, "{} neighbours, expected {}", neighbours, degree);
    }));
  };
  for (const ExtendedRingSize& ring : extended_rings(full ? 64 : 16))
    run(ring.word(), 0, ring.degree(), ring.d());
  run("ring:9", 0, 2, 4);
  run("torus:5x5", 0, 4, 4);
  run("torus:4x4x4", 0, 6, 6);
  run("hypercube:6", 0, 6, 6);
  run("hypercycle:8/2x6/1", 0, 6, 5);
  run("hypercycle:7/2x5/2", 0, 8, 3);
  // The diameter from a corner, the degree in the middle.
  run("linear:9", 0, 1, 8);
  run("linear:9", 4, 2, 4);
  run("mesh:5x5", 0, 2, 8);
  run("mesh:5x5", 12, 4, 4);
  run("mesh:4x3x2", 0, 3, 6);
  run("mesh:4x3x2", (2 * 3 + 1) * 2, 5, 4);
}

// Degree and diameter of the extended rings of n nodes.
std::string check_extended_rings(NodeId n) {
  for (NodeId rho = 1; rho <= n / 2; ++rho) {
    const Graph graph = extended_ring(n, rho);
    const ExtendedRingSize expected{n, rho};
    if (graph.degree(0) != expected.degree() || searched_eccentricity(graph, 0) != expected.d())
      return expected.word();
  }
  return {};
}

Checks extended_rings_checks(bool) {
  return check_each(std::vector<NodeId>{64}, "degree and diameter of all extended rings of 2 to {} nodes",
                    [](NodeId most) { return first_fault(range<NodeId>(2, most), check_extended_rings); });
}

}  // namespace

std::vector<Claim> network_claims() {
  return {claim("thesis.N1", "2.1.1, (2.1)-(2.3)", kHolds,
                "degree, eccentricity and distance in a product are sums over its dimensions",
                sums_over_dimensions_runs),
          claim("thesis.N2", "2.1.2", kHolds,
                "a product of node-symmetric graphs looks the same from every node: equal distance degree "
                "sequences",
                products_of_symmetric_runs),
          claim("thesis.N3", "2.2, Theorem 2.1", kCorrected,
                "p_1 + ... + p_k node-disjoint paths in a product; every class must correct its dimension "
                "along the first path completely before it goes on to the others",
                disjoint_paths_claim_runs, disjoint_paths_claim_checks),
          claim("thesis.N4", "2.3", kHolds,
                "degrees and diameters of the networks; an extended ring's diameter is ceil(floor(n/2)/rho)",
                degrees_and_diameters_runs, extended_rings_checks)};
}

}  // namespace safnet
