// The published spanning trees: that they span, are as high and as balanced as they should be, and that the
// best broadcast found by searching sets is the best there is.
#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include "cpp_model/algorithm/tree/balanced_tree.hpp"
#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"
#include "cpp_model/algorithm/tree/root_port_assignment.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

std::vector<std::uint32_t> branch_sizes(const Graph& graph, const SpanningTree& tree) {
  std::vector<std::uint32_t> sizes;
  for (const PortId p : tree.children[tree.root])
    sizes.push_back(tree.subtree_size[graph.peer(tree.root, p).node]);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

// Optimal one-port broadcast by trying every set of sends in every step, without any shortcut.
std::uint32_t brute_force_steps(const Graph& graph, std::uint32_t informed) {
  const NodeId n = graph.node_count();
  const std::uint32_t all = (1U << n) - 1;
  std::vector<std::uint32_t> layer{informed};
  std::uint32_t steps = 0;
  std::vector<bool> seen(all + 1, false);
  for (;; ++steps) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t set : layer) {
      if (set == all) return steps;
      const std::function<void(NodeId, std::uint32_t)> choose = [&](NodeId v, std::uint32_t now) {
        if (v == n) {
          if (!seen[now]) next.push_back(now);
          seen[now] = true;
          return;
        }
        choose(v + 1, now);
        if (((set >> v) & 1) == 0) return;
        for (PortId p = 0; p < graph.degree(v); ++p) {
          const NodeId u = graph.peer(v, p).node;
          if (((now >> u) & 1) == 0) choose(v + 1, now | (1U << u));
        }
      };
      choose(0, set);
    }
    layer = std::move(next);
  }
}

}  // namespace

TEST_CASE("the weight rule's tree is as high as the diameter and balanced, n to 64", "[trees]") {
  for (NodeId n = 2; n <= 64; ++n) {
    for (NodeId rho = 1; rho <= n / 2; ++rho) {
      CAPTURE(n, rho);
      const Graph graph = extended_ring(n, rho);
      const NodeId root = n / 3;
      const SpanningTree tree = weight_rule_tree(graph, root);
      REQUIRE(tree.height() == graph.diameter());
      const PortId degree = graph.degree(root);
      REQUIRE(branch_sizes(graph, tree).back() == (n - 1 + degree - 1) / degree);
      for (NodeId v = 0; v < n; ++v) {
        if (v != root) REQUIRE(tree.children[v].size() <= 1);
      }
    }
  }
}

TEST_CASE("the weight rule's tree for E_14^2 is that of Fig. 3.2", "[trees]") {
  const SpanningTree tree = weight_rule_tree(extended_ring(14, 2), 0);
  // D = 4, w = 2, k = 1: clockwise 1-3-5-7 and 2-4-6-8, counterclockwise 13-11-9 and 12-10.
  CHECK(tree.parent[8] == 6);
  CHECK(tree.depth[8] == 4);
  CHECK(tree.parent[7] == 5);
  CHECK(tree.parent[9] == 11);
  CHECK(tree.parent[10] == 12);
  CHECK(tree.depth[9] == 3);
}

TEST_CASE("the regions of a torus are balanced from 4 x 4 on", "[trees]") {
  int failures_as_printed = 0;
  for (NodeId n = 3; n <= 16; ++n) {
    for (NodeId m = 3; m <= 16; ++m) {
      CAPTURE(n, m);
      const Graph graph =
          cartesian_product({ring(n), ring(m)}, "torus:" + std::to_string(n) + "x" + std::to_string(m));
      const std::uint32_t bound = (n * m - 1 + 3) / 4;
      for (const NodeId root : {NodeId{0}, n * m / 2 + 1}) {
        const auto sizes = branch_sizes(graph, torus_region_tree(graph, root, false));
        CHECK(sizes.size() == 4);
        if (n >= 4 && m >= 4) CHECK(sizes.back() == bound);
      }
      const std::uint32_t printed = branch_sizes(graph, torus_region_tree(graph, 0, true)).back();
      const bool fails = n >= 4 && m == 4 && n % 2 == 0;
      if (n >= 4 && m >= 4) CHECK(printed == (fails ? bound + 1 : bound));
      failures_as_printed += fails ? 1 : 0;
      if (n == 3 || m == 3) CHECK(printed <= bound + 1);
    }
  }
  CHECK(failures_as_printed == 7);
  const Graph seven = make_topology("torus:7x7");
  CHECK(branch_sizes(seven, torus_region_tree(seven, 24, false)) ==
        std::vector<std::uint32_t>{12, 12, 12, 12});
}

TEST_CASE("trees are refused where they do not apply", "[trees]") {
  CHECK_THROWS_AS(weight_rule_tree(make_topology("mesh:3x3"), 0), std::invalid_argument);
  CHECK_THROWS_AS(torus_region_tree(make_topology("mesh:3x3"), 0, false), std::invalid_argument);
  CHECK_THROWS_AS(torus_region_tree(make_topology("torus:2x5"), 0, false), std::invalid_argument);
  CHECK_THROWS_AS(torus_region_tree(make_topology("torus:4x4x4"), 0, false), std::invalid_argument);
  CHECK_THROWS_AS(fewest_steps_tree(make_topology("ring:15"), 0), std::invalid_argument);
}

TEST_CASE("fewest-steps trees are optimal: brute force on all connected graphs to 5 nodes", "[trees]") {
  auto words = small_connected_graphs(5);
  for (const char* more :
       {"hypercube:3", "complete:7", "tree:2,2", "generalized-petersen:4,1", "random:8,11,3"})
    words.push_back(more);
  for (const std::string& word : words) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      CAPTURE(word, root);
      SpanningTree tree = fewest_steps_tree(graph, root);
      CHECK(order_for_one_port_broadcast(tree, graph) == brute_force_steps(graph, 1U << root));
    }
  }
}

TEST_CASE("known optima of one-port broadcast", "[trees]") {
  const auto steps = [](const char* word) {
    const Graph graph = make_topology(word);
    SpanningTree tree = fewest_steps_tree(graph, 0);
    return order_for_one_port_broadcast(tree, graph);
  };
  CHECK(steps("extended-ring:14,2") == 5);
  CHECK(steps("complete:14") == 4);
  CHECK(steps("torus:3x3") == 4);
  CHECK(steps("tree:7,1") == 7);
  CHECK(steps("linear:14") == 13);
  CHECK(steps("edges:0-1,0-2,0-4,1-3,1-5,2-3,2-6,3-7,4-5,4-6,5-7,6-7,1-7") == 3);
}

TEST_CASE("destinations are shared out evenly among the root's ports", "[trees]") {
  for (const char* word :
       {"edges:0-1,0-2,1-3,2-3,3-4,3-5", "torus:4x4", "torus:3x8", "hypercube:5", "butterfly:3", "tree:2,3",
        "random:40,70,5", "generalized-petersen:5,2", "linear:5"}) {
    const Graph graph = make_topology(word);
    for (const NodeId root : claim_sources(graph)) {
      CAPTURE(word, root);
      const RootPortAssignment assigned(graph, root);
      std::map<PortId, std::uint32_t> share;
      for (NodeId d = 0; d < graph.node_count(); ++d) {
        if (d == root) continue;
        NodeId v = root;
        std::uint32_t hops = 0;
        while (v != d) {
          const auto port = assigned.next_port(v, d);
          REQUIRE(port.has_value());
          if (v == root) ++share[*port];
          CHECK(assigned.hops(v, d) == assigned.hops(root, d) - hops);
          v = graph.peer(v, *port).node;
          REQUIRE(++hops <= assigned.longest());
        }
        CHECK(hops == assigned.hops(root, d));
      }
      for (const auto& [port, destinations] : share) CHECK(destinations <= assigned.largest_share());
    }
  }
  const RootPortAssignment figure(make_topology("edges:0-1,0-2,1-3,2-3,3-4,3-5"), 0);
  CHECK(figure.largest_share() == 3);
  CHECK(RootPortAssignment(make_topology("torus:16x16"), 0).largest_share() == 64);
}
