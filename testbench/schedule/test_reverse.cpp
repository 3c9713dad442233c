#include <algorithm>
#include <map>
#include <set>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_draft.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string verdict(const Schedule& schedule) {
  const ScheduleReport report = check_schedule(schedule);
  return report.valid() ? "valid" : report.violations.front().text;
}

// Origins of the plain packets that count in packet p.
std::multiset<NodeId> contributors(const PacketList& packets, PacketIndex p) {
  if (packets.parts(p).empty()) return {packets.origin(p)};
  std::multiset<NodeId> all;
  for (const PacketIndex part : packets.parts(p)) all.merge(contributors(packets, part));
  return all;
}

std::multiset<NodeId> all_nodes(const Graph& graph) {
  std::multiset<NodeId> all;
  for (NodeId v = 0; v < graph.node_count(); ++v) all.insert(v);
  return all;
}

// The reverse, which must be valid and take as many cycles, with as many flits over each edge the other way.
Schedule turned(const Schedule& schedule) {
  Schedule back = reverse(schedule);
  CAPTURE(schedule.network.spelling(), schedule.collective, schedule.slot_cycles);
  CHECK(verdict(back) == "valid");
  const ScheduleMetrics there = measure(schedule), here = measure(back);
  CHECK(there.cycles == here.cycles);
  CHECK(there.steps == here.steps);
  CHECK(there.flits == here.flits);
  CHECK(back.slot_cycles == schedule.slot_cycles);
  CHECK(back.ports == schedule.ports);
  std::map<LinkId, int> loads;
  const Graph& graph = schedule.network;
  for (const Send& send : schedule.sends)
    ++loads[graph.link(graph.link_target(send.link), graph.link_target_port(send.link))];
  for (const Send& send : back.sends) --loads[send.link];
  for (const auto& [link, difference] : loads) CHECK(difference == 0);
  return back;
}

// The schedule as steps, in lockstep and free-running.
std::vector<Schedule> three_ways(const Schedule& steps) {
  return {steps, in_lockstep(steps, 3, 2), free_running(steps, 4, 1)};
}

}  // namespace

TEST_CASE("a scatter backwards is a gather, and back again the same scatter", "[reverse]") {
  for (const char* topology : {"torus:4x4", "tree:2,3", "mesh:3x2", "linear:2", "star:4"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const Schedule& scatter : three_ways(stepped(topology, CollectiveKind::kScatter, ports, 1))) {
        const Schedule gather = turned(scatter);
        CHECK(gather.collective == "gather");
        CHECK(gather.root == 1);
        const Problem problem{scatter.network, CollectiveKind::kGather, ports, 1};
        PacketList expected = collective_packets(problem);
        expected.set_flits(scatter.packets.longest());
        CHECK(gather.packets == expected);
        const Schedule again = turned(gather);
        CHECK(again.collective == "scatter");
        CHECK(again.packets == scatter.packets);
        CHECK(again.sends == scatter.sends);
      }
    }
  }
}

TEST_CASE("a total exchange backwards is one", "[reverse]") {
  for (const Schedule& exchange : three_ways(stepped("torus:3x3", CollectiveKind::kTotalExchange))) {
    const Schedule back = turned(exchange);
    CHECK(back.collective == "total-exchange");
    CHECK(back.packets == exchange.packets);
    CHECK(reverse(back).sends == exchange.sends);
  }
}

TEST_CASE("a broadcast backwards is a reduction, and that backwards the broadcast", "[reverse]") {
  for (const char* topology : {"torus:4x4", "tree:2,3", "mesh:3x2", "linear:2", "linear:7", "star:4"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const Schedule& broadcast : three_ways(stepped(topology, CollectiveKind::kBroadcast, ports, 1))) {
        const Schedule reduction = turned(broadcast);
        CHECK(reduction.collective == "reduction");
        CHECK(reduction.root == 1);
        const PacketIndex last = reduction.packets.size() - 1;
        REQUIRE(reduction.packets.destinations(last).size() == 1);
        CHECK(reduction.packets.destinations(last).front() == 1);
        CHECK(reduction.packets.origin(last) == 1);
        CHECK(contributors(reduction.packets, last) == all_nodes(reduction.network));
        for (NodeId v = 0; v < reduction.network.node_count(); ++v)
          CHECK(reduction.packets.id(v) == PacketId{v, 0});
        const Schedule again = turned(reduction);
        CHECK(again.collective == "broadcast");
        CHECK(again.packets == broadcast.packets);
        CHECK(again.sends == broadcast.sends);
      }
    }
  }
}

TEST_CASE("a broadcast of several packets becomes as many reductions", "[reverse]") {
  for (const Schedule& broadcast : three_ways(pipelined_broadcast(5, 3))) {
    const Schedule reduction = turned(broadcast);
    std::vector<PacketIndex> results;
    for (PacketIndex p = 0; p < reduction.packets.size(); ++p) {
      if (!reduction.packets.destinations(p).empty()) results.push_back(p);
    }
    CHECK(results.size() == 3);
    for (const PacketIndex p : results)
      CHECK(contributors(reduction.packets, p) == all_nodes(reduction.network));
    CHECK(turned(reduction).sends == broadcast.sends);
  }
}

TEST_CASE("a node that is no destination relays or combines, and adds nothing", "[reverse]") {
  // 1 - 0 - 2: node 1 sends one packet over node 0 to node 2 and, in a star, to two nodes beyond a fork.
  Schedule fork(make_topology("tree:3,1"));
  const std::vector<NodeId> leaves{2, 3};
  fork.packets.add(1, 9, 1, leaves);
  const auto link = [&](NodeId u, NodeId v) { return fork.network.link(u, *fork.network.port_to(u, v)); };
  fork.sends = {{1, link(1, 0), 0}, {2, link(0, 2), 0}, {2, link(0, 3), 0}};
  const Schedule back = turned(fork);
  const PacketIndex result = back.packets.size() - 1;
  CHECK(contributors(back.packets, result) == std::multiset<NodeId>{1, 2, 3});
  REQUIRE(back.packets.size() == 5);  // three contributions, one combined at node 0, the result
  CHECK(back.packets.origin(3) == 0);
  CHECK(back.packets.parts(3).size() == 2);

  // A send that leads to no destination is left out of the reverse.
  fork.packets = {};
  fork.packets.add(1, 9, 1, std::span(leaves.data(), 1));
  CHECK(check_schedule(fork).valid());
  const Schedule path = reverse(fork);
  CHECK(verdict(path) == "valid");
  CHECK(path.sends.size() == 2);
  CHECK(path.packets.size() == 1);
  CHECK(path.packets.id(0) == PacketId{2, 1});
}

TEST_CASE("partial exchange and partial gather turn into each other", "[reverse]") {
  Schedule schedule(make_topology("complete:5"));
  schedule.collective = "partial-exchange";
  const Problem problem{
      schedule.network, CollectiveKind::kPartialExchange, PortModel::kAllPort, 0, "", kNoNode, {1, 3}};
  schedule.packets = collective_packets(problem);
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    const NodeId from = schedule.packets.origin(p), to = schedule.packets.destinations(p).front();
    schedule.sends.push_back({1, schedule.network.link(from, *schedule.network.port_to(from, to)), p});
  }
  sort_sends(schedule);
  const Schedule gather = turned(schedule);
  CHECK(gather.collective == "partial-gather");
  Problem other = problem;
  other.collective = CollectiveKind::kPartialGather;
  CHECK(gather.packets == collective_packets(other));
  CHECK(turned(gather).collective == "partial-exchange");

  schedule.collective = "multipath";
  CHECK_THROWS_WITH(reverse(schedule), Catch::Contains("it is no packet of this multipath"));
  const Schedule paths = stepped("hypercube:3", CollectiveKind::kMultipath);
  CHECK(turned(paths).root == paths.packets.destinations(0).front());
}

TEST_CASE("packets of a pair are told apart whatever their tags", "[reverse]") {
  Schedule schedule(make_topology("linear:3"));
  const NodeId two = 2;
  // Packets from nodes 0, 0 and 1 to node 2: backwards all come from node 2, so their tags must differ.
  schedule.packets.add(0, 5, 1, std::span(&two, 1));
  schedule.packets.add(0, 8, 1, std::span(&two, 1));
  schedule.packets.add(1, 6, 1, std::span(&two, 1));
  const LinkId first = schedule.network.link(0, 0),
               second = schedule.network.link(1, *schedule.network.port_to(1, 2));
  schedule.sends = {{1, first, 0}, {1, second, 2}, {2, first, 1}, {2, second, 0}, {3, second, 1}};
  sort_sends(schedule);
  const Schedule back = turned(schedule);
  std::set<std::uint32_t> tags;
  for (PacketIndex p = 0; p < back.packets.size(); ++p) tags.insert(back.packets.tag(p));
  CHECK(tags == std::set<std::uint32_t>{0, 1, 3});
  CHECK(turned(back).packets.tag(0) == 2);
}

TEST_CASE("packets of different lengths turn around at the cycle", "[reverse]") {
  Schedule schedule(make_topology("linear:2"));
  const NodeId one = 1;
  schedule.packets.add(0, 1, 2, std::span(&one, 1));
  schedule.packets.add(0, 3, 5, std::span(&one, 1));
  schedule.slot_cycles = 3;
  schedule.sends = {{1, 0, 0}, {2, 0, 1}};  // cycles 1-2 and 4-8: backwards 1-5 and 7-8
  const Schedule back = reverse(schedule);
  CHECK(verdict(back) == "valid");
  CHECK(back.slot_cycles == 3);  // cycle 7 begins slot 3
  CHECK(back.sends == std::vector<Send>{{1, 1, back.sends[0].packet}, {3, 1, back.sends[1].packet}});
  schedule.sends[1].start = 3;  // cycles 7-11: backwards 1-5 and 10-11
  CHECK(reverse(schedule).slot_cycles == 3);
  schedule.packets = {};
  schedule.packets.add(0, 1, 2, std::span(&one, 1));
  schedule.packets.add(0, 3, 4, std::span(&one, 1));
  const Schedule cycles = reverse(schedule);  // cycles 7-10: backwards 1-4 and 9-10
  CHECK(verdict(cycles) == "valid");
  CHECK(cycles.slot_cycles == 1);
  CHECK(cycles.sends[1].start == 9);
}

TEST_CASE("what cannot be turned around is refused with the reason", "[reverse]") {
  Schedule one_send = stepped("ring:4", CollectiveKind::kScatter, PortModel::kOnePortSend);
  CHECK_THROWS_WITH(reverse(one_send), Catch::Contains("one-port-send"));
  Schedule broken = stepped("ring:4", CollectiveKind::kScatter);
  broken.sends.pop_back();
  CHECK_THROWS_WITH(reverse(broken), Catch::Contains("expected a valid schedule; packet"));
  CHECK_THROWS_WITH(reverse(allreduce_of_two()), Catch::Contains("is a part of several packets"));
  Draft delivered(small_reduction());
  delivered.packets[0].destinations = {1};
  delivered.schedule.collective.clear();
  CHECK_THROWS_WITH(reverse(delivered.written()), Catch::Contains("is a part and has a destination"));
  // Two contributions pass node 1 one after the other and are combined at node 0 only.
  Schedule apart(make_topology("linear:4"));
  for (NodeId v = 0; v < 4; ++v) apart.packets.add(v, 0, 1, {});
  const std::vector<PacketIndex> all{0, 1, 2, 3};
  const NodeId root = 0;
  apart.packets.add(0, 1, 1, std::span(&root, 1), all);
  const auto link = [&](NodeId u) { return apart.network.link(u, *apart.network.port_to(u, u - 1)); };
  apart.sends = {{1, link(1), 1}, {1, link(2), 2}, {2, link(1), 2},
                 {1, link(3), 3}, {2, link(2), 3}, {3, link(1), 3}};
  sort_sends(apart);
  REQUIRE(verdict(apart) == "valid");
  CHECK_THROWS_WITH(reverse(apart), Catch::Contains("expected a reduction whose packets can be one"));
}

TEST_CASE("random multicasts turn around", "[reverse]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const Graph graph = random_graph(dice, 12, 5);
    Schedule schedule(graph);
    // Every packet goes down a tree of its own, level by level, and starts after the last one is over.
    std::uint32_t now = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const NodeId root = dice.below(graph.node_count());
      const std::vector<PortId> towards = random_tree(dice, graph, root);
      std::vector<NodeId> destinations;
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        if (v != root && dice.one_in(2)) destinations.push_back(v);
      }
      const PacketIndex p = schedule.packets.add(root, 100 + i, 1, destinations);
      std::vector<std::uint32_t> depth(graph.node_count());
      std::uint32_t deepest = 0;
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        for (NodeId u = v; u != root; u = graph.peer(u, towards[u]).node) ++depth[v];
        deepest = std::max(deepest, depth[v]);
        if (v == root) continue;
        const Endpoint up = graph.peer(v, towards[v]);
        schedule.sends.push_back({now + depth[v], graph.link(up.node, up.port), p});
      }
      now += deepest;
    }
    sort_sends(schedule);
    REQUIRE(verdict(schedule) == "valid");
    for (const Schedule& way : three_ways(schedule)) {
      const Schedule back = reverse(way);
      REQUIRE(verdict(back) == "valid");
      const Schedule again = reverse(back);
      REQUIRE(verdict(again) == "valid");
      CHECK(reverse(again).sends.size() == back.sends.size());
      CHECK(measure(again).cycles == measure(back).cycles);
    }
  }
}
