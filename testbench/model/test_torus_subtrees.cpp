#include <algorithm>
#include <map>
#include <set>

#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// Every MT_{n,k} with k >= 3 of at most `nodes` nodes and 5 dimensions.
std::vector<MultidimensionalTorus> tori(NodeId nodes) {
  std::vector<MultidimensionalTorus> list;
  for (std::uint32_t n = 1; n <= 5; ++n) {
    for (std::uint32_t k = 3; k <= 16 && necklace_counts(n, k).nodes <= nodes; ++k) list.emplace_back(n, k);
  }
  return list;
}

// Nodes that are not in the subtree of their displacement.
std::uint32_t strays(const MultidimensionalTorus& torus, ParentRule rule) {
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  std::uint32_t count = 0;
  for (NodeId v = 1; v < torus.node_count(); ++v) count += subtree[v] != torus.displacement(v) ? 1 : 0;
  return count;
}

std::pair<std::uint32_t, std::uint32_t> smallest_and_largest(const MultidimensionalTorus& torus,
                                                             ParentRule rule) {
  std::vector<std::uint32_t> size(torus.label_count());
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  for (NodeId v = 1; v < torus.node_count(); ++v) ++size[subtree[v]];
  const auto [low, high] = std::minmax_element(size.begin(), size.end());
  return {*low, *high};
}

using Sizes = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

TEST_CASE("every rule makes a shortest-path spanning tree", "[torus][subtrees]") {
  const ParentRule rule = GENERATE(ParentRule::kAsPrinted, ParentRule::kCorrected, ParentRule::kRepaired);
  for (const char* word :
       {"ring:6", "torus:4x4", "torus:5x5", "torus:3x3x3", "torus:4x4x4", "torus:6x6x6", "doubled-cube:4"}) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    const MultidimensionalTorus torus = *MultidimensionalTorus::of(graph);
    for (const NodeId root : {NodeId{0}, graph.node_count() - 2}) {
      const SpanningTree tree = balanced_spanning_tree(graph, torus, root, rule);
      CHECK(tree.depth == graph.distances_from(root));
    }
  }
}

TEST_CASE("subtrees of the BST are displacements: odd k, or the repaired rule", "[torus][subtrees]") {
  for (const MultidimensionalTorus& torus : tori(4096)) {
    const std::uint32_t n = torus.dimensions(), k = torus.radix();
    CAPTURE(n, k);
    CHECK(strays(torus, ParentRule::kRepaired) == 0);
    if (k % 2 == 1 || n == 1) CHECK(strays(torus, ParentRule::kCorrected) == 0);
    if (k % 2 == 0 && n > 1) CHECK(strays(torus, ParentRule::kCorrected) > 0);
    // Table 4's columns are then the sizes.
    const NecklaceCounts counts = necklace_counts(n, k);
    CHECK(smallest_and_largest(torus, ParentRule::kRepaired) ==
          Sizes{counts.smallest.convert_to<std::uint32_t>(), counts.largest.convert_to<std::uint32_t>()});
  }
  CHECK(smallest_and_largest({2, 4}, ParentRule::kCorrected) == Sizes{2, 6});
  CHECK(smallest_and_largest({3, 4}, ParentRule::kCorrected) == Sizes{5, 17});
  CHECK(smallest_and_largest({4, 4}, ParentRule::kCorrected) == Sizes{16, 49});
}

TEST_CASE("the parent of a generator is a generator, but for the printed digit k/2", "[torus][subtrees]") {
  for (const MultidimensionalTorus& torus : tori(4096)) {
    CAPTURE(torus.dimensions(), torus.radix());
    std::map<ParentRule, std::uint32_t> others;
    for (const NodeId g : torus.generators()) {
      if (g == 0) continue;
      for (const ParentRule rule : {ParentRule::kAsPrinted, ParentRule::kCorrected, ParentRule::kRepaired}) {
        const DimensionedLink link = link_into(torus, g, rule);
        REQUIRE(torus.head(link) == g);
        REQUIRE(torus.distance(link.tail) + 1 == torus.distance(g));
        if (torus.displacement(link.tail) != 0) ++others[rule];
      }
    }
    CHECK(others[ParentRule::kCorrected] == 0);
    CHECK(others[ParentRule::kRepaired] == 0);
    CHECK((others[ParentRule::kAsPrinted] > 0) == (torus.radix() % 2 == 0));
  }
  const MultidimensionalTorus torus(3, 4);  // 200 comes from 300, as printed from 100
  CHECK(torus.label_text(link_into(torus, 32, ParentRule::kAsPrinted).tail) == "100");
  CHECK(torus.label_text(link_into(torus, 32, ParentRule::kCorrected).tail) == "300");
}

TEST_CASE("the subtrees of the BSG share no link and reach a node of period P 2n/P times",
          "[torus][subtrees]") {
  std::vector<MultidimensionalTorus> list = tori(1300);
  for (std::uint32_t n = 1; n <= 6; ++n) list.emplace_back(n, 2);
  for (const MultidimensionalTorus& torus : list) {
    CAPTURE(torus.dimensions(), torus.radix());
    std::map<DimensionedLink, std::uint32_t> owner;  // the subtree that uses a link
    std::vector<std::uint32_t> reached(torus.node_count());
    for (const NodeId g : torus.generators()) {
      if (g == 0) continue;
      for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
        const std::vector<DimensionedLink> path = path_in_subtree(torus, g, i);
        const NodeId destination = torus.rotate(g, i);
        REQUIRE(path.size() == torus.distance(g));
        REQUIRE(path.front() == DimensionedLink{0, i});
        NodeId v = 0;
        for (const DimensionedLink& link : path) {
          REQUIRE(link.tail == v);
          REQUIRE(owner.emplace(link, i).first->second == i);
          const NodeId next = torus.head(link);
          REQUIRE(forwarded_to(torus, v, destination, i, RoutingRule::kCorrected) == next);
          v = next;
        }
        REQUIRE(v == destination);
        ++reached[v];
      }
    }
    for (NodeId v = 1; v < torus.node_count(); ++v)
      REQUIRE(reached[v] * torus.period(v) == torus.label_count());
    // A link into every node of every subtree.
    CHECK(owner.size() == (torus.generators().size() - 1) * torus.label_count());
  }
}

TEST_CASE("the printed routing rule leaves the BSG", "[torus][subtrees]") {
  const MultidimensionalTorus torus(3, 3);
  const NodeId v = 18, destination = 26;  // 200 on the way to 222
  CHECK(torus.label_text(forwarded_to(torus, v, destination, 0, RoutingRule::kAsPrinted)) == "202");
  CHECK(torus.label_text(forwarded_to(torus, v, destination, 0, RoutingRule::kCorrected)) == "220");
}
