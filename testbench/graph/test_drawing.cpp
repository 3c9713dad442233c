#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

const std::vector<std::string> kDrawn{
    "linear:1",
    "linear:2",
    "linear:8",
    "ring:2",
    "ring:3",
    "ring:16",
    "extended-ring:14,2",
    "circulant:12,1,3,6",
    "mesh:4x3x2",
    "mesh:2x2x2x2x2",
    "torus:4x4",
    "torus:3x3x3",
    "torus:2x2",
    "hypercube:1",
    "hypercube:3",
    "hypercube:4",
    "hypercube:7",
    "hypercycle:3/1x6/2",
    "complete:2",
    "complete:9",
    "generalized-hypercube:3x4",
    "butterfly:3",
    "butterfly:5",
    "cube-connected-cycles:3",
    "cube-connected-cycles:4",
    "star:2",
    "star:3",
    "star:4",
    "star:5",
    "folded-cube:2",
    "folded-cube:4",
    "folded-cube:5",
    "tree:2,3",
    "tree:1,5",
    "tree:5,2",
    "fat-tree:2,1",
    "fat-tree:2,4",
    "fat-tree:3x2,1,3",
    "fat-tree:2,3,exponential",
    "fat-tree:4,2,exponential",
    "product(ring:4,linear:3)",
    "product(linear:3,ring:5)",
    "product(tree:2,2,ring:4)",
    "product(star:3,butterfly:3)",
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

Graph topology(const std::string& spelling) {
  return spelling == "linear:1" ? Graph("linear:1", {{}}) : make_topology(spelling);
}

}  // namespace

TEST_CASE("every node has a place of its own", "[drawing]") {
  for (const std::string& spelling : kDrawn) {
    CAPTURE(spelling);
    const Graph graph = topology(spelling);
    const std::string dot = to_dot(graph, DrawingStyle::kSmall);
    CHECK(has_layout(graph));
    CHECK(count(dot, " -- ") == graph.link_count() / 2);
    CHECK(count(dot, "nan") + count(dot, "inf") == 0);
    std::set<std::string> places;
    for (std::size_t at = dot.find("!\"];"); at != std::string::npos; at = dot.find("!\"];", at + 1)) {
      const std::size_t begin = dot.rfind('"', at) + 1;
      places.insert(dot.substr(begin, at - begin));
    }
    CHECK(places.size() == graph.node_count());
  }
}

TEST_CASE("the DOT text of a network is the network", "[drawing]") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("safnet_test_" + std::to_string(::getpid()) + ".dot");
  for (const std::string& spelling : kDrawn) {
    if (spelling == "linear:1") continue;  // a file must have edges
    CAPTURE(spelling);
    const Graph graph = topology(spelling);
    std::ofstream(path) << to_dot(graph, DrawingStyle::kNamed);
    const Graph copy = make_topology("graph:" + path.string());
    REQUIRE(copy.node_count() == graph.node_count());
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      std::multiset<NodeId> here, there;
      for (PortId p = 0; p < graph.degree(v); ++p) here.insert(graph.peer(v, p).node);
      for (PortId p = 0; p < copy.degree(v); ++p) there.insert(copy.peer(v, p).node);
      if (here != there) CHECK(v == kNoNode);
    }
  }
  std::filesystem::remove(path);
}

TEST_CASE("a fat tree's picture tells routers from processors and counts the links of a branch",
          "[drawing][fat_tree]") {
  const std::string dot = to_dot(make_topology("fat-tree:2,3,exponential"), DrawingStyle::kNamed);
  CHECK(count(dot, "[style=filled, pos=") == 8);
  CHECK(count(dot, "[type=switch, color=\"#8957e5\", pos=") == 7);
  CHECK(count(dot, "label=\"2\", lp=") == 4);
  CHECK(count(dot, "label=\"4\", lp=") == 2);
  CHECK(count(dot, "label=\"1\"") == 0);
  // No two links of a branch on top of each other.
  std::set<std::string> places;
  for (std::size_t at = dot.find("pos=\""); at != std::string::npos; at = dot.find("pos=\"", at + 1))
    places.insert(dot.substr(at, dot.find('"', at + 5) - at));
  CHECK(places.size() == 15 + 16);
  const std::string small = to_dot(make_topology("fat-tree:2,3"), DrawingStyle::kSmall);
  CHECK(count(small, "shape=square") == 8);
  CHECK(count(to_dot(make_topology("tree:2,3"), DrawingStyle::kSmall), "#8957e5") == 0);
}

TEST_CASE("a drawing says what it cannot draw", "[drawing]") {
  CHECK_THROWS_WITH(to_dot(make_topology("hypercube:11"), DrawingStyle::kNamed), Catch::Contains("1024"));
  const Graph odd = Graph("graph:a\"b\\\n", {{{1, 0}}, {{0, 0}}});
  CHECK_FALSE(has_layout(odd));
  const std::string dot = to_dot(odd, DrawingStyle::kNamed);
  CHECK_THAT(dot, Catch::Contains("graph \"graph:a?b??\" {"));
  CHECK_FALSE(has_layout(cartesian_product({odd, make_topology("ring:3")}, "product(graph:x,ring:3)")));
}

TEST_CASE("a small picture keeps lines and dots", "[drawing]") {
  const std::string svg =
      "<svg><!-- 1.2 --><ellipse stroke=\"#1\" cx=\"0\" cy=\"0\"/><ellipse stroke=\"#1\" cx=\"30\" "
      "cy=\"-20\"/>\n"
      "<path stroke=\"#2\" d=\"M0,0C10,-6.67 20,-13.33 30,-20\"/><path stroke=\"#2\" d=\"M0,0C0,-20 10,-20 "
      "30,-20\"/></svg>";
  const std::string small = small_picture(svg, "x");
  CHECK_THAT(small, Catch::Contains("<desc>x</desc>"));
  CHECK_THAT(small, Catch::Contains("M54.5 77L105.5 43M54.5 77C54.5 43 71.5 43 105.5 43"));
  CHECK_THAT(small, Catch::Contains("M54.5 77h.01M105.5 43h.01"));
  CHECK(small.find("<!--") == std::string::npos);
  CHECK(without_comments(svg + "<!-- a\nb -->\n<!-- c") == "<svg>" + svg.substr(svg.find("<ell")) + "<!-- c");
  CHECK_THROWS_AS(small_picture("", "x"), std::invalid_argument);
  CHECK_THROWS_AS(small_picture("<ellipse stroke=\"#1\" cx=\"0\"/>", "x"), std::invalid_argument);
  CHECK_THROWS_AS(small_picture("<path stroke=\"#1\" d=\"M0,0L1,1\"/>", "x"), std::invalid_argument);
}
