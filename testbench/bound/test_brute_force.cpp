// The searches and bounds that claims of the thesis are held against, on networks worked by hand and against
// others.
#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/thesis/brute_force.hpp"
#include "cpp_model/claim/thesis/distance_bounds.hpp"
#include "cpp_model/graph/disjoint_paths.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fewest_steps.hpp"

using namespace safnet;

TEST_CASE("the fastest one-port broadcast", "[brute_force]") {
  CHECK(searched_broadcast_steps(make_topology("complete:4"), 0) == 2);
  CHECK(searched_broadcast_steps(make_topology("tree:7,1"), 0) == 7);
  CHECK(searched_broadcast_steps(make_topology("torus:3x3"), 0) == 4);
  for (const std::string& word : small_connected_graphs(5)) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    CHECK(searched_broadcast_steps(graph, 0) == testbench::fewest_broadcast_steps(graph, 0));
  }
  CHECK_THROWS_AS(searched_broadcast_steps(make_topology("ring:17"), 0), std::invalid_argument);
}

TEST_CASE("bounds on one-port broadcast by distances", "[brute_force]") {
  CHECK(informed_by(3, 0) == 8);
  CHECK(informed_by(4, 2) == 6 + 4 + 1);
  CHECK(informed_by(2, 3) == 0);
  const Graph star = make_topology("tree:7,1"), mesh = make_topology("mesh:3x3");
  CHECK(nodes_at(star, 0) == std::vector<std::uint64_t>{1, 7});
  CHECK(nodes_at(mesh, 0) == std::vector<std::uint64_t>{1, 2, 3, 2, 1});
  CHECK(theorem_3_3(star, 0) == 3);  // 2^3 nodes
  CHECK(corollary_3_5(star, 0) == 7);
  CHECK(theorem_3_3(mesh, 0) == 4);  // 9 nodes, and the one at distance 4
  for (const std::string& word : small_connected_graphs(5)) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    const std::vector<std::uint64_t> beyond = nodes_at_least(distance_degree_sequence(graph, 0));
    std::uint64_t reported = 0;
    for (std::uint64_t d = 0; d < beyond.size(); ++d)
      reported = std::max(reported, steps_to_inform(d, beyond[d]));
    CHECK(theorem_3_3(graph, 0) == reported);
  }
}

TEST_CASE("the fastest all-port scatter", "[brute_force]") {
  CHECK(searched_scatter_steps(make_topology("complete:4"), 0) == 1);
  CHECK(searched_scatter_steps(make_topology("linear:5"), 0) == 4);
  CHECK(searched_scatter_steps(make_topology("linear:5"), 2) == 2);
  CHECK(searched_scatter_steps(make_topology("torus:3x3"), 4) == 2);
  CHECK(searched_scatter_steps(make_topology("edges:0-1,0-2,1-3,2-3,3-4,3-5"), 0) == 3);  // thesis, Fig. 3.4
  CHECK(searched_scatter_steps(make_topology("edges:0-1,0-2,2-3,2-4"), 0) == 3);
  CHECK(searched_scatter_steps(make_topology("edges:0-1,0-1,1-2,1-2"), 0) == 2);  // links in parallel
  CHECK_THROWS_AS(searched_scatter_steps(make_topology("ring:17"), 0), std::invalid_argument);
}

TEST_CASE("disjoint paths are as many as Menger says", "[brute_force]") {
  CHECK(searched_disjoint_paths(make_topology("linear:4"), 0, 3) == 1);
  CHECK(searched_disjoint_paths(make_topology("complete:5"), 1, 3) == 4);
  CHECK(searched_disjoint_paths(make_topology("petersen"), 0, 7) == 3);
  for (const std::string& word : small_connected_graphs(5)) {
    const Graph graph = make_topology(word);
    for (NodeId u = 1; u < graph.node_count(); ++u) {
      CAPTURE(word, u);
      CHECK(searched_disjoint_paths(graph, 0, u) == node_disjoint_paths(graph, 0, u).size());
    }
  }
}

TEST_CASE("no total exchange takes fewer steps than prices prove", "[brute_force]") {
  CHECK(searched_exchange_bound(make_topology("mesh:3x3"), PortModel::kOnePort) == 18);
  CHECK(searched_exchange_bound(make_topology("tree:5,1"), PortModel::kOnePort) == 25);
  CHECK(searched_exchange_bound(make_topology("linear:9"), PortModel::kAllPort) == 20);
  CHECK(searched_exchange_bound(make_topology("cube-connected-cycles:3"), PortModel::kAllPort) == 36);
  for (const std::string& word : small_connected_graphs(4)) {
    const Graph graph = make_topology(word);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      CAPTURE(word, to_string(ports));
      testbench::PersonalPackets packets(graph, ports);
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        for (NodeId u = 0; u < graph.node_count(); ++u) {
          if (u != v) packets.add(v, u);
        }
      }
      CHECK(searched_exchange_bound(graph, ports) <= packets.fewest_steps());
    }
  }
}
