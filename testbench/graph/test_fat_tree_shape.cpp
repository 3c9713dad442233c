// Fat trees as networks: numbering, ports, names, spellings, how many nodes and links a level has, and the
// cuts between their leaves.
#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/family/fat_tree_bisection.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

const char* const kTrees[] = {"fat-tree:2,1",     "fat-tree:5,1,3",           "fat-tree:2,3",
                              "fat-tree:3,3",     "fat-tree:2,4,exponential", "fat-tree:4,2,exponential",
                              "fat-tree:2x3,2,1", "fat-tree:4x2,2,3",         "fat-tree:3x2x4,1,5,2"};

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t product = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

// By trying every way to put nodes on two sides.
std::uint64_t bisection_by_trying(const Graph& graph) {
  const NodeId n = graph.node_count(), leaves = graph.processor_count();
  std::uint64_t fewest = UINT64_MAX;
  for (std::uint32_t side = 0; side < (1U << n); ++side) {
    NodeId there = 0;
    for (NodeId v = 0; v < leaves; ++v) there += side >> v & 1;
    if (there != leaves / 2) continue;
    std::uint64_t cut = 0;
    for (NodeId v = 0; v < n; ++v) {
      for (PortId p = 0; (side >> v & 1) != 0 && p < graph.degree(v); ++p)
        cut += (side >> graph.peer(v, p).node & 1) == 0 ? 1 : 0;
    }
    fewest = std::min(fewest, cut);
  }
  return fewest;
}

}  // namespace

TEST_CASE("levels of a fat tree have the nodes and links of the thesis", "[fat_tree]") {
  for (std::uint32_t k = 2; k <= 5; ++k) {
    for (std::uint32_t h = 1; power(k, h) <= 64; ++h) {
      CAPTURE(k, h);
      const FatTree tree = FatTree::uniform(k, h);
      REQUIRE(tree.leaves() == power(k, h));
      for (std::uint32_t i = 0; i <= h; ++i) CHECK(tree.nodes_of(i) == power(k, h - i));
      const std::vector<std::uint32_t> exponential = FatTree::exponential_capacities(tree.arities());
      if (exponential.back() * k > kMaxDegree) continue;
      const Graph graph = fat_tree(FatTree(tree.arities(), exponential));
      std::vector<std::uint64_t> links(h + 1);
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        for (PortId p = 0; p < graph.degree(v); ++p) {
          if (graph.peer(v, p).node > v) ++links[tree.level_of(graph.peer(v, p).node)];
        }
      }
      for (std::uint32_t i = 1; i <= h; ++i) CHECK(links[i] == tree.leaves());
    }
  }
}

TEST_CASE("a fat tree's nodes, ports and names say where they are", "[fat_tree]") {
  for (const char* word : kTrees) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    const FatTree tree = *fat_tree_shape(graph);
    CHECK(graph.spelling() == word);
    CHECK(tree.spelling() == word);
    CHECK(graph.node_count() == tree.node_count());
    CHECK(graph.processor_count() == tree.leaves());
    CHECK(graph.has_routers());
    CHECK(graph.node_name(0) == "leaf_0");
    CHECK(graph.node_name(tree.root()) == "router_" + std::to_string(tree.height()) + "_0");
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const std::uint32_t level = tree.level_of(v);
      CHECK(tree.node(level, tree.index_of(v)) == v);
      CHECK(graph.parse_node(graph.node_name(v)) == v);
      if (v == tree.root()) continue;
      const NodeId parent = tree.parent(v);
      CHECK(tree.child(parent, tree.child_number(v)) == v);
      for (std::uint32_t link = 0; link < tree.capacity(level + 1); ++link) {
        const Endpoint up{parent, tree.down_port(level + 1, tree.child_number(v)) + link};
        CHECK(graph.peer(v, tree.up_port(v) + link) == up);
        CHECK(graph.peer(up.node, up.port) == Endpoint{v, tree.up_port(v) + link});
      }
    }
  }
}

TEST_CASE("other spellings of a fat tree are brought into one form", "[fat_tree]") {
  const auto spelling = [](const char* word) { return make_topology(word).spelling(); };
  CHECK(spelling("fat-tree:2x2x2") == "fat-tree:2,3");
  CHECK(spelling("fat-tree:2,3,constant") == "fat-tree:2,3");
  CHECK(spelling("fat-tree:2,3,1,2,4") == "fat-tree:2,3,exponential");
  CHECK(spelling("fat-tree:4x2,1,4") == "fat-tree:4x2,exponential");
  CHECK(spelling("fat-tree:4x2,exponential") == "fat-tree:4x2,exponential");
}

TEST_CASE("what is no fat tree is refused, with the word", "[fat_tree]") {
  const auto refused = [](const char* word, const char* about) {
    CHECK_THROWS_WITH(make_topology(word), Catch::Contains(about));
    CHECK_THROWS_AS(make_topology(word), std::invalid_argument);
  };
  refused("fat-tree:2", "'2'");
  refused("fat-tree:1,3", "'1'");
  refused("fat-tree:2,99", "'99'");
  refused("fat-tree:2,3,foo", "'foo'");
  refused("fat-tree:2,3,1,2", "2 capacities");
  refused("fat-tree:2,3,exponential,1", "'exponential'");
  refused("fat-tree:4,4,exponential", "256 ports");
  refused("fat-tree:2x0", "'0'");
  refused("fat-tree:", "''");
  refused("fat-tree:2,3,", "''");
  refused("fat-tree:99999999999999999999,3", "'99999999999999999999'");
  refused("fat-tree:16,5", "leaves");
  CHECK_THROWS_WITH(FatTree({2, 2}, {1}), Catch::Contains("2 arities and 1 capacities"));
}

TEST_CASE("leaves turn round at the lowest router above both", "[fat_tree]") {
  const FatTree tree({4, 2, 3}, {1, 2, 1});
  CHECK(tree.turning_level(5, 5) == 0);
  CHECK(tree.turning_level(4, 7) == 1);
  CHECK(tree.turning_level(3, 4) == 2);
  CHECK(tree.turning_level(0, 23) == 3);
  CHECK(tree.usable_capacity(3) == 1);
  CHECK(FatTree({2, 2}, {1, 9}).usable_capacity(2) == 2);
}

TEST_CASE("the leaves of a fat tree are parted by as few links as trying all finds", "[fat_tree]") {
  for (const char* word : {"fat-tree:2,1", "fat-tree:5,1,3", "fat-tree:2,2", "fat-tree:2,2,exponential",
                           "fat-tree:3,2", "fat-tree:3,2,1,4", "fat-tree:2x3,1,2", "fat-tree:3x2,2,1",
                           "fat-tree:2,3", "fat-tree:2,3,1,3,2", "fat-tree:5x2,1,5", "fat-tree:2x5,1,9"}) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    CHECK(leaf_bisection_width(*fat_tree_shape(graph)) == bisection_by_trying(graph));
  }
  CHECK(leaf_bisection_width(*fat_tree_shape(make_topology("fat-tree:2,5,exponential"))) == 16);
  CHECK(leaf_bisection_width(FatTree::uniform(2, 14)) == 1);
}
