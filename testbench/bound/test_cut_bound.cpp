#include <fmt/format.h>

#include "cpp_model/bound/cut_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;

namespace {

std::vector<NodeId> all_nodes(const Graph& graph) {
  std::vector<NodeId> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

Demand everything(const Graph& graph) {
  return Demand(graph.node_count(), all_nodes(graph), all_nodes(graph));
}

// Counts the packets and the links that cross a cut by their definition.
void check_counts(const Graph& graph, const Demand& demand, const Cut& cut) {
  std::uint64_t packets = 0, links = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (cut.from[v] == 0) continue;
    for (NodeId u = 0; u < graph.node_count(); ++u)
      packets += cut.from[u] == 0 ? demand.is_origin[v] * demand.is_destination[u] : 0;
    for (PortId p = 0; p < graph.degree(v); ++p) links += cut.from[graph.peer(v, p).node] == 0 ? 1 : 0;
  }
  CHECK(cut.packets == packets);
  CHECK(cut.links == links);
}

// Is there a set of nodes with more packets per link?
bool better_exists(const Graph& graph, const Demand& demand, const Cut& cut) {
  const NodeId n = graph.node_count();
  for (std::uint32_t set = 1; set + 1 < (std::uint32_t{1} << n); ++set) {
    std::uint64_t origins = 0, destinations = 0, links = 0;
    for (NodeId v = 0; v < n; ++v) {
      if (((set >> v) & 1) == 0) {
        destinations += demand.is_destination[v];
        continue;
      }
      origins += demand.is_origin[v];
      for (PortId p = 0; p < graph.degree(v); ++p) links += ((set >> graph.peer(v, p).node) & 1) ^ 1;
    }
    if (origins * destinations * cut.links > cut.packets * links) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("all cuts of small networks are tried, parallel links and few origins included", "[cut_bound]") {
  testbench::Dice dice(7);
  for (int i = 0; i < 150; ++i) {
    const Graph graph = testbench::random_graph(dice, 10, 6);
    const NodeId n = graph.node_count();
    std::vector<NodeId> from, to;
    for (NodeId v = 0; v < n; ++v) {
      if (!dice.one_in(3)) from.push_back(v);
      if (!dice.one_in(3)) to.push_back(v);
    }
    for (const Demand& demand : {everything(graph), Demand(n, from, to)}) {
      const Cut cut = best_cut(graph, demand);
      if (demand.packets() == 0) continue;
      CAPTURE(i, cut.where);
      REQUIRE(cut.from.size() == n);
      check_counts(graph, demand, cut);
      CHECK_FALSE(better_exists(graph, demand, cut));
    }
  }
}

TEST_CASE("cuts of larger networks that are known to be best", "[cut_bound]") {
  const auto steps = [](const std::string& topology) {
    const Graph graph = make_topology(topology);
    const Demand demand = everything(graph);
    const Cut cut = best_cut(graph, demand);
    check_counts(graph, demand, cut);
    return cut_bound(graph, cut, demand).steps;
  };
  CHECK(steps("mesh:6x6") == 54);
  CHECK(steps("torus:8x6") == 48);
  CHECK(steps("hypercube:8") == 128);
  CHECK(steps("tree:2,6") == 63 * 64);
  // A tree whose nodes are numbered at random: the best cut is the edge that halves it best.
  const Graph tree = make_topology("random:200,199,3");
  const Demand demand = everything(tree);
  std::uint64_t best = 0;
  for (NodeId v = 0; v < 200; ++v) {
    for (PortId p = 0; p < tree.degree(v); ++p) {
      const std::vector<NodeId> part = Wiring(tree).parts_without(v).part_of;
      const auto size =
          static_cast<std::uint64_t>(std::count(part.begin(), part.end(), part[tree.peer(v, p).node]));
      best = std::max(best, size * (200 - size));
    }
  }
  CHECK(cut_bound(tree, best_cut(tree, demand), demand).steps == best);
}

TEST_CASE("moving nodes finds a cut that no search order has", "[cut_bound]") {
  // Two dense halves of 30 nodes, numbered alternately, joined by three edges.
  std::string edges = "edges:0-1,20-21,40-41";
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 30; ++i) {
      for (const int step : {1, 4, 7, 11})
        edges += fmt::format(",{}-{}", 2 * i + half, 2 * ((i + step) % 30) + half);
    }
  }
  const Graph graph = make_topology(edges);
  const Demand demand = everything(graph);
  const Cut cut = best_cut(graph, demand);
  CHECK(cut.packets == 900);
  CHECK(cut.links == 3);
  CHECK(cut_bound(graph, cut, demand).steps == 300);
  CHECK(best_cut(graph, demand).where == cut.where);
}

TEST_CASE("links of a cut serve from when a packet can be there", "[cut_bound]") {
  // Node 0 at the end of a row sends to nodes 4 and 5: link 3-4 carries both packets, in steps 4 and 5.
  const Graph graph = make_topology("linear:6");
  const Demand demand(6, {0}, {4, 5});
  Cut cut;
  cut.from = {1, 1, 1, 1, 0, 0};
  cut.packets = 2;
  cut.links = 1;
  CHECK(cut_bound(graph, cut, demand).steps == 5);
  CHECK(steps_of_late_servers(5, {0, 0}) == 3);
  CHECK(steps_of_late_servers(5, {0, 9}) == 5);
  CHECK(steps_of_late_servers(5, {2, 3}) == 5);
  CHECK(steps_of_late_servers(1, {4}) == 5);
}

TEST_CASE("one-port nodes at a cut send and receive one packet each", "[cut_bound]") {
  // Two complete halves; all four edges between them end at node 4.
  const Graph graph = make_topology("edges:0-1,0-2,0-3,1-2,1-3,2-3,4-5,4-6,4-7,5-6,5-7,6-7,0-4,1-4,2-4,3-4");
  const Demand demand = everything(graph);
  Cut cut;
  cut.from = {1, 1, 1, 1, 0, 0, 0, 0};
  cut.packets = 16;
  cut.links = 4;
  CHECK(cut_bound(graph, cut, demand).steps == 4);
  CHECK(one_port_cut_bound(graph, cut, PortModel::kOnePort).steps == 16);
  CHECK(one_port_cut_bound(graph, cut, PortModel::kOnePortSend).steps == 4);
  // A matching has to be rearranged: 0 can only send to 2, 1 to 2 and 3.
  const Graph matched = make_topology("edges:0-2,1-2,1-3");
  cut.from = {1, 1, 0, 0};
  cut.packets = 4;
  CHECK(one_port_cut_bound(matched, cut, PortModel::kOnePort).steps == 2);
}
