// Trees of hosts that pass packets on by software.
#include <algorithm>
#include <set>
#include <utility>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/host_tree.hpp"
#include "cpp_model/traffic/packet_routes.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// Hosts that the root leads to, each counted as often as it is reached.
std::vector<NodeId> reached_from_root(const HostTree& tree) {
  std::vector<NodeId> reached{tree.root};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const NodeId child : tree.children[reached[i]]) {
      REQUIRE(tree.parent[child] == reached[i]);
      reached.push_back(child);
    }
  }
  return reached;
}

// Sends by round, if every host that has the packets sends one copy a round.
std::vector<std::vector<std::pair<NodeId, NodeId>>> rounds_of(const HostTree& tree) {
  std::vector<std::vector<std::pair<NodeId, NodeId>>> rounds;
  std::vector<std::pair<NodeId, std::size_t>> informed{{tree.root, 0}};  // host, round in which it has them
  for (std::size_t i = 0; i < informed.size(); ++i) {
    auto [host, round] = informed[i];
    for (const NodeId child : tree.children[host]) {
      if (rounds.size() <= round) rounds.resize(round + 1);
      rounds[round].emplace_back(host, child);
      informed.emplace_back(child, ++round);
    }
  }
  return rounds;
}

}  // namespace

TEST_CASE("trees of hosts reach every host once, from any root", "[host_tree]") {
  for (const char* topology : {"ring:2", "linear:7", "mesh:3x4", "torus:2x3x2", "fat-tree:2,3"}) {
    const Graph graph = make_topology(topology);
    for (const std::string& name : host_tree_names()) {
      for (NodeId root = 0; root < graph.processor_count(); ++root) {
        CAPTURE(topology, name, root);
        std::vector<NodeId> reached = reached_from_root(make_host_tree(name, graph, root));
        std::ranges::sort(reached);
        REQUIRE(reached.size() == graph.processor_count());
        CHECK(std::ranges::adjacent_find(reached) == reached.end());
      }
    }
  }
}

TEST_CASE("a chain of hosts leads from neighbour to neighbour on meshes", "[host_tree]") {
  for (const char* topology : {"mesh:3x4", "mesh:2x3x2", "linear:5"}) {
    const Graph graph = make_topology(topology);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      const HostTree tree = make_host_tree("chain", graph, root);
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        CAPTURE(topology, root, v);
        if (v != root) CHECK(graph.port_to(tree.parent[v], v).has_value());
      }
    }
  }
}

TEST_CASE("halving takes ceil(log2 n) rounds, whose packets share no link of a mesh", "[host_tree]") {
  for (const char* topology : {"mesh:4x4", "mesh:3x5", "mesh:2x3x4", "linear:9"}) {
    const Graph graph = make_topology(topology);
    const PacketRoutes routes(graph, PortModel::kAllPort, "");
    std::size_t expected = 0;
    while ((std::size_t{1} << expected) < graph.node_count()) ++expected;
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      CAPTURE(topology, root);
      const auto rounds = rounds_of(make_host_tree("halving", graph, root));
      CHECK(rounds.size() == expected);
      for (const auto& round : rounds) {
        std::set<std::pair<NodeId, PortId>> used;
        for (const auto& [from, to] : round)
          routes.follow(from, to, [&](NodeId v, PortId p) { CHECK(used.insert({v, p}).second); });
      }
    }
  }
}

TEST_CASE("a host that sends to all others begins with the furthest", "[host_tree]") {
  const Graph graph = make_topology("mesh:3x3");
  const HostTree tree = make_host_tree("separate", graph, 4);
  CHECK(tree.children[4] == std::vector<NodeId>{0, 2, 6, 8, 1, 3, 5, 7});
  CHECK_THROWS_WITH(make_host_tree("bush", graph, 0),
                    "--host-tree 'bush': expected separate, halving, chain");
  CHECK_THROWS_WITH(make_host_tree("chain", make_topology("fat-tree:2,2"), 5),
                    Catch::Contains("expected a node from 0 to 3; the others only route"));
}
