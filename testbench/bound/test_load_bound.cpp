#include <numeric>

#include "cpp_model/bound/load_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;

namespace {

Demand everything(const Graph& graph) {
  std::vector<NodeId> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return Demand(graph.node_count(), nodes, nodes);
}

}  // namespace

TEST_CASE("a depth-first search tells what each node cuts off", "[load_bound]") {
  testbench::Dice dice(3);
  for (int i = 0; i < 100; ++i) {
    const Graph graph = testbench::random_graph(dice, 14, 5);
    const Wiring wiring(graph);
    const DepthFirstTree tree(wiring);
    for (NodeId v = 0; v < wiring.nodes(); ++v) {
      const auto [parts, part] = wiring.parts_without(v);
      CHECK(part[v] == parts);
      // Links lead out of a part to v only.
      for (NodeId u = 0; u < wiring.nodes(); ++u) {
        for (PortId p = 0; u != v && p < graph.degree(u); ++p) {
          const NodeId other = graph.peer(u, p).node;
          if (other != v) CHECK(part[u] == part[other]);
        }
      }
      NodeId hanging = 0;
      for (std::uint32_t at = 1; at < wiring.nodes(); ++at) {
        if (tree.order[tree.parent[at]] != v || !tree.hangs(at)) continue;
        ++hanging;
        // A subtree that hangs on v is one of the parts.
        const auto size = std::count(part.begin(), part.end(), part[tree.order[at]]);
        CHECK(tree.end[at] - at == size);
      }
      CHECK(hanging + (v == tree.order[0] ? 0 : 1) == parts);
    }
  }
}

TEST_CASE("what cut nodes forward", "[load_bound]") {
  const auto steps = [](const std::string& topology, PortModel ports) {
    const Graph graph = make_topology(topology);
    return node_bound(graph, everything(graph), ports).steps;
  };
  CHECK(steps("linear:7", PortModel::kOnePort) == 24);
  CHECK(steps("tree:5,1", PortModel::kOnePort) == 25);
  CHECK(steps("tree:5,1", PortModel::kOnePortSend) == 25);
  CHECK(steps("ring:6", PortModel::kOnePort) == 5);
  CHECK(steps("edges:0-1,1-2,0-2,2-3,3-4,2-4", PortModel::kOnePort) == 4 + 8);  // a bow tie
  CHECK(steps("edges:0-1,0-1,1-2,1-2", PortModel::kOnePort) == 2 + 2);
}

TEST_CASE("a node that has nothing of its own waits, and the last packet has further to go", "[load_bound]") {
  // Node 2 forwards what nodes 0 and 1 send to 3 and 4; nobody sends anything to it.
  const Graph graph = make_topology("linear:5");
  const Demand demand(5, {0, 1}, {3, 4});
  // Node 1 sends four packets, the last of them to node 3 at least; so in T - 1 steps.
  CHECK(node_bound(graph, demand, PortModel::kOnePort).steps == 5);
  CHECK(node_bound(graph, Demand(5, {0}, {4}), PortModel::kOnePortSend).steps == 4);
  CHECK(node_bound(graph, Demand(5, {}, {4}), PortModel::kOnePort).steps == 0);
}

TEST_CASE("hops of all packets", "[load_bound]") {
  const Graph graph = make_topology("mesh:3x3");
  CHECK(hops_bound(graph, everything(graph), PortModel::kOnePort).steps == 16);
  CHECK(hops_bound(graph, everything(graph), PortModel::kAllPort).steps == 6);
  CHECK(hops_bound(graph, Demand(9, {0}, {8, 2}), PortModel::kOnePort).steps == 1);
  CHECK(distance_bound(graph, Demand(9, {0}, {8, 2})).steps == 4);
  CHECK(distance_bound(graph, Demand(9, {0, 1, 2}, {8})).steps == 4);
  CHECK(distance_bound(graph, everything(graph)).reason == "diameter");
}

TEST_CASE("where a formula gives distances, large networks have them all looked at", "[load_bound]") {
  for (const char* topology : {"torus:128x128", "ring:16384"}) {  // a product; translations without factors
    const Graph graph = make_topology(topology);
    const LowerBound bound = distance_bound(graph, everything(graph));
    CHECK(bound.reason == "diameter");
    CHECK(bound.steps == graph.diameter());
  }
}
