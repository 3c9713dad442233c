#include <algorithm>
#include <chrono>
#include <map>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kEveryPortModel[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

std::vector<Trip> all_pairs(const Graph& graph) {
  std::vector<Trip> trips;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (NodeId d = 0; d < graph.node_count(); ++d) {
      if (d != v) trips.push_back({v, d, static_cast<PacketIndex>(trips.size())});
    }
  }
  return trips;
}

Problem exchange(const Graph& graph, PortModel ports) {
  return {graph, CollectiveKind::kTotalExchange, ports, 0, ""};
}

// Copies of a broadcast along the shortest path tree that a breadth-first search finds.
void add_broadcast(const Graph& graph, NodeId root, PacketIndex packet, Hops& hops) {
  std::vector<HopIndex> by(graph.node_count(), kNoHop);
  std::vector<bool> seen(graph.node_count(), false);
  std::vector<NodeId> order{root};
  seen[root] = true;
  for (std::size_t head = 0; head < order.size(); ++head) {
    const NodeId v = order[head];
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId u = graph.peer(v, p).node;
      if (u == kNoNode || seen[u]) continue;
      seen[u] = true;
      by[u] = hops.add(graph.link(v, p), by[v], packet);
      order.push_back(u);
    }
  }
}

}  // namespace

TEST_CASE("the longest path goes first", "[list_scheduling]") {
  // Three packets at node 0 of a row of four, one per destination: 3, 2, 1 hops.
  const Graph graph = linear_array(4);
  Hops hops;
  for (NodeId d = 1; d < 4; ++d) {
    HopIndex before = kNoHop;
    for (NodeId v = 0; v < d; ++v) before = hops.add(graph.link(v, *graph.port_to(v, v + 1)), before, d - 1);
  }
  const auto steps = list_schedule(port_occupancy(graph, PortModel::kAllPort), hops, {});
  CHECK(steps == std::vector<std::uint32_t>{3, 2, 3, 1, 2, 3});
}

TEST_CASE("a matching leaves out no node that has more to come", "[list_scheduling]") {
  // Node 1 of the row 0-1-2-3 has three packets to receive, node 2 three to send: every step needs both.
  const Graph graph = linear_array(4);
  const auto link = [&](NodeId v, NodeId u) { return graph.link(v, *graph.port_to(v, u)); };
  Hops hops;
  hops.add(link(2, 3), kNoHop, 0);
  hops.add(link(2, 1), kNoHop, 1);
  hops.add(link(2, 1), kNoHop, 2);
  hops.add(link(0, 1), kNoHop, 3);
  const auto steps = list_schedule(port_occupancy(graph, PortModel::kOnePort), hops, {});
  CHECK(*std::max_element(steps.begin(), steps.end()) == 3);
}

TEST_CASE("trees of multicasts keep every rule on random networks", "[list_scheduling][random]") {
  Dice dice(11);
  for (int network = 0; network < 20; ++network) {
    const Graph graph = safnet::testbench::random_graph(dice, 12, 5);
    for (const PortModel ports : kEveryPortModel) {
      for (const HopPriority priority :
           {HopPriority::kFurthestFirst, HopPriority::kBusiestAhead, HopPriority::kMostAhead}) {
        CAPTURE(network, to_string(ports));
        Schedule schedule(graph);
        schedule.ports = ports;
        Hops hops;
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          std::vector<NodeId> others;
          for (NodeId d = 0; d < graph.node_count(); ++d) {
            if (d != v) others.push_back(d);
          }
          add_broadcast(graph, v, schedule.packets.add(v, 0, 1, others), hops);
        }
        schedule_trees(schedule, hops, {priority, 5});
        CHECK(fault_of(schedule) == "");
        CHECK(schedule.sends.size() == std::size_t{graph.node_count()} * (graph.node_count() - 1));
      }
    }
  }
}

TEST_CASE("hops that cannot be are refused", "[list_scheduling]") {
  const Graph graph = linear_array(3);
  const LinkId first = graph.link(0, 0);
  const LinkId second = graph.link(1, *graph.port_to(1, 2));
  const auto refuse = [&](const Hops& hops, const std::string& text) {
    Schedule schedule(graph);
    const NodeId destination = 2;
    schedule.packets.add(0, 2, 1, std::span(&destination, 1));
    CHECK_THROWS_WITH(schedule_trees(schedule, hops), Catch::Contains(text));
    CHECK(schedule.sends.empty());
  };
  refuse({{first, second}, {1, kNoHop}, {0, 0}}, "hop 0 after hop 1: expected an earlier one");
  refuse({{99}, {kNoHop}, {0}}, "hop 0: link 99, expected one from 0 to 3");
  refuse({{first}, {kNoHop}, {1}}, "hop 0: packet 1 does not exist");
  refuse({{second}, {kNoHop}, {0}}, "hop 0: its packet is not at node 1");
  refuse({{first, first}, {kNoHop, 0}, {0, 0}}, "hop 1: its packet is not at node 0");
  refuse({{first}, {}, {0}}, "columns of the same length");
  CHECK_THROWS_AS(translated_occupancy(graph, PortModel::kAllPort), std::invalid_argument);
  const FlatGraph flat(graph);
  const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
  CHECK_THROWS_WITH(balanced_paths(flat, occupancy, std::vector<Trip>{{1, 1, 7}}, {}),
                    Catch::Contains("packet 7: expected a destination other than its origin"));
}

TEST_CASE("balanced paths lead where they should; prices never prove too much", "[list_scheduling][random]") {
  Dice dice(23);
  for (int network = 0; network < 25; ++network) {
    const Graph graph = safnet::testbench::random_graph(dice, 10, 4);
    const FlatGraph flat(graph);
    const std::vector<Trip> trips = all_pairs(graph);
    for (const PortModel ports : kEveryPortModel) {
      for (const bool shortest_only : {true, false}) {
        CAPTURE(network, to_string(ports), shortest_only);
        const Occupancy occupancy = port_occupancy(graph, ports);
        const BalancedPaths paths = balanced_paths(flat, occupancy, trips, {1, shortest_only, 2'000'000});
        CHECK(paths.proven <= congestion(occupancy, paths.hops));
        std::vector<std::uint64_t> prices(occupancy.count);
        for (std::uint64_t& price : prices) price = dice.below(9);
        CHECK(congestion_bound(flat, occupancy, trips, prices) <= congestion(occupancy, paths.hops));
        HopIndex h = 0;
        for (const Trip& trip : trips) {
          NodeId at = trip.from;
          std::uint32_t length = 0;
          do {
            REQUIRE(h < paths.hops.size());
            CHECK(paths.hops.packet[h] == trip.packet);
            CHECK(paths.hops.after[h] == (length == 0 ? kNoHop : h - 1));
            CHECK(graph.link_source(paths.hops.link[h]) == at);
            at = graph.link_target(paths.hops.link[h++]);
            ++length;
          } while (at != trip.to);
          if (shortest_only) CHECK(length == graph.distances_from(trip.from)[trip.to]);
        }
        CHECK(h == paths.hops.size());
      }
    }
  }
}

TEST_CASE("prices prove what cuts prove", "[list_scheduling]") {
  // All weight on the middle link of a row of 6: 3 * 3 packets cross it.
  const Graph graph = linear_array(6);
  const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
  std::vector<std::uint64_t> prices(occupancy.count, 0);
  prices[graph.link(2, *graph.port_to(2, 3))] = 7;
  CHECK(congestion_bound(FlatGraph(graph), occupancy, all_pairs(graph), prices) == 9);
  // One port: all on the centre of five leaves, which sends 5 and forwards 20.
  const Graph star = make_topology("tree:5,1");
  std::vector<std::uint64_t> centre(12, 0);
  centre[0] = 1;
  CHECK(congestion_bound(FlatGraph(star), port_occupancy(star, PortModel::kOnePort), all_pairs(star),
                         centre) == 25);
}

TEST_CASE("negotiation keeps within the steps it is given, or gives up", "[list_scheduling]") {
  const Graph star = make_topology("tree:5,1");
  const FlatGraph flat(star);
  const Occupancy occupancy = port_occupancy(star, PortModel::kAllPort);
  const std::vector<Trip> trips = all_pairs(star);
  TimedHops start;
  start.hops = balanced_paths(flat, occupancy, trips, {}).hops;
  start.steps = list_schedule(occupancy, start.hops, {});
  const auto timed = negotiate(flat, occupancy, trips, start, 5, {});
  REQUIRE(timed);
  CHECK(timed->makespan() == 5);
  Schedule schedule = empty_schedule(exchange(star, PortModel::kAllPort), "");
  for (HopIndex h = 0; h < timed->hops.size(); ++h)
    schedule.sends.push_back({timed->steps[h], timed->hops.link[h], timed->hops.packet[h]});
  sort_sends(schedule);
  CHECK(fault_of(schedule) == "");
  CHECK_FALSE(negotiate(flat, occupancy, trips, start, 4, {1, false, 100'000}));
  CHECK_FALSE(negotiate(flat, occupancy, trips, start, 1, {}));
}

TEST_CASE("half a million hops are scheduled in a moment", "[list_scheduling]") {
  const Graph graph = make_topology("torus:16x16");
  const Occupancy occupancy = port_occupancy(graph, PortModel::kAllPort);
  const Hops hops = balanced_paths(FlatGraph(graph), occupancy, all_pairs(graph), {1, true, 1}).hops;
  REQUIRE(hops.size() == 524'288);
  const auto begin = std::chrono::steady_clock::now();
  const auto steps = list_schedule(occupancy, hops, {});
  const auto end = std::chrono::steady_clock::now();
  CHECK(*std::max_element(steps.begin(), steps.end()) < 600);
  CHECK(std::chrono::duration_cast<std::chrono::seconds>(end - begin).count() <
        20);  // a quadratic algorithm would take hours
}
