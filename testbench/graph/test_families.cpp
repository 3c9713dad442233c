// What the families say of themselves against what a breadth-first search finds, and translations against
// their definition.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

const std::vector<std::string>& samples() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list = {
        "linear:2",
        "linear:9",
        "ring:2",
        "ring:3",
        "ring:10",
        "extended-ring:2,1",
        "extended-ring:12,2",
        "extended-ring:9,4",
        "extended-ring:16,8",
        "circulant:7,2,3",
        "circulant:10,3,5",
        "mesh:3x3",
        "torus:2x3x5",
        "hypercube:1",
        "hypercube:6",
        "hypercycle:6/3x5/2x3/1",
        "complete:2",
        "complete:7",
        "generalized-hypercube:3x4x2",
        "cube-connected-cycles:4",
        "cube-connected-cycles:5",
        "butterfly:4",
        "butterfly:5",
        "star:2",
        "star:3",
        "star:5",
        "folded-cube:2",
        "folded-cube:5",
        "doubled-cube:1",
        "doubled-cube:4",
        "tree:1,5",
        "tree:3,2",
        "tree:2,5",
        "fat-tree:2,4",
        "fat-tree:3x2x2,1,3,2",
        "generalized-petersen:7,2",
        "random:20,60,3",
        "edges:0-1,0-2,0-1",
        "product(tree:2,2,ring:4)",
        "product(star:3,cube-connected-cycles:3)",
        "product(product(linear:3,ring:3),complete:4)",
    };
    for (const TopologyFamily& family : topology_families()) {
      if (family.name != "graph") list.push_back(family.example);
    }
    return list;
  }();
  return words;
}

struct Searched {
  std::uint32_t eccentricity = 0;
  std::uint64_t status = 0;
};
Searched search(const Graph& graph, NodeId v) {
  const std::vector<std::uint32_t> distance = graph.distances_from(v);
  return {*std::max_element(distance.begin(), distance.end()),
          std::accumulate(distance.begin(), distance.end(), std::uint64_t{0})};
}

}  // namespace

TEST_CASE("formulas equal what a search finds", "[families]") {
  for (const std::string& word : samples()) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    const DistanceFormulas& formulas = graph.formulas();
    std::uint32_t diameter = 0;
    std::uint64_t total = 0;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const Searched found = search(graph, v);
      diameter = std::max(diameter, found.eccentricity);
      total += found.status;
      CHECK(graph.eccentricity(v) == found.eccentricity);
      CHECK(graph.status(v) == found.status);
      if (formulas.degree) CHECK(formulas.degree(v) == graph.degree(v));
      if (formulas.eccentricity) CHECK(formulas.eccentricity(v) == found.eccentricity);
      if (formulas.status) CHECK(formulas.status(v) == found.status);
    }
    CHECK(graph.diameter() == diameter);
    CHECK(graph.total_status() == total);
    if (formulas.diameter) CHECK(*formulas.diameter == diameter);
    if (formulas.total_status) CHECK(*formulas.total_status == total);
  }
}

TEST_CASE("every family of the thesis has formulas for degree and diameter", "[families]") {
  for (const TopologyFamily& family : topology_families()) {
    if (family.name == "graph" || family.name == "circulant" || family.name == "random" ||
        family.name == "edges" || family.name == "generalized-petersen" || family.name == "dgx-1" ||
        family.name == "links" || family.name == "transpose" || family.name == "routers" ||
        family.name == "group" || family.name == "without") {
      continue;
    }
    CAPTURE(family.name);
    const Graph graph = make_topology(family.example);
    CHECK(graph.formulas().degree);
    CHECK(graph.formulas().diameter);
    CHECK(!graph.formulas().source.empty());
  }
  for (const char* word : {"linear:8", "ring:9", "extended-ring:14,2", "mesh:4x3", "torus:4x5", "hypercube:4",
                           "hypercycle:8/2x6/1", "complete:8", "generalized-hypercube:3x4", "star:4"}) {
    CAPTURE(word);
    CHECK(make_topology(word).formulas().status);
    CHECK(make_topology(word).formulas().total_status);
  }
}

TEST_CASE("extended rings to 64 nodes have the degree, diameter and status of the thesis", "[families]") {
  int graphs = 0;
  for (NodeId n = 2; n <= 64; ++n) {
    for (NodeId rho = 1; rho <= n / 2; ++rho, ++graphs) {
      const Graph graph = extended_ring(n, rho);
      const Searched found = search(graph, 0);
      CAPTURE(n, rho);
      REQUIRE(graph.degree(0) == (2 * rho == n ? 2 * rho - 1 : 2 * rho));
      REQUIRE(*graph.formulas().diameter == found.eccentricity);
      REQUIRE(graph.formulas().status(0) == found.status);
    }
  }
  CHECK(graphs == 1024);
}

TEST_CASE("translations are automorphisms that keep ports and act regularly", "[families]") {
  int cayley = 0;
  for (const std::string& word : samples()) {
    const Graph graph = make_topology(word);
    if (!graph.translations()) continue;
    ++cayley;
    CAPTURE(word);
    const Translations& t = *graph.translations();
    const NodeId n = graph.node_count();
    const NodeId stride = n > 200 ? n / 50 : 1;
    for (NodeId v = 0; v < n; v += stride) {
      REQUIRE(t.apply(v, 0) == v);
      for (NodeId x = 0; x < n; ++x) {
        const NodeId image = t.apply(v, x);
        REQUIRE(t.invert(v, image) == x);
        for (PortId p = 0; p < graph.degree(x); ++p) {
          REQUIRE(graph.peer(image, p).node == t.apply(v, graph.peer(x, p).node));
          REQUIRE(graph.peer(image, p).port == graph.peer(x, p).port);
        }
        // (4.16): translating by the image of a equals translating by a, then by v.
        if (n <= 24) {
          for (NodeId a = 0; a < n; ++a) REQUIRE(t.apply(t.apply(v, a), x) == t.apply(v, t.apply(a, x)));
        }
      }
    }
  }
  CHECK(cayley >= 20);
}

TEST_CASE("families that must have translations have them", "[families]") {
  for (const char* word :
       {"ring:8", "extended-ring:14,2", "circulant:12,1,3", "torus:4x4", "hypercube:4", "hypercycle:8/2x6/1",
        "complete:8", "generalized-hypercube:3x4", "cube-connected-cycles:3", "butterfly:3", "star:4",
        "folded-cube:4", "product(star:3,ring:4)", "linear:2"}) {
    CAPTURE(word);
    CHECK(make_topology(word).translations().has_value());
  }
  for (const char* word : {"linear:3", "mesh:3x2", "tree:2,3", "product(ring:4,linear:3)"}) {
    CAPTURE(word);
    CHECK(!make_topology(word).translations().has_value());
  }
}

TEST_CASE("sizes of the families", "[families]") {
  const auto shape = [](const char* word) {
    const Graph graph = make_topology(word);
    return std::vector<std::uint64_t>{graph.node_count(), graph.link_count(), graph.max_degree(),
                                      graph.diameter()};
  };
  using Shape = std::vector<std::uint64_t>;
  CHECK(shape("extended-ring:14,2") == Shape{14, 56, 4, 4});
  CHECK(shape("extended-ring:6,3") == Shape{6, 30, 5, 1});
  CHECK(shape("circulant:12,1,3") == Shape{12, 48, 4, 3});
  CHECK(shape("hypercycle:8/2x6/1") == Shape{48, 288, 6, 5});
  CHECK(shape("complete:8") == Shape{8, 56, 7, 1});
  CHECK(shape("generalized-hypercube:3x4") == Shape{12, 60, 5, 2});
  CHECK(shape("cube-connected-cycles:3") == Shape{24, 72, 3, 6});
  CHECK(shape("butterfly:3") == Shape{24, 96, 4, 4});
  CHECK(shape("star:4") == Shape{24, 72, 3, 4});
  CHECK(shape("folded-cube:4") == Shape{16, 80, 5, 2});
  CHECK(shape("doubled-cube:4") == Shape{16, 128, 8, 4});
  CHECK(shape("fat-tree:2,3") == Shape{15, 28, 3, 6});
  CHECK(shape("fat-tree:2,3,exponential") == Shape{15, 48, 8, 6});
  CHECK(shape("tree:2,3") == Shape{15, 28, 3, 6});
  CHECK(shape("product(ring:4,linear:3)") == Shape{12, 40, 4, 4});
}

TEST_CASE("random graphs have the edges asked for and depend on the seed alone", "[families]") {
  for (const char* word :
       {"random:2,1,0", "random:9,8,5", "random:9,20,5", "random:9,36,5", "random:40,300,9"}) {
    CAPTURE(word);
    const Graph graph = make_topology(word), again = make_topology(word);
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (PortId p = 0; p < graph.degree(v); ++p) {
        edges.emplace_back(v, graph.peer(v, p).node);
        CHECK(graph.peer(v, p) == again.peer(v, p));
      }
    }
    std::sort(edges.begin(), edges.end());
    CHECK(std::adjacent_find(edges.begin(), edges.end()) == edges.end());
    CHECK(edges.size() == graph.link_count());
  }
  CHECK(make_topology("random:9,20,5").link_count() == 40);
  const Graph a = make_topology("random:9,20,5"), b = make_topology("random:9,20,6");
  bool same = true;
  for (NodeId v = 0; v < 9; ++v) same = same && a.degree(v) == b.degree(v) && a.peer(v, 0) == b.peer(v, 0);
  CHECK(!same);
}

TEST_CASE("a product of products has all their dimensions", "[families]") {
  const Graph graph = make_topology("product(mesh:3x2,ring:4)");
  CHECK(graph.spelling() == "product(mesh:3x2,ring:4)");
  CHECK(graph.family() == "product");
  CHECK(graph.coordinates(graph.node_count() - 1) == std::vector<NodeId>{2, 1, 3});
}

TEST_CASE("nodes have the names that their family gives them", "[families]") {
  CHECK(make_topology("cube-connected-cycles:3").node_name(3 * 5 + 2) == "w101_2");
  CHECK(make_topology("cube-connected-cycles:3").parse_node("w101_2") == 3 * 5 + 2);
  CHECK(make_topology("star:4").node_name(0) == "s1234");
  CHECK(make_topology("star:4").node_name(23) == "s4321");
  CHECK(make_topology("folded-cube:4").node_name(5) == "b0101");
  CHECK(make_topology("star:4").parse_node("7") == 7);
  CHECK_THROWS_AS(make_topology("star:4").parse_node("s1235"), std::invalid_argument);
}
