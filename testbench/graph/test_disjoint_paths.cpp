#include <stdexcept>
#include <string>

#include "cpp_model/graph/disjoint_paths.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// Can v and u be parted by removing fewer than `paths` other nodes? Tries all sets (Menger's theorem).
bool can_be_parted(const Graph& graph, NodeId v, NodeId u, std::size_t paths) {
  const NodeId n = graph.node_count();
  for (std::uint32_t removed = 0; removed < (1U << n); ++removed) {
    if (((removed >> v) & 1) != 0 || ((removed >> u) & 1) != 0) continue;
    if (static_cast<std::size_t>(__builtin_popcount(removed)) >= paths) continue;
    std::uint32_t reached = 1U << v;
    for (bool grown = true; grown;) {
      grown = false;
      for (NodeId a = 0; a < n; ++a) {
        if (((reached >> a) & 1) == 0) continue;
        for (PortId p = 0; p < graph.degree(a); ++p) {
          const NodeId b = graph.peer(a, p).node;
          if (((removed >> b) & 1) != 0 || ((reached >> b) & 1) != 0) continue;
          reached |= 1U << b;
          grown = true;
        }
      }
    }
    if (((reached >> u) & 1) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("node-disjoint paths are as many as there are", "[disjoint_paths]") {
  for (const char* word : {"linear:5", "ring:6", "complete:5", "generalized-petersen:4,1", "tree:2,2",
                           "random:8,12,1", "random:9,16,2", "edges:0-1,0-1,1-2,0-2",
                           // The shortest path from 0 to 3 uses nodes of both of the two that there are: a
                           // second path takes one of its edges back, or two in a row.
                           "edges:0-1,1-2,2-3,1-4,4-5,5-3,0-6,6-7,7-2",
                           "edges:0-1,1-8,8-2,2-3,1-4,4-5,5-9,9-3,0-6,6-7,7-10,10-2"}) {
    const Graph graph = make_topology(word);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        if (v == u) continue;
        CAPTURE(word, v, u);
        const auto paths = node_disjoint_paths(graph, v, u);
        CHECK(why_not_disjoint(graph, v, u, paths) == "");
        for (std::size_t i = 1; i < paths.size(); ++i) CHECK(paths[i - 1].size() <= paths[i].size());
        const bool adjacent = graph.port_to(v, u).has_value();
        // An edge between the two cannot be cut by nodes: look at the other paths.
        if (!adjacent) {
          CHECK_FALSE(can_be_parted(graph, v, u, paths.size()));
          CHECK(can_be_parted(graph, v, u, paths.size() + 1));
        } else {
          CHECK(paths[0].size() == 2);
        }
      }
    }
  }
}

TEST_CASE("products: as many paths as promised, disjoint after the correction", "[disjoint_paths]") {
  for (const char* word :
       {"mesh:3x3", "mesh:4x3", "torus:5x4", "hypercube:4", "generalized-hypercube:3x4", "hypercycle:7/2x5/1",
        "product(tree:2,2,ring:4)", "product(generalized-petersen:5,2,linear:3)",
        "product(random:6,9,1,random:7,9,2)"}) {
    const Graph graph = make_topology(word);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        if (v == u) continue;
        const auto paths = product_paths(graph, v, u);
        CAPTURE(word, v, u);
        REQUIRE(why_not_disjoint(graph, v, u, paths) == "");
        REQUIRE(paths.size() == promised_paths(graph, v, u));
        REQUIRE(product_paths_as_printed(graph, v, u).size() == paths.size());
      }
    }
  }
}

TEST_CASE("the printed construction fails on the 3 x 3 mesh", "[disjoint_paths]") {
  const Graph mesh = make_topology("mesh:3x3");
  const auto paths = product_paths_as_printed(mesh, 0, 8);
  CHECK(paths == std::vector<Path>{{0, 3, 4, 5, 8}, {0, 1, 4, 7, 8}});
  CHECK(why_not_disjoint(mesh, 0, 8, paths) == "two paths pass node 1_1");
}

TEST_CASE("what is no set of disjoint paths is noticed", "[disjoint_paths]") {
  const Graph ring = make_topology("ring:6");
  CHECK(why_not_disjoint(ring, 0, 3, {{0, 1, 2, 3}, {0, 5, 4, 3}}) == "");
  CHECK(why_not_disjoint(ring, 0, 3, {{0, 1, 2, 3}, {0, 1, 2, 3}}) != "");
  CHECK(why_not_disjoint(ring, 0, 3, {{0, 2, 3}}) != "");
  CHECK(why_not_disjoint(ring, 0, 3, {{0, 1, 2}}) != "");
  CHECK_THROWS_AS(product_paths(ring, 0, 3), std::invalid_argument);
}
