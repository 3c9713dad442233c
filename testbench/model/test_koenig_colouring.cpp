#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/product/dimension_rounds.hpp"
#include "cpp_model/algorithm/product/generator_colouring.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/bipartite_colouring.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/schedule_oracle.hpp"

using namespace safnet;

namespace {

// The colouring must be proper and take as many colours as the largest degree.
void check_colouring(const std::vector<BipartiteEdge>& edges, std::uint32_t left, std::uint32_t right) {
  const std::vector<std::uint32_t> colours = colour_bipartite(edges, left, right);
  REQUIRE(colours.size() == edges.size());
  std::vector<std::uint32_t> degree(left + right);
  std::set<std::pair<std::uint32_t, std::uint32_t>> at_node;
  std::set<std::uint32_t> used;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    ++degree[edges[e].left];
    ++degree[left + edges[e].right];
    REQUIRE(at_node.emplace(edges[e].left, colours[e]).second);
    REQUIRE(at_node.emplace(left + edges[e].right, colours[e]).second);
    used.insert(colours[e]);
  }
  const std::uint32_t largest = edges.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
  CHECK(used.size() == largest);
  if (!used.empty()) CHECK(*used.rbegin() + 1 == largest);
}

Schedule planned(const std::string& topology, const std::string& name) {
  const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, PortModel::kAllPort};
  return find_planner(problem, name).plan(problem);
}

std::uint32_t steps(const std::string& topology, const std::string& name) {
  CAPTURE(topology, name);
  const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, PortModel::kAllPort};
  const Algorithm& planner = find_planner(problem, name);
  const OracleResult result = judge(planner.plan(problem));
  CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
  CHECK(result.missing == 0);
  CHECK(result.steps >= lower_bound(problem).steps);
  if (const auto promised = planner.closed_form(problem)) CHECK(result.steps == *promised);
  return result.steps;
}

}  // namespace

TEST_CASE("edges of a bipartite multigraph get as many colours as the largest degree", "[koenig]") {
  check_colouring({}, 0, 0);
  check_colouring({}, 3, 2);
  check_colouring({{0, 0}}, 1, 1);
  check_colouring({{0, 0}, {0, 0}, {0, 0}}, 1, 1);  // parallel edges
  // A path that has to be exchanged: greedy colouring needs a third colour.
  check_colouring({{0, 0}, {1, 1}, {1, 0}, {0, 2}, {2, 1}, {2, 2}}, 3, 3);
  std::vector<BipartiteEdge> complete;
  for (std::uint32_t u = 0; u < 24; ++u) {
    for (std::uint32_t v = 0; v < 17; ++v) complete.push_back({u, v});
  }
  check_colouring(complete, 24, 17);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    // Often a few nodes of high degree against many of low degree, as generators are.
    const auto left = static_cast<std::uint32_t>(1 + random() % 60);
    const auto right = static_cast<std::uint32_t>(1 + random() % (seed % 2 == 0 ? 4 : 60));
    std::vector<BipartiteEdge> edges(random() % 600);
    for (BipartiteEdge& edge : edges) {
      edge.left = static_cast<std::uint32_t>(random() % left);
      edge.right = static_cast<std::uint32_t>(random() % right);
    }
    check_colouring(edges, left, right);
  }
}

TEST_CASE("edges that lead nowhere are refused", "[koenig]") {
  CHECK_THROWS_WITH(colour_bipartite(std::vector<BipartiteEdge>{{0, 2}}, 1, 2),
                    Catch::Equals("bipartite edge 0-2: expected nodes below 1 and 2"));
  CHECK_THROWS_AS(colour_bipartite(std::vector<BipartiteEdge>{{1, 0}}, 1, 2), std::invalid_argument);
}

TEST_CASE("colouring generators meets the bounds on tori of any dimension", "[koenig]") {
  const auto colouring = [](const std::string& topology) { return steps(topology, "generator-colouring"); };
  CHECK(colouring("torus:3x3x3") == 9);
  CHECK(colouring("torus:4x4x4") == 32);
  CHECK(colouring("torus:5x5x5") == 75);
  CHECK(colouring("torus:3x4x5") == 36);
  CHECK(colouring("torus:6x6") == 27);
  CHECK(colouring("hypercube:3") == 4);
  CHECK(colouring("hypercube:5") == 16);
  // The half-way packets of the even ring cannot be shared out evenly: its own total exchange takes some.
  CHECK(colouring("torus:4x3") == 6);
  CHECK(colouring("torus:6x3") == 14);
  CHECK(colouring("torus:3x6") == 14);
  CHECK(colouring("torus:8x3") == 24);
  CHECK(colouring("torus:8x5") == 40);
  CHECK(colouring("torus:4x3x3") == 18);
  for (std::uint32_t n = 3; n <= 12; ++n)
    CHECK(colouring("ring:" + std::to_string(n)) == (n * n - 1 + 7) / 8);
  CHECK(colouring("torus:2x3") == 3);
  CHECK(colouring("linear:2") == 1);
}

TEST_CASE("words are chosen, longer ones if need be, to balance the generators", "[koenig]") {
  const auto colouring = [](const std::string& topology) { return steps(topology, "generator-colouring"); };
  CHECK(colouring("extended-ring:11,2") == 5);
  CHECK(colouring("extended-ring:13,2") == 7);
  CHECK(colouring("extended-ring:12,2") == 7);   // one above the bounds
  CHECK(colouring("extended-ring:14,2") == 10);  // one above the bounds
  CHECK(colouring("hypercycle:11/2x11/2") == 55);
  CHECK(colouring("hypercycle:14/2x14/2") == 115);  // words that are one generator longer
  CHECK(colouring("extended-ring:31,3") == 20);
  CHECK(colouring("extended-ring:65,2") == 176);
  CHECK(colouring("extended-ring:64,4") == 53);  // one above the bounds, with much longer words
  CHECK(colouring("complete:5") == 1);
  CHECK(colouring("generalized-hypercube:3x4x4") == 16);
  CHECK(colouring("product(complete:4,ring:5)") == 12);
  CHECK(colouring("folded-cube:4") == 5);
  CHECK(colouring("folded-cube:5") == 11);
  colouring("circulant:12,1,3");
  colouring("circulant:16,3");  // a ring whose neighbours differ by 3
  colouring("circulant:40,3,7,10");
}

TEST_CASE("colouring rounds solves every power of a network", "[koenig]") {
  const auto rounds = [](const std::string& topology) { return steps(topology, "colouring-of-rounds"); };
  CHECK(rounds("mesh:3x3x3") == 18);
  CHECK(rounds("mesh:4x4x4") == 64);
  CHECK(rounds("torus:5x5x5") == 75);
  CHECK(rounds("product(generalized-petersen:5,2,generalized-petersen:5,2)") == 50);
  CHECK(rounds("mesh:2x2x2x2x2") == 16);
  CHECK(rounds("product(tree:2,1,tree:2,1,tree:2,1)") == 18);  // linear:3 numbered from its middle
}

TEST_CASE("colourings say what they need", "[koenig]") {
  const auto why = [](const std::string& topology, PortModel ports, const std::string& name) {
    const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, ports};
    for (const Algorithm& algorithm :
         {generator_colouring_algorithms()[0], colouring_of_rounds_algorithms()[0]}) {
      if (algorithm.name == name) return algorithm.why_not(problem);
    }
    return std::string("no such algorithm");
  };
  CHECK(why("torus:3x3", PortModel::kOnePort, "generator-colouring") == "needs --ports all");
  CHECK_THAT(why("star:4", PortModel::kAllPort, "generator-colouring"),
             Catch::Contains("generators commute"));
  CHECK_THAT(why("mesh:3x3", PortModel::kAllPort, "generator-colouring"), Catch::Contains("Cayley"));
  CHECK_THAT(why("torus:64x64", PortModel::kAllPort, "generator-colouring"), Catch::Contains("at most"));
  CHECK_THAT(why("torus:256x256", PortModel::kAllPort, "colouring-of-rounds"), Catch::Contains("at most"));
  CHECK_THAT(why("torus:4x3", PortModel::kAllPort, "colouring-of-rounds"), Catch::Contains("equal networks"));
  CHECK_THAT(why("ring:8", PortModel::kAllPort, "colouring-of-rounds"), Catch::Contains("equal networks"));
}

TEST_CASE("a torus of 16x16 is planned as it should be", "[koenig]") {
  CHECK(steps("torus:16x16", "generator-colouring") == 512);
  CHECK(planned("torus:16x16", "generator-colouring").sends.size() == 524288);
}
