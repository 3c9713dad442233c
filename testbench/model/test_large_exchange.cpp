// Total exchange and its like on large networks of which nothing is known but their links.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/tools/many_paths.hpp"
#include "cpp_model/algorithm/tools/queue_scheduling.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

// The same nodes, ports and links, without factors and translations, as a file would give them.
Graph unnamed(const std::string& topology) {
  const Graph graph = make_topology(topology);
  std::vector<std::vector<Endpoint>> ports(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) ports[v].push_back(graph.peer(v, p));
  }
  return Graph("unnamed " + topology, std::move(ports),
               graph.has_one_way_links() ? LinkPairs::kNotAll : LinkPairs::kAll);
}

Problem exchange(const std::string& topology, PortModel ports = PortModel::kAllPort) {
  return {unnamed(topology), CollectiveKind::kTotalExchange, ports, 0, ""};
}

// Steps of list scheduling, whose schedule is checked.
std::uint64_t listed(const Problem& problem) {
  const Schedule schedule = find_planner(problem, "list-scheduling").plan(problem);
  CHECK(fault_of(schedule) == "");
  CHECK(why_not_packets_of(problem, schedule) == "");
  return steps_of(schedule);
}

// One path on from its origin to its destination, without a circle?
bool leads(const FlatGraph& graph, const Trip& trip, std::span<const LinkId> path) {
  NodeId at = trip.from;
  std::vector<NodeId> seen{at};
  for (const LinkId link : path) {
    if (graph.source[link] != at) return false;
    at = graph.target[link];
    if (std::ranges::count(seen, at) != 0) return false;
    seen.push_back(at);
  }
  return at == trip.to;
}

std::vector<Trip> all_trips(NodeId nodes) {
  std::vector<Trip> trips;
  for (NodeId v = 0; v < nodes; ++v) {
    for (NodeId d = 0; d < nodes; ++d) {
      if (d != v) trips.push_back({v, d, static_cast<PacketIndex>(trips.size())});
    }
  }
  return trips;
}

}  // namespace

TEST_CASE("large total exchanges take at most 4 % more steps than the bound", "[large_exchange]") {
  const std::pair<const char*, PortModel> cases[] = {
      {"torus:6x6x6", PortModel::kAllPort},     {"torus:6x6x6", PortModel::kOnePort},
      {"torus:6x6x6", PortModel::kOnePortSend}, {"hypercube:8", PortModel::kAllPort},
      {"hypercube:8", PortModel::kOnePort},     {"mesh:13x14", PortModel::kAllPort},
  };
  for (const auto& [topology, ports] : cases) {
    const Problem problem = exchange(topology, ports);
    CAPTURE(topology, to_string(ports));
    const std::uint64_t bound = lower_bound(problem).steps;
    const std::uint64_t steps = listed(problem);
    CHECK(steps >= bound);
    CHECK(steps <= bound + bound / 25 + 1);
  }
}

TEST_CASE("large partial exchanges, several messages and one-way links", "[large_exchange]") {
  Problem partial = exchange("torus:24x24", PortModel::kOnePort);
  partial.collective = CollectiveKind::kPartialExchange;
  for (NodeId v = 0; v < 576; v += 2) partial.active.push_back(v);
  Problem messages = exchange("torus:8x8");
  messages.messages = 14;  // 56 000 packets
  const Problem one_way = exchange("kautz:4,4");
  for (const Problem& problem : {partial, messages, one_way}) {
    CAPTURE(problem.graph.spelling(), to_string(problem.collective));
    const std::uint64_t bound = lower_bound(problem).steps;
    const std::uint64_t steps = listed(problem);
    CHECK(steps >= bound);
    CHECK(steps <= bound + bound / 16);
  }
}

TEST_CASE("detours relieve links that shortest paths crowd", "[large_exchange]") {
  // Twenty nodes at either end of a link, which three ways of three links go round.
  std::string edges = "edges:0-1,0-2,2-3,3-1,0-4,4-5,5-1,0-6,6-7,7-1";
  for (int v = 8; v < 28; ++v) edges += fmt::format(",0-{},1-{}", v, v + 20);
  const Graph graph = make_topology(edges);
  const FlatGraph flat(graph);
  const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
  std::vector<Trip> trips;
  for (PacketIndex p = 0; p < 400; ++p) trips.push_back({8 + p / 20, 28 + p % 20, p});
  const ManyPaths ways = many_paths(flat, occupancy, trips, 100);
  CHECK(ways.congestion <= 120);  // 400 without detours
  CHECK(ways.congestion >= 100);
  for (std::uint32_t t = 0; t < trips.size(); ++t) CHECK(leads(flat, trips[t], ways.paths.of(t)));
}

TEST_CASE("ways for many packets lead where they should, and are counted", "[large_exchange]") {
  for (const char* topology : {"random:60,75,3", "kautz:3,3", "mesh:7x9"}) {
    const Graph graph = make_topology(topology);
    const FlatGraph flat(graph);
    const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
    const std::vector<Trip> trips = all_trips(graph.node_count());
    const ManyPaths ways = many_paths(flat, occupancy, trips, 1);
    std::map<LinkId, std::uint64_t> loads;
    bool good = true;
    for (std::uint32_t t = 0; t < trips.size(); ++t) {
      good = good && leads(flat, trips[t], ways.paths.of(t));
      for (const LinkId link : ways.paths.of(t)) ++loads[link];
    }
    CAPTURE(topology);
    CHECK(good);
    std::uint64_t busiest = 0;
    for (const auto& [link, load] : loads) busiest = std::max(busiest, load);
    CHECK(ways.congestion == busiest);
    CHECK(schedule_paths(occupancy, ways.paths, busiest, 4).last >= busiest);
  }
  const Graph ring = make_topology("ring:5");
  const std::vector<Trip> nowhere{{2, 2, 7}};
  CHECK_THROWS_WITH(many_paths(FlatGraph(ring), port_occupancy(ring, PortModel::kAllPort), nowhere, 0),
                    Catch::Contains("packet 7: expected a destination other than its origin"));
}

TEST_CASE("passes backwards and forwards shorten a timetable", "[large_exchange]") {
  const Graph graph = make_topology("hypercube:8");
  const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
  const std::vector<Trip> trips = all_trips(graph.node_count());
  const ManyPaths ways = many_paths(FlatGraph(graph), occupancy, trips, 128);
  const std::uint32_t at_first = schedule_paths(occupancy, ways.paths, 0, 0).last;
  const std::uint32_t improved = schedule_paths(occupancy, ways.paths, ways.congestion, 4).last;
  CHECK(improved < at_first);
  CHECK(improved == ways.congestion);
}

TEST_CASE("the same large problem gives the same schedule", "[large_exchange]") {
  const Problem problem = exchange("torus:6x6x6");
  const Algorithm& planner = find_planner(problem, "list-scheduling");
  CHECK(planner.plan(problem).sends == planner.plan(problem).sends);
}

TEST_CASE("a large collective is planned, or the reason says why not", "[large_exchange]") {
  const Problem problem = exchange("torus:6x6x6");
  for (const bool plans_only : {true, false}) {
    const Choice planned = choose_algorithm(problem, plans_only);
    CHECK(planned.algorithm->name == "list-scheduling");
    CHECK(planned.plan);
    CHECK_THAT(planned.reason, Catch::Contains("steps as planned, the fewest of"));
    CHECK_THAT(planned.reason, Catch::Contains("promise nothing and were not tried"));
    const Choice hasty = choose_algorithm(problem, plans_only, 0);
    CHECK(hasty.algorithm->name == "furthest-first");
    CHECK_THAT(hasty.reason, Catch::Contains("list-scheduling was not tried: it would take about"));
  }
}
