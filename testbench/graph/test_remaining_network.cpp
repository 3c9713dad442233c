// What is left of a network without links and nodes.
#include <string>
#include <vector>

#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/remaining_network.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

std::string fails(const std::string& topology) {
  try {
    make_topology(topology);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a ring without a link is a line, and known as one", "[topology][remaining]") {
  const Graph graph = make_topology("without(ring:5;0:4)");
  CHECK(same_network(graph, make_topology("linear:5")));
  REQUIRE(graph.known_as());
  CHECK(make_topology("without(ring:5;2:3)").known_as());
  CHECK(make_topology("without(ring:5;2:3)").diameter() == 4);
}

TEST_CASE("a node goes with all of its links, and others keep their names", "[topology][remaining]") {
  const Graph whole = make_topology("torus:3x3"), graph = make_topology("without(torus:3x3;1,1)");
  CHECK(graph.node_count() == 8);
  CHECK(graph.link_count() == whole.link_count() - 8);
  const auto all = whole_network(graph, make_topology);
  REQUIRE(all);
  CHECK(all->graph.spelling() == "torus:3x3");
  CHECK(all->number == std::vector<NodeId>{0, 1, 2, 3, 5, 6, 7, 8});
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    CHECK(graph.node_name(v) == whole.node_name(all->number[v]));
    for (PortId p = 0; p < graph.degree(v); ++p)
      CHECK(whole.port_to(all->number[v], all->number[graph.peer(v, p).node]));
  }
  CHECK(make_topology("without(ring:4;1)").node_name(1) == "node_2");
  CHECK(make_topology("without(ring:4;0:1)").node_name(1) == "1");
  CHECK(!whole_network(whole, make_topology));
}

TEST_CASE("one direction of a link, and one of two parallel links", "[topology][remaining]") {
  const Graph one_way = make_topology("without(ring:4;0>1)");
  CHECK(one_way.has_one_way_links());
  CHECK(one_way.link_count() == 7);
  CHECK(!one_way.port_to(0, 1));
  CHECK(one_way.port_to(1, 0));
  CHECK(!make_topology("without(ring:4;0>1;1>0)").has_one_way_links());
  const Graph parallel = make_topology("without(edges:0-1,0-1,1-2;0:1)");
  CHECK(same_network(parallel, make_topology("edges:0-1,1-2")));
  const Graph links = make_topology("without(kautz:2,2;ab:ba)");  // one-way links there and back
  CHECK(links.link_count() == make_topology("kautz:2,2").link_count() - 2);
}

TEST_CASE("latencies, routers and processors stay", "[topology][remaining]") {
  const Graph timed = make_topology("without(timed(ring:4;2-3:latency=5);0:1)");
  CHECK(timed.timing(timed.link(2, *timed.port_to(2, 3))).latency == 5);
  CHECK(timed.timing(timed.link(1, *timed.port_to(1, 2))).latency == 0);
  const Graph tree = make_topology("without(fat-tree:2,2,exponential;leaf_3)");
  CHECK(tree.processor_count() == 3);
  CHECK(tree.has_routers());
  const Graph nested = make_topology("without(without(mesh:3x3;1,1);0_0:0_1)");
  CHECK(nested.node_count() == 8);
  CHECK(whole_network(nested, make_topology)->graph.node_count() == 8);
}

TEST_CASE("what falls apart or is not there is refused", "[topology][remaining]") {
  using Catch::Contains;
  CHECK_THAT(fails("without(linear:4;1:2)"), Contains("falls apart, node 2 cannot be reached from node 0"));
  CHECK_THAT(fails("without(links:0-1,1-2,2-0;0>1)"), Contains("falls apart"));
  CHECK_THAT(fails("without(ring:5;0:2)"), Contains("no link from node 0 to node 2 or back"));
  CHECK_THAT(fails("without(ring:5;0>2)"), Contains("no link from node 0 to node 2; expected neighbours"));
  CHECK_THAT(fails("without(ring:5;0:1;1:0)"), Contains("no link from node 1 to node 0"));
  CHECK_THAT(fails("without(ring:5;3;3)"), Contains("the node is missing already"));
  CHECK_THAT(fails("without(ring:5;9)"), Contains("expected 0 to 4"));
  CHECK_THAT(fails("without(ring:5;)"), Contains("''"));
  CHECK_THAT(fails("without(ring:5)"), Contains("no ';' before the links and nodes"));
  CHECK_THAT(fails("without(linear:3;0;2)"), Contains("1 node left that process"));
  CHECK_THAT(fails("without(linear:2;0;1)"), Contains("0 nodes left that process"));
}
