// test_shortest_path_routes - routes are shortest paths, and no link carries more of them than
// largest_link_load says.
#include <algorithm>
#include <string>
#include <vector>

#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// The most routes that share a link, with every route followed.
std::uint64_t most_routes_over_a_link(const Graph& graph, const ShortestPathRoutes& routes) {
  std::vector<std::uint64_t> load(graph.link_count());
  for (NodeId source = 0; source < graph.node_count(); ++source) {
    const auto hops = graph.distances_from(source);
    for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
      std::uint32_t taken = 0;
      for (NodeId v = source; v != destination; ++taken) {
        const PortId port = routes.next_port(v, destination);
        ++load[graph.link(v, port)];
        v = graph.peer(v, port).node;
      }
      if (taken != hops[destination])
        FAIL("from " << source << " to " << destination << ": " << taken << " hops");
    }
  }
  return *std::max_element(load.begin(), load.end());
}

TEST_CASE("routes are shortest, and the most that share a link are known", "[shortest_path_routes]") {
  for (const std::string spelling : {"ring:7", "torus:4x6", "hypercube:4", "mesh:3x5", "linear:9",
                                     "star:6", "generalized-petersen:7,2"}) {
    const Graph graph = make_topology(spelling);
    for (const NextHop choice : {NextHop::kLowestPort, NextHop::kHighestPort}) {
      CAPTURE(spelling, choice == NextHop::kLowestPort);
      const ShortestPathRoutes routes(graph, choice);
      REQUIRE(routes.largest_link_load() == most_routes_over_a_link(graph, routes));
    }
  }
}

TEST_CASE("of many nodes without translations the load of a link is bounded instead of counted",
          "[shortest_path_routes]") {
  for (const std::string spelling : {"linear:513", "mesh:19x28"}) {
    const Graph graph = make_topology(spelling);
    const ShortestPathRoutes routes(graph);
    const std::uint64_t n = graph.node_count();
    CAPTURE(spelling);
    REQUIRE(routes.largest_link_load() == n * n / 4);
    REQUIRE(most_routes_over_a_link(graph, routes) <= n * n / 4);
  }
}

}  // namespace
