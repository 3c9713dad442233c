#include <map>
#include <set>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"
#include "cpp_model/claim/torus/torus_definitions.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

NodeId node(const MultidimensionalTorus& torus, const std::string& digits) {
  NodeId v = 0;
  for (const char c : digits) v = v * torus.radix() + static_cast<NodeId>(c - '0');
  REQUIRE(torus.label_text(v) == digits);
  return v;
}

// The counts of necklaces, from the orbits of all nodes.
NecklaceCounts counted(const MultidimensionalTorus& torus) {
  NecklaceCounts counts;
  counts.nodes = torus.node_count();
  std::map<std::uint32_t, std::uint32_t> by_displacement;
  for (std::uint32_t i = 0; i < torus.label_count(); ++i) by_displacement[i] = 0;
  for (NodeId v = 0; v < torus.node_count(); ++v) {
    if (!torus.is_full(v)) ++counts.nonfull;
    if (torus.generator(v) == v) ++counts.necklaces;
    if (v != 0) ++by_displacement[torus.displacement(v)];
  }
  counts.smallest = by_displacement.begin()->second;
  for (const auto& [displacement, nodes] : by_displacement) {
    if (nodes < counts.smallest) counts.smallest = nodes;
    if (nodes > counts.largest) counts.largest = nodes;
  }
  return counts;
}

}  // namespace

TEST_CASE("the examples of the report", "[torus][necklaces]") {
  const MultidimensionalTorus torus(3, 4);
  CHECK(torus.translate(node(torus, "132"), node(torus, "231")) == node(torus, "323"));
  CHECK(torus.translate_back(node(torus, "132"), node(torus, "231")) == node(torus, "103"));
  CHECK(torus.rotate(node(torus, "321")) == node(torus, "332"));
  CHECK(torus.rotate(node(torus, "012")) == node(torus, "201"));
  CHECK(torus.period(node(torus, "131")) == 2);
  CHECK(torus.generator(node(torus, "102")) == node(torus, "230"));
  CHECK(torus.displacement(node(torus, "102")) == 2);
  const MultidimensionalTorus six(6, 4);
  CHECK(six.period(node(six, "311331")) == 4);

  const MultidimensionalTorus two(2, 4);  // Lemma 3
  DimensionedLink link{node(two, "01"), two.label_between(1, 0, 3)};
  const std::vector<std::string> tails{"01", "30", "03", "10"}, heads{"31", "33", "13", "11"};
  const std::vector<std::pair<std::uint32_t, int>> dimensions{{1, -1}, {0, -1}, {1, 1}, {0, 1}};
  for (std::size_t i = 0; i < 4; ++i, link = two.rotate(link)) {
    CHECK(two.label_text(link.tail) == tails[i]);
    CHECK(two.label_text(two.head(link)) == heads[i]);
    CHECK(two.label_digit(link.label) == dimensions[i].first);
    CHECK(two.label_sign(link.label) == dimensions[i].second);
  }
}

TEST_CASE("labels are the ports of the graph", "[torus][necklaces]") {
  const std::string spelling =
      GENERATE("ring:5", "torus:4", "torus:3x3", "torus:4x4x4", "product(ring:3,ring:3)", "doubled-cube:1",
               "doubled-cube:3", "product(edges:0-1,0-1,edges:0-1,0-1)");
  CAPTURE(spelling);
  const Graph graph = make_topology(spelling);
  const auto torus = MultidimensionalTorus::of(graph);
  REQUIRE(torus);
  REQUIRE(torus->node_count() == graph.node_count());
  const std::vector<std::uint32_t> distances = graph.distances_from(0);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    CHECK(distances[v] == torus->distance(v));
    REQUIRE(graph.degree(v) == torus->label_count());
    for (std::uint32_t label = 0; label < torus->label_count(); ++label) {
      const PortId port = torus->port_of_label(label);
      CHECK(torus->label_of_port(port) == label);
      CHECK(graph.peer(v, port).node == torus->head({v, label}));
      // Rotation maps links to links.
      const DimensionedLink rotated = torus->rotate(DimensionedLink{v, label});
      CHECK(torus->head(rotated) == torus->rotate(torus->head({v, label})));
      if (graph.translations()) CHECK(graph.translations()->apply(v, 1) == torus->translate(v, 1));
    }
  }
  // Port i of node 0 leads to R^i((k-1) 0 ... 0).
  NodeId first = torus->with_digit(0, torus->dimensions() - 1, torus->radix() - 1);
  for (std::uint32_t i = 0; i < torus->label_count(); ++i, first = torus->rotate(first)) {
    CHECK(graph.peer(0, torus->port_of_label(i)).node == first);
    CHECK(torus->displacement(first) % torus->period(first) == i % torus->period(first));
  }
}

TEST_CASE("what is no torus of equal sides", "[torus][necklaces]") {
  for (const std::string spelling : {"torus:3x4", "torus:2x2", "mesh:3x3", "hypercube:3", "complete:4"}) {
    CHECK_FALSE(MultidimensionalTorus::of(make_topology(spelling)));
  }
  CHECK_THROWS_AS(MultidimensionalTorus(0, 3), std::invalid_argument);
  CHECK_THROWS_AS(MultidimensionalTorus(2, 1), std::invalid_argument);
  CHECK_THROWS_AS(MultidimensionalTorus(11, 3), std::invalid_argument);
  CHECK_THROWS_AS(MultidimensionalTorus(4'000'000'000u, 2), std::invalid_argument);
}

TEST_CASE("claims have the same definitions, written down from the digits", "[torus][necklaces][claim]") {
  for (std::uint32_t n = 1; n <= 5; ++n) {
    for (std::uint32_t k = 2; k <= 7 && necklace_counts(n, k).nodes <= 4096; ++k) {
      CAPTURE(n, k);
      const MultidimensionalTorus torus(n, k);
      const TorusDefinitions definitions(n, k);
      for (NodeId v = 0; v < torus.node_count(); ++v) {
        CAPTURE(v);
        REQUIRE(definitions.rotate(v) == torus.rotate(v));
        REQUIRE(definitions.distance[v] == torus.distance(v));
        REQUIRE(definitions.period[v] == torus.period(v));
        REQUIRE(definitions.generator[v] == torus.generator(v));
        REQUIRE(definitions.displacement[v] == torus.displacement(v));
      }
      CHECK(definitions.generators.size() + 1 == torus.generators().size());
    }
  }
}

TEST_CASE("necklaces are orbits with one generator, counted by formula", "[torus][necklaces]") {
  for (std::uint32_t n = 1; n <= 6; ++n) {
    for (std::uint32_t k = 2; k <= 9; ++k) {
      if (necklace_counts(n, k).nodes > 4096) continue;
      CAPTURE(n, k);
      const MultidimensionalTorus torus(n, k);
      for (NodeId v = 0; v < torus.node_count(); ++v) {
        const NodeId generator = torus.generator(v);
        const std::uint32_t period = torus.period(v);
        REQUIRE(2 * n % period == 0);
        REQUIRE(torus.displacement(v) < period);
        REQUIRE(torus.rotate(generator, torus.displacement(v)) == v);
        REQUIRE(torus.rotate(v, period) == v);
        REQUIRE(torus.generator_order(v) <= torus.generator_order(generator));
        REQUIRE((v == generator || torus.generator_order(v) < torus.generator_order(generator)));
        REQUIRE(torus.distance(v) == torus.distance(generator));
      }
      const NecklaceCounts formula = necklace_counts(n, k), orbits = counted(torus);
      CHECK(formula.nodes == orbits.nodes);
      CHECK(formula.nonfull == orbits.nonfull);
      CHECK(formula.necklaces == orbits.necklaces);
      CHECK(formula.smallest == orbits.smallest);
      CHECK(formula.largest == orbits.largest);
      CHECK(torus.generators().size() == orbits.necklaces);
    }
  }
}

TEST_CASE("the necklaces of Table 2", "[torus][necklaces]") {
  const auto texts = [](const MultidimensionalTorus& torus, bool unfolded) {
    std::set<std::string> result;
    for (const NodeId g : torus.generators()) {
      std::string text = std::to_string(torus.distance(g)) + ":";
      for (const NodeId v : torus.rotations(g, unfolded ? torus.label_count() : torus.period(g)))
        text += " " + torus.label_text(v);
      result.insert(text);
    }
    return result;
  };
  CHECK(texts(MultidimensionalTorus(3, 3), false) ==
        std::set<std::string>{"0: 000", "1: 200 020 002 100 010 001", "2: 220 022 102 110 011 201",
                              "2: 210 021 202 120 012 101", "3: 222 122 112 111 211 221", "3: 212 121"});
  CHECK(texts(MultidimensionalTorus(3, 4), false) ==
        std::set<std::string>{"0: 000", "1: 300 030 003 100 010 001", "2: 330 033 103 110 011 301",
                              "2: 310 031 303 130 013 101", "2: 200 020 002", "3: 333 133 113 111 311 331",
                              "3: 320 032 203 120 012 201", "3: 230 023 102 210 021 302", "3: 313 131",
                              "4: 233 123 112 211 321 332", "4: 231 323 132 213 121 312", "4: 220 022 202",
                              "5: 223 122 212 221 322 232", "6: 222"});
  const auto unfolded = texts(MultidimensionalTorus(3, 3), true);
  CHECK(unfolded.contains("3: 212 121 212 121 212 121"));
  CHECK(unfolded.contains("0: 000 000 000 000 000 000"));
}
