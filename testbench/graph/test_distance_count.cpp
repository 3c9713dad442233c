#include "cpp_model/graph/distance_count.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

constexpr std::uint64_t kAnyVisits = ~std::uint64_t{0};

std::vector<std::uint64_t> by_search(const Graph& graph) {
  std::vector<std::uint64_t> counts(graph.diameter() + 1);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (const std::uint32_t distance : graph.distances_from(v)) ++counts.at(distance);
  }
  return counts;
}

}  // namespace

TEST_CASE("shortcuts count the same distances as searches", "[distance_count]") {
  for (const TopologyFamily& family : topology_families()) {
    if (family.name == "graph") continue;
    CAPTURE(family.example);
    const Graph graph = make_topology(family.example);
    CHECK(count_distances(graph, kAnyVisits) == by_search(graph));
  }
  for (const char* spelling : {"linear:2", "linear:9", "tree:1,7", "tree:3,3", "tree:7,1", "mesh:2x3x4x5",
                               "star:5", "product(tree:2,3,linear:4,ring:5)", "butterfly:4"}) {
    CAPTURE(spelling);
    const Graph graph = make_topology(spelling);
    CHECK(count_distances(graph, kAnyVisits) == by_search(graph));
  }
}

TEST_CASE("a tree of uneven branches", "[distance_count]") {
  // 0-1-2-3-4, 1-5-6, 2-7, 0-8
  const std::vector<std::pair<NodeId, NodeId>> edges{{0, 1}, {1, 2}, {2, 3}, {3, 4},
                                                     {1, 5}, {5, 6}, {2, 7}, {8, 0}};
  std::vector<std::vector<Endpoint>> ports(9);
  for (const auto& [u, v] : edges) {
    const auto port_u = static_cast<PortId>(ports[u].size()), port_v = static_cast<PortId>(ports[v].size());
    ports[u].push_back({v, port_v});
    ports[v].push_back({u, port_u});
  }
  const Graph tree("uneven", ports);
  CHECK(count_distances(tree, 0) == by_search(tree));
}

TEST_CASE("what would take too long is left out", "[distance_count]") {
  const Graph ring = make_topology("ring:100");
  std::vector<std::vector<Endpoint>> ports(100);
  for (NodeId v = 0; v < 100; ++v) ports[v] = {ring.peer(v, 0), ring.peer(v, 1)};
  const Graph plain("plain", ports);  // a ring, but not as a member of its family
  CHECK_FALSE(count_distances(plain, 100 * 300 - 1));
  CHECK(count_distances(plain, 100 * 300) == count_distances(ring, 0));
  CHECK_FALSE(count_distances(cartesian_product({ring, plain}, "product"), 1000));
}
