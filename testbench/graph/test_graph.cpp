#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

const std::vector<std::string>& small_topologies() {
  static const std::vector<std::string> spellings{
      "linear:2",  "linear:3",    "linear:9", "ring:2",      "ring:3",     "ring:4",
      "ring:9",    "mesh:2x2",    "mesh:4x3", "mesh:3x4x2",  "mesh:5",     "torus:2x2",
      "torus:4x4", "torus:2x5x3", "torus:6",  "hypercube:1", "hypercube:4"};
  return spellings;
}

std::uint64_t status_by_search(const Graph& graph, NodeId v) {
  std::uint64_t sum = 0;
  for (const std::uint32_t d : graph.distances_from(v)) sum += d;
  return sum;
}

}  // namespace

TEST_CASE("every port leads to a port that leads back", "[graph]") {
  for (const std::string& spelling : small_topologies()) {
    CAPTURE(spelling);
    const Graph graph = make_topology(spelling);
    std::uint64_t links = 0;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (PortId p = 0; p < graph.degree(v); ++p) {
        const Endpoint there = graph.peer(v, p);
        CHECK(there.node != v);
        CHECK(graph.peer(there.node, there.port) == Endpoint{v, p});
        CHECK(graph.peer(v, graph.port_to(v, there.node).value()).node == there.node);
        ++links;
      }
    }
    CHECK(graph.link_count() == links);
    CHECK(graph.spelling() == spelling);
  }
}

TEST_CASE("port numbers are as documented", "[graph]") {
  const Graph line = make_topology("linear:4");
  CHECK(line.degree(0) == 1);
  CHECK(line.peer(0, 0).node == 1);
  CHECK_THROWS_AS(line.peer(0, 99), std::out_of_range);
  CHECK_THROWS_AS(line.peer(99, 0), std::out_of_range);
  CHECK(line.peer(1, 0).node == 2);  // the higher neighbour first
  CHECK(line.peer(1, 1).node == 0);
  CHECK(line.degree(3) == 1);
  CHECK(line.peer(3, 0).node == 2);

  const Graph ring = make_topology("ring:5");
  CHECK(ring.peer(4, 0) == Endpoint{0, 1});  // port 0 is clockwise
  CHECK(ring.peer(0, 1) == Endpoint{4, 0});
  CHECK(make_topology("ring:2").degree(0) == 1);  // a single edge, not two

  const Graph mesh = make_topology("mesh:3x2");  // node (i, j) is 2 i + j; the ports of i come first
  CHECK(mesh.peer(2, 0).node == 4);
  CHECK(mesh.peer(2, 1).node == 0);
  CHECK(mesh.peer(2, 2).node == 3);
  CHECK(mesh.degree(0) == 2);
  CHECK(mesh.max_degree() == 3);
  CHECK(mesh.min_degree() == 2);

  const Graph cube = make_topology("hypercube:3");
  CHECK(cube.peer(0, 0).node == 4);  // coordinate 0 is the most significant bit
  CHECK(cube.peer(0, 2).node == 1);
}

TEST_CASE("distances, eccentricities and statuses agree with a search", "[graph]") {
  for (const std::string& spelling : small_topologies()) {
    CAPTURE(spelling);
    const Graph graph = make_topology(spelling);
    std::uint64_t total = 0;
    std::uint32_t diameter = 0;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const std::vector<std::uint32_t> distance = graph.distances_from(v);
      const std::uint32_t furthest = *std::max_element(distance.begin(), distance.end());
      CHECK(graph.eccentricity(v) == furthest);
      CHECK(graph.status(v) == status_by_search(graph, v));
      diameter = std::max(diameter, furthest);
      total += graph.status(v);
    }
    CHECK(graph.diameter() == diameter);
    CHECK(graph.total_status() == total);
  }
}

TEST_CASE("statuses of rings and hypercubes follow thesis (4.12) and 5.2", "[graph]") {
  for (std::uint64_t n = 2; n <= 40; ++n) {
    CAPTURE(n);
    CHECK(make_topology("ring:" + std::to_string(n)).status(0) == (n * n - 1 + 3) / 4);
  }
  for (std::uint64_t d = 1; d <= 12; ++d) {
    CAPTURE(d);
    CHECK(make_topology("hypercube:" + std::to_string(d)).status(0) == (d << (d - 1)));
  }
}

TEST_CASE("structure keeps the largest networks cheap", "[graph]") {
  CHECK(make_topology("linear:65536").diameter() == 65535);
  CHECK(make_topology("linear:65536").total_status() == 65536ULL * (65536ULL * 65536 - 1) / 3);
  CHECK(make_topology("mesh:256x256").diameter() == 510);
  CHECK(make_topology("hypercube:16").total_status() == 65536ULL * 16 * 32768);
}

TEST_CASE("translations are automorphisms that keep ports and satisfy thesis (4.16)", "[graph]") {
  for (const std::string spelling :
       {"ring:2", "ring:5", "ring:8", "linear:2", "torus:4x3", "torus:2x3x2", "mesh:2x2", "hypercube:4"}) {
    CAPTURE(spelling);
    const Graph graph = make_topology(spelling);
    REQUIRE(graph.translations());
    const auto& [apply, invert] = *graph.translations();
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      CHECK(apply(v, 0) == v);
      for (NodeId x = 0; x < graph.node_count(); ++x) {
        CHECK(invert(v, apply(v, x)) == x);
        for (PortId p = 0; p < graph.degree(x); ++p) {
          CHECK(graph.peer(apply(v, x), p).node == apply(v, graph.peer(x, p).node));
          const NodeId neighbour = graph.peer(0, p).node;
          CHECK(apply(apply(v, neighbour), x) == apply(v, apply(neighbour, x)));
        }
      }
    }
  }
  CHECK_FALSE(make_topology("linear:3").translations());
  CHECK_FALSE(make_topology("mesh:3x2").translations());
}

TEST_CASE("a product's degrees, distances and eccentricities add over its dimensions", "[graph]") {
  const Graph graph = make_topology("mesh:3x4x2");
  REQUIRE(graph.factors().size() == 3);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const std::vector<NodeId> at = graph.coordinates(v);
    CHECK(graph.node_at(at) == v);
    PortId degree = 0;
    for (std::size_t i = 0; i < at.size(); ++i) degree += graph.factors()[i].degree(at[i]);
    CHECK(graph.degree(v) == degree);
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      const std::vector<NodeId> there = graph.coordinates(u);
      std::uint32_t distance = 0;
      for (std::size_t i = 0; i < at.size(); ++i)
        distance += graph.factors()[i].distances_from(at[i])[there[i]];
      CHECK(graph.distances_from(v)[u] == distance);
    }
  }
}

TEST_CASE("nodes have names and are read from text", "[graph]") {
  const Graph mesh = make_topology("mesh:4x3");
  CHECK(mesh.node_name(5) == "1_2");
  CHECK(mesh.parse_node("5") == 5);
  CHECK(mesh.parse_node("1,2") == 5);
  CHECK(mesh.parse_node("1_2") == 5);
  const Graph cube = make_topology("hypercube:4");
  CHECK(cube.node_name(6) == "0110");
  CHECK(cube.parse_node("0,1,1,0") == 6);
  CHECK(make_topology("ring:12").node_name(11) == "11");
  for (const std::string word :
       {"", "12", "-1", "1,3", "4,0", "1,2,0", "1,", ",", "x", "1.5", "99999999999999999999"}) {
    CAPTURE(word);
    CHECK_THROWS_AS(mesh.parse_node(word), std::invalid_argument);
  }
  CHECK_THROWS_AS(cube.parse_node("0110"), std::invalid_argument);  // index and name at once: refused
}

TEST_CASE("wiring that is not a connected full-duplex graph is refused", "[graph]") {
  using Ports = std::vector<std::vector<Endpoint>>;
  CHECK_NOTHROW(Graph("two", Ports{{{1, 0}}, {{0, 0}}}));
  CHECK_NOTHROW(Graph("parallel edges", Ports{{{1, 1}, {1, 0}}, {{0, 1}, {0, 0}}}));
  CHECK_THROWS_AS(Graph("none", Ports{}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("no such node", Ports{{{2, 0}}, {{0, 0}}}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("no such port", Ports{{{1, 1}}, {{0, 0}}}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("open end", Ports{{{1, 0}, {}}, {{0, 0}}}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("itself", Ports{{{0, 0}}}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("one way", Ports{{{1, 0}}, {{2, 0}}, {{1, 0}}}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("two parts", Ports{{{1, 0}}, {{0, 0}}, {{3, 0}}, {{2, 0}}}), std::invalid_argument);
}

TEST_CASE("what does not fit the graph is refused, with both numbers", "[graph]") {
  const Graph mesh = make_topology("mesh:4x3");
  CHECK_THROWS_WITH(mesh.feeder(0, 2), Catch::Contains("node 0 has no input port 2"));
  CHECK_THROWS_WITH(mesh.coordinates(12), Catch::Contains("no node 12"));
  CHECK_THROWS_WITH(mesh.node_at({1}), Catch::Contains("1 coordinates; expected 2"));
  CHECK_THROWS_WITH(mesh.node_at({1, 3}), Catch::Contains("coordinate 1 is 3; expected 0 to 2"));
  CHECK_THROWS_WITH(mesh.with_factors({mesh, mesh}), Catch::Contains("144 nodes in all; expected 12"));
  CHECK_THROWS_WITH(mesh.with_routers_from(13), Catch::Contains("node 13 on; expected 1 to 12"));
  CHECK_THROWS_WITH(mesh.with_link_timing(std::vector<LinkTiming>(3)),
                    Catch::Contains("3 links; expected 34"));
  CHECK(lowest_port(PortSet{1} << 100) == 100);
}
