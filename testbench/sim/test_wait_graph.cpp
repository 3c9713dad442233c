// Who waits for whom: hand-made waits against what an exhaustive search finds, and networks that get stuck.
#include <algorithm>
#include <map>
#include <random>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "sim/run/wait_graph.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// Length of the shortest closed walk, by powers of the adjacency matrix; 0: there is none.
std::size_t girth(NodeId nodes, const std::vector<Wait>& waits) {
  std::vector<std::vector<bool>> walk(nodes, std::vector<bool>(nodes)), step = walk;
  for (const Wait& w : waits) step[w.node][w.on] = walk[w.node][w.on] = true;
  for (std::size_t length = 1; length <= nodes; ++length) {
    for (NodeId v = 0; v < nodes; ++v) {
      if (walk[v][v]) return length;
    }
    std::vector<std::vector<bool>> longer(nodes, std::vector<bool>(nodes));
    for (NodeId a = 0; a < nodes; ++a) {
      for (NodeId b = 0; b < nodes; ++b) {
        for (NodeId c = 0; walk[a][b] && c < nodes; ++c) longer[a][c] = longer[a][c] || step[b][c];
      }
    }
    walk = longer;
  }
  return 0;
}

bool is_closed(const std::vector<Wait>& waits, const std::vector<std::size_t>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (waits[cycle[i]].on != waits[cycle[(i + 1) % cycle.size()]].node) return false;
  }
  return true;
}

NodeId below(std::mt19937& random, NodeId end) { return static_cast<NodeId>(random() % end); }

std::vector<Wait> random_waits(std::mt19937& random, NodeId nodes, std::size_t count) {
  std::vector<Wait> waits;
  while (waits.size() < count) {
    const NodeId a = below(random, nodes), b = below(random, nodes);
    if (a != b) waits.push_back({a, 0, b});
  }
  return waits;
}

std::vector<std::string> explain(const Graph& graph, std::map<NodeId, NodeStatus> status) {
  return explain_waits(graph, [&](NodeId v) { return status[v]; });
}

}  // namespace

TEST_CASE("a cycle is found if there is one, and it is a shortest", "[wait_graph]") {
  std::mt19937 random(7);
  std::size_t none = 0, long_ones = 0;
  for (int round = 0; round < 2000; ++round) {
    const NodeId nodes = 2 + below(random, 9);
    const std::vector<Wait> waits = random_waits(random, nodes, below(random, nodes + 4));
    const std::vector<std::size_t> cycle = shortest_cycle(nodes, waits);
    REQUIRE(cycle.size() == girth(nodes, waits));
    REQUIRE(is_closed(waits, cycle));
    none += cycle.empty() ? 1 : 0;
    long_ones += cycle.size() > 3 ? 1 : 0;
  }
  CHECK(none > 100);
  CHECK(long_ones > 10);
}

TEST_CASE("a circle of all nodes of a large network is found at once", "[wait_graph]") {
  constexpr NodeId kNodes = 65536;
  std::vector<Wait> waits;
  for (NodeId v = 0; v < kNodes; ++v) waits.push_back({v, 0, (v + 1) % kNodes});
  CHECK(shortest_cycle(kNodes, waits).size() == kNodes);
  const std::string words = cycle_in_words(make_topology("ring:65536"), waits, shortest_cycle(kNodes, waits));
  CHECK(words.size() < 400);
  CHECK_THAT(words, Catch::Contains("... 65496 more ..."));
  waits.push_back({40000, 1, 39990});
  CHECK(shortest_cycle(kNodes, waits).size() == 11);
}

TEST_CASE("the first wait of a node does not hide the others", "[wait_graph]") {
  // Node 1 waits for 2, which waits for it, and for 0, which waits for nobody. Port 0 leads to the right.
  const Graph graph = make_topology("linear:4");
  NodeStatus both, left;
  both.wait_credit = 3;
  both.occupancy = 7;
  left.wait_grant = 2;
  left.occupancy = 2;
  const std::vector<std::string> lines = explain(graph, {{1, both}, {2, left}});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "cycle of waiting nodes: 1 -> 2 -> 1");
  CHECK(lines[1] == "node 1 (7 packets queued) waits on port 0 for a credit from node 2 (2 queued)");
  CHECK(lines[2] == "node 2 (2 packets queued) waits on port 1 for a grant from node 1 (7 queued)");
  CHECK(lines[3] == "node 1 (7 packets queued) waits on port 1 for a credit from node 0 (0 queued)");
}

TEST_CASE("waits that end somewhere are no cycle", "[wait_graph]") {
  const Graph graph = make_topology("ring:5");
  NodeStatus ahead;
  ahead.wait_credit = 1;
  const std::vector<std::string> lines = explain(graph, {{0, ahead}, {1, ahead}, {2, ahead}});
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[0], Catch::StartsWith("node 0 "));
  CHECK(explain(graph, {})[0] == "no node waits for a credit or a grant, yet packets remain");
}

TEST_CASE("rings with queues of one packet get stuck in a circle", "[wait_graph][stuck]") {
  RunRequest request(Problem{.graph = make_topology("ring:16")});
  request.algorithm = "message-shift";
  request.queue_depth = 1;
  const RunResult result = run_collective(request, VariantStore::standard());
  REQUIRE(result.verdict == Verdict::kStuck);
  CHECK_THAT(result.waits.at(0), Catch::StartsWith("cycle of waiting nodes: "));
  // The nodes of the cycle come next, each waiting for the one after it.
  CHECK_THAT(result.waits.at(1), Catch::Contains("for a credit from node"));
}
