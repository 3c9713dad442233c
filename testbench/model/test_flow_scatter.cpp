// Planned scatter and gather: by maximum flow, against bounds and exhaustive search, and over trees.
#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/tree/flow_scatter.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::uint64_t largest(std::uint64_t a, std::uint64_t b) { return std::max(a, b); }

// The larger of ceil((n - 1)/degree) and the eccentricity of the root.
std::uint64_t simple_bound(const Graph& graph, NodeId root) {
  const std::uint64_t degree = graph.degree(root);
  return largest((graph.node_count() - 1 + degree - 1) / degree, graph.eccentricity(root));
}

std::uint32_t planned(const Problem& problem, const std::string& name) {
  CAPTURE(problem.graph.spelling(), name, to_string(problem.collective), to_string(problem.ports),
          problem.root, problem.tree);
  const Schedule schedule = find_planner(problem, name).plan(problem);
  CHECK(fault_of(schedule) == "");
  CHECK(schedule.algorithm == name);
  return static_cast<std::uint32_t>(steps_of(schedule));
}

std::uint32_t by_flow(const Graph& graph, NodeId root, CollectiveKind collective = CollectiveKind::kScatter) {
  return planned({graph, collective, PortModel::kAllPort, root}, "max-flow");
}

// Fewest steps of an all-port scatter by trying, step by step, every choice of packets for the links: all
// placements of the packets that can be reached.
std::uint32_t exhaustive_scatter(const Graph& graph, NodeId root) {
  using Places = std::vector<NodeId>;  // of the packet for each node
  const NodeId n = graph.node_count();
  Places start(n, root), end(n);
  for (NodeId v = 0; v < n; ++v) end[v] = v;
  std::set<Places> layer{start};
  for (std::uint32_t steps = 0;; ++steps) {
    if (layer.count(end) != 0) return steps;
    std::set<Places> next;
    for (const Places& now : layer) {
      std::vector<bool> used(graph.link_count(), false);
      Places moved = now;
      const std::function<void(NodeId)> choose = [&](NodeId packet) {
        if (packet == n) {
          next.insert(moved);
          return;
        }
        choose(packet + 1);
        const NodeId v = now[packet];
        if (v == packet) return;
        for (PortId p = 0; p < graph.degree(v); ++p) {
          const LinkId link = graph.link(v, p);
          if (used[link]) continue;
          used[link] = true;
          moved[packet] = graph.peer(v, p).node;
          choose(packet + 1);
          moved[packet] = v;
          used[link] = false;
        }
      };
      choose(0);
    }
    layer = std::move(next);
  }
}

}  // namespace

TEST_CASE("scatter by maximum flow meets the simple bound on symmetric networks", "[flow_scatter]") {
  for (const char* word :
       {"torus:4x4", "torus:3x3x3", "torus:3x4x5", "torus:4x4x4", "torus:3x3x3x3", "hypercube:7",
        "cube-connected-cycles:4", "butterfly:4", "star:5", "generalized-hypercube:3x4x5", "torus:16x16"}) {
    const Graph graph = make_topology(word);
    CHECK(by_flow(graph, 0) == simple_bound(graph, 0));
    CHECK(scatter_bound(graph, 0) == simple_bound(graph, 0));
  }
  const Graph graph = make_topology("torus:4x4x4");
  CHECK(by_flow(graph, 17, CollectiveKind::kGather) == simple_bound(graph, 17));
}

TEST_CASE("scatter by maximum flow where the simple bound is not met", "[flow_scatter]") {
  const Graph leaf_and_star = make_topology("edges:0-1,0-2,2-3,2-4");
  CHECK(simple_bound(leaf_and_star, 0) == 2);
  CHECK(scatter_bound(leaf_and_star, 0) == 3);
  CHECK(by_flow(leaf_and_star, 0) == 3);
  // Thesis Fig. 3.4(b): no tree does it in 3.
  CHECK(by_flow(make_topology("edges:0-1,0-2,1-3,2-3,3-4,3-5"), 0) == 3);
  CHECK(by_flow(make_topology("linear:200"), 0) == 199);
  CHECK(by_flow(make_topology("linear:9"), 3) == 5);
  // Two edges between the same nodes are two links.
  CHECK(by_flow(make_topology("edges:0-1,0-1,1-2,1-2,2-3,2-4"), 0) == 3);
}

TEST_CASE("scatter by maximum flow is optimal: exhaustive search to 5 nodes", "[flow_scatter]") {
  for (const std::string& word : small_connected_graphs(5)) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      CAPTURE(word, root);
      CHECK(by_flow(graph, root) == exhaustive_scatter(graph, root));
    }
  }
}

TEST_CASE("scatter and gather by maximum flow on random networks, parallel edges included",
          "[flow_scatter]") {
  Dice dice(1);
  int above_simple_bound = 0;
  for (int i = 0; i < 300; ++i) {
    const Graph graph = random_graph(dice, i < 200 ? 8 : 40, 6);
    const NodeId root = dice.below(graph.node_count());
    const std::uint32_t steps = by_flow(graph, root);
    CHECK(by_flow(graph, root, CollectiveKind::kGather) == steps);
    CHECK(steps == scatter_bound(graph, root));
    CHECK(scatter_bound(graph, root) >= simple_bound(graph, root));
    above_simple_bound += steps > simple_bound(graph, root) ? 1 : 0;
  }
  CHECK(above_simple_bound > 20);
}

TEST_CASE("planned scatter and gather over trees take what Theorems 3.6 and 3.7 say", "[flow_scatter]") {
  for (const char* word : {"linear:7", "torus:4x4", "mesh:3x4x2", "tree:2,3", "random:12,20,1", "star:4"}) {
    const Graph graph = make_topology(word);
    for (const char* tree : {"", "shortest-path", "depth-first", "random:5"}) {
      for (const CollectiveKind collective : {CollectiveKind::kScatter, CollectiveKind::kGather}) {
        const NodeId root = graph.node_count() / 3;
        for (const PortModel ports : {PortModel::kOnePort, PortModel::kOnePortSend}) {
          CHECK(planned({graph, collective, ports, root, tree}, "furthest-first") == graph.node_count() - 1);
        }
        const Problem problem{graph, collective, PortModel::kAllPort, root, tree};
        CHECK(planned(problem, "furthest-first") ==
              find_planner(problem, "furthest-first").closed_form(problem));
      }
    }
  }
  const Problem regions{make_topology("torus:7x7"), CollectiveKind::kGather, PortModel::kAllPort, 24};
  CHECK(planned(regions, "torus-regions") == 12);
}

TEST_CASE("maximum flow is refused beyond its size", "[flow_scatter]") {
  const Problem large{make_topology("linear:2048"), CollectiveKind::kScatter, PortModel::kAllPort};
  CHECK_THROWS_AS(find_planner(large, "max-flow"), std::invalid_argument);
  CHECK_THROWS_AS(fewest_steps_scatter(large.graph, 0), std::invalid_argument);
  const Problem one_port{make_topology("ring:5"), CollectiveKind::kScatter, PortModel::kOnePort};
  CHECK_THROWS_AS(find_planner(one_port, "max-flow"), std::invalid_argument);
}
