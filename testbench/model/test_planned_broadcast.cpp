// Planned one-port broadcast and reduction: tori, random search, branch and bound, trees.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/torus/torus_broadcast.hpp"
#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"
#include "cpp_model/algorithm/tree/optimal_broadcast.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::uint32_t planned(const Problem& problem, const std::string& name) {
  CAPTURE(problem.graph.spelling(), name, to_string(problem.collective), to_string(problem.ports),
          problem.root, problem.tree);
  const Algorithm& algorithm = find_planner(problem, name);
  const Schedule schedule = algorithm.plan(problem);
  CHECK(fault_of(schedule) == "");
  CHECK(schedule.sends.size() == problem.graph.node_count() - 1);
  const auto steps = static_cast<std::uint32_t>(steps_of(schedule));
  if (const auto promised = algorithm.closed_form(problem)) CHECK(steps == *promised);
  return steps;
}

// Steps of the plan as a broadcast, and as a reduction, which must take the same.
std::uint32_t both(const Graph& graph, NodeId root, const std::string& name,
                   PortModel ports = PortModel::kOnePort, const std::string& tree = "") {
  const std::uint32_t steps = planned({graph, CollectiveKind::kBroadcast, ports, root, tree}, name);
  CHECK(planned({graph, CollectiveKind::kReduction, ports, root, tree}, name) == steps);
  return steps;
}

std::uint64_t bound_of(const Graph& graph, NodeId root) {
  return std::max(lower_bound({graph, CollectiveKind::kBroadcast, PortModel::kOnePort, root}).steps,
                  first_call_bound(graph, root));
}

Graph torus(const std::vector<NodeId>& sides) {
  std::string word = "torus:";
  for (const NodeId side : sides) word += (word.back() == ':' ? "" : "x") + std::to_string(side);
  return make_topology(word);
}

std::uint32_t optimal_steps(const Graph& graph, NodeId root) {
  return steps_of(optimal_broadcast(graph, root));
}

std::uint32_t fewest_steps(const Graph& graph, NodeId root) {
  SpanningTree tree = fewest_steps_tree(graph, root);
  return order_for_one_port_broadcast(tree, graph);
}

}  // namespace

TEST_CASE("broadcast on two-dimensional tori takes D steps, D + 1 with an odd side", "[planned_broadcast]") {
  for (NodeId n = 2; n <= 16; ++n) {
    for (NodeId m = 2; m <= 16; ++m) {
      const Graph graph = torus({n, m});
      const NodeId root = (n * m) / 3;
      const bool odd = n % 2 == 1 || m % 2 == 1, three = n == 3 && m == 3;
      CAPTURE(n, m);
      const std::uint32_t steps = both(graph, root, "torus-broadcast");
      CHECK(steps == n / 2 + m / 2 + (three ? 2 : odd ? 1 : 0));
      CHECK(steps == bound_of(graph, root));
    }
  }
}

TEST_CASE("broadcast on three-dimensional tori meets its bound, all three sides odd included",
          "[planned_broadcast]") {
  for (NodeId a = 3; a <= 9; ++a) {
    for (NodeId b = a; b <= 9; ++b) {
      for (NodeId c = b; c <= 9; ++c) {
        const std::uint32_t odd = a % 2 + b % 2 + c % 2;
        const bool by_number = a == 3 && b == 3 && c == 4;  // 36 nodes are more than 2^5
        const Graph graph = torus({b, a, c});
        CAPTURE(a, b, c);
        const std::uint32_t steps =
            planned({graph, CollectiveKind::kBroadcast, PortModel::kOnePort, 1}, "torus-broadcast");
        CHECK(steps == a / 2 + b / 2 + c / 2 + (odd == 3 || by_number ? 2 : odd == 0 ? 0 : 1));
        CHECK(steps == bound_of(graph, 1));
      }
    }
  }
}

TEST_CASE("broadcast on other tori", "[planned_broadcast]") {
  CHECK(both(make_topology("ring:7"), 3, "torus-broadcast") == 4);
  CHECK(both(make_topology("ring:2"), 1, "torus-broadcast") == 1);
  CHECK(both(make_topology("hypercube:6"), 5, "torus-broadcast") == 6);
  CHECK(both(torus({3, 3, 3, 3}), 7, "torus-broadcast") == 7);
  CHECK(both(torus({3, 5, 4, 3}), 7, "torus-broadcast") == 8);
  CHECK(both(torus({5, 3, 7, 5}), 9, "torus-broadcast") == 10);
  CHECK(both(torus({3, 112, 3}), 100, "torus-broadcast") == 59);
  CHECK(both(torus({3, 114, 3}), 100, "torus-broadcast") == 61);  // too long to search
  CHECK_THROWS_AS(torus_broadcast(make_topology("mesh:3x3"), 0), std::invalid_argument);
  CHECK_FALSE(why_no_torus(make_topology("edges:0-1,0-1")).empty());
  const Problem all_port{torus({4, 4}), CollectiveKind::kBroadcast, PortModel::kAllPort};
  CHECK_THROWS_AS(find_planner(all_port, "torus-broadcast"), std::invalid_argument);
}

TEST_CASE("branch and bound finds the optimum of all connected graphs to 6 nodes; no bound is above it",
          "[planned_broadcast]") {
  for (const std::string& word : small_connected_graphs(6)) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      const std::uint32_t optimum = fewest_steps(graph, root);
      CAPTURE(word, root);
      REQUIRE(optimal_steps(graph, root) == optimum);
      REQUIRE(first_call_bound(graph, root) <= optimum);
      REQUIRE(steps_of(searched_broadcast(graph, root, 0, 1000)) >= optimum);
    }
  }
}

TEST_CASE("branch and bound against the search of sets on random networks", "[planned_broadcast]") {
  Dice dice(3);
  int bound_too_low = 0;
  for (int i = 0; i < 120; ++i) {
    const Graph graph = random_graph(dice, 13, 5);
    const NodeId root = dice.below(graph.node_count());
    const std::uint32_t optimum = fewest_steps(graph, root);
    CAPTURE(i);
    CHECK(optimal_steps(graph, root) == optimum);
    CHECK(bound_of(graph, root) <= optimum);
    CHECK(both(graph, root, "branch-and-bound") == optimum);
    CHECK(steps_of(searched_broadcast(graph, root, 0, 1 << 16)) == optimum);
    bound_too_low += bound_of(graph, root) < optimum ? 1 : 0;
  }
  CHECK(bound_too_low > 0);  // where the bound is the optimum, nothing is searched
}

TEST_CASE("the first call's bound where it is above Theorem 3.3", "[planned_broadcast]") {
  const auto theorem = [](const Graph& graph) {
    const auto beyond = nodes_at_least(distance_degree_sequence(graph, 0));
    std::uint64_t steps = 0;
    for (std::uint64_t d = 0; d < beyond.size(); ++d) steps = std::max(steps, steps_to_inform(d, beyond[d]));
    return steps;
  };
  // Three legs of two nodes: the last starts in the third step.
  const Graph spider = make_topology("edges:0-1,0-2,0-3,1-4,2-5,3-6");
  CHECK(theorem(spider) == 3);
  CHECK(first_call_bound(spider, 0) == 4);
  CHECK(fewest_steps(spider, 0) == 4);
  // With 5-6 the third leaf can be informed over three hops without waiting.
  const Graph closed = make_topology("edges:0-1,0-2,0-3,1-4,2-5,3-6,4-5,5-6");
  CHECK(first_call_bound(closed, 0) == 2);
  CHECK(fewest_steps(closed, 0) == 3);
  CHECK(theorem(torus({3, 3, 9})) == 7);
  CHECK(first_call_bound(torus({3, 3, 9}), 0) == 8);
  CHECK(first_call_bound(torus({3, 4, 9}), 0) == 7);  // the eccentricity: no more than that
}

TEST_CASE("branch and bound where the bounds are too low, and where it gives up", "[planned_broadcast]") {
  CHECK(optimal_steps(make_topology("extended-ring:14,2"), 0) == 5);
  CHECK(optimal_steps(make_topology("tree:2,3"), 0) == 6);
  CHECK(optimal_steps(make_topology("tree:3,2"), 0) == 6);
  CHECK(optimal_steps(make_topology("edges:0-1,0-2,0-3,0-4,0-5,0-6,0-7,1-2"), 0) == 6);
  CHECK(optimal_steps(make_topology("extended-ring:22,3"), 0) >= 5);
  CHECK_THROWS_WITH(optimal_broadcast(make_topology("extended-ring:14,2"), 0, 2),
                    Catch::Contains("2 sets of informed nodes do not tell whether 4 steps do, 5 are enough"));
  CHECK_THROWS_AS(optimal_broadcast(make_topology("ring:65"), 0), std::invalid_argument);
  CHECK_THROWS_AS(searched_broadcast(make_topology("linear:5000"), 0, 0), std::invalid_argument);
}

TEST_CASE("random search reaches the bound on networks of some hundreds of nodes", "[planned_broadcast]") {
  for (const char* word : {"hypercube:7", "cube-connected-cycles:4", "butterfly:4", "star:5", "mesh:9x9",
                           "mesh:3x4x5", "random:100,200,1", "circulant:100,7,30", "folded-cube:7",
                           "torus:5x5x5", "complete:40", "torus:16x16"}) {
    const Graph graph = make_topology(word);
    CAPTURE(word);
    CHECK(both(graph, 0, "search", PortModel::kOnePortSend) == bound_of(graph, 0));
  }
}

TEST_CASE("the planner that promises the fewest steps is chosen", "[planned_broadcast]") {
  const auto chosen = [](const char* word, CollectiveKind collective, PortModel ports) {
    return find_planner({make_topology(word), collective, ports}, "").name;
  };
  CHECK(chosen("torus:5x5", CollectiveKind::kBroadcast, PortModel::kOnePort) == "torus-broadcast");
  CHECK(chosen("torus:5x5", CollectiveKind::kBroadcast, PortModel::kAllPort) == "shortest-path-tree");
  CHECK(chosen("mesh:9x9", CollectiveKind::kReduction, PortModel::kOnePort) == "search");
  CHECK(chosen("edges:0-1,0-2,1-3,2-3,3-4,3-5", CollectiveKind::kGather, PortModel::kAllPort) == "max-flow");
  CHECK(chosen("torus:5x5", CollectiveKind::kScatter, PortModel::kOnePort) == "furthest-first");
}

TEST_CASE("planned broadcast and reduction over trees", "[planned_broadcast]") {
  for (const char* word : {"linear:7", "torus:4x4", "mesh:3x4x2", "tree:2,3", "random:12,20,1", "star:4"}) {
    const Graph graph = make_topology(word);
    const NodeId root = graph.node_count() / 3;
    CHECK(both(graph, root, "shortest-path-tree", PortModel::kAllPort) == graph.eccentricity(root));
    both(graph, root, "shortest-path-tree");
    both(graph, root, "spanning-tree", PortModel::kOnePort, "random:5");
    both(graph, root, "spanning-tree", PortModel::kAllPort, "depth-first");
    if (!graph.factors().empty()) both(graph, root, "product-tree", PortModel::kAllPort);
    if (graph.node_count() <= kMaxSearchedForBroadcast) {
      CHECK(both(graph, root, "fewest-steps-tree") == optimal_steps(graph, root));
    }
  }
}

TEST_CASE("informings that are no broadcast are refused", "[planned_broadcast]") {
  const Graph graph = make_topology("linear:3");
  const Problem problem{graph, CollectiveKind::kBroadcast, PortModel::kOnePort, 0};
  const PortId on = graph.port_to(1, 2).value(), back = graph.port_to(2, 1).value();
  CHECK_NOTHROW(informing_schedule(problem, "", {{2, 1, on}, {1, 0, 0}}));
  CHECK_THROWS_AS(informing_schedule(problem, "", {{1, 0, 0}}), std::logic_error);
  CHECK_THROWS_AS(informing_schedule(problem, "", {{1, 0, 0}, {1, 1, on}}), std::logic_error);
  CHECK_THROWS_AS(informing_schedule(problem, "", {{1, 0, 0}, {2, 1, on}, {3, 2, back}}), std::logic_error);
}
