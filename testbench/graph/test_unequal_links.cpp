// Networks whose links differ in latency and width: how they are said, kept and written; plans and bounds.
#include <algorithm>
#include <numeric>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/schedule_texts.hpp"
#include "testbench/support/unequal_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

LinkTiming between(const Graph& graph, NodeId from, NodeId to) {
  return graph.timing(graph.link(from, *graph.port_to(from, to)));
}

constexpr CollectiveKind kKinds[] = {CollectiveKind::kBroadcast,
                                     CollectiveKind::kScatter,
                                     CollectiveKind::kGather,
                                     CollectiveKind::kReduction,
                                     CollectiveKind::kMultinodeBroadcast,
                                     CollectiveKind::kMultinodeAccumulation,
                                     CollectiveKind::kTotalExchange,
                                     CollectiveKind::kAllreduce};

}  // namespace

TEST_CASE("timed(...) gives links latencies and widths", "[unequal][topology]") {
  const Graph graph = make_topology("timed(ring:5;all:latency=1;0-1:latency=3;1>2,3>2:cycles_per_flit=4)");
  CHECK(graph.has_unequal_links());
  CHECK(between(graph, 0, 1) == LinkTiming{3, 1});
  CHECK(between(graph, 1, 0) == LinkTiming{3, 1});
  CHECK(between(graph, 1, 2) == LinkTiming{1, 4});
  CHECK(between(graph, 2, 1) == LinkTiming{1, 1});
  CHECK(between(graph, 3, 2) == LinkTiming{1, 4});
  CHECK(graph.largest_own_latency() == 3);
  CHECK(same_network(make_topology(graph.spelling()), graph));
  CHECK_FALSE(same_network(make_topology("ring:5"), graph));
  CHECK_FALSE(make_topology("timed(ring:5;all:latency=0,cycles_per_flit=1)").has_unequal_links());
  SECTION("in products, dimension by dimension") {
    const Graph product = make_topology("product(linear:2,timed(linear:3;0-1:latency=7))");
    for (NodeId row = 0; row < 2; ++row) {
      CHECK(between(product, 3 * row, 3 * row + 1) == LinkTiming{7, 1});
      CHECK(between(product, 3 * row + 1, 3 * row + 2) == LinkTiming{});
    }
    CHECK(between(product, 0, 3) == LinkTiming{});
  }
  SECTION("turned round, every link keeps its own") {
    const Graph back = graph.transposed();
    CHECK(between(back, 2, 1) == LinkTiming{1, 4});
    CHECK(between(back, 1, 2) == LinkTiming{1, 1});
    CHECK(same_network(back.transposed(), graph));
  }
  SECTION("where nodes get other numbers as some only route") {
    const Graph routed = make_topology("routers(timed(linear:3;0>1:latency=2;1>2:latency=5);1)");
    CHECK(between(routed, 0, 2) == LinkTiming{2, 1});  // the router is node 2 now
    CHECK(between(routed, 2, 1) == LinkTiming{5, 1});
    CHECK(between(routed, 2, 0) == LinkTiming{});
  }
}

TEST_CASE("what is wrong with latencies and widths is said in a line", "[unequal][topology]") {
  const auto why = [](const std::string& spelling) {
    try {
      make_topology(spelling);
    } catch (const std::invalid_argument& wrong) {
      return std::string(wrong.what());
    }
    return std::string("accepted");
  };
  CHECK(why("timed(ring:4)").find("no ';' before the links") != std::string::npos);
  CHECK(why("timed(ring:4;0-1)").find("expected links, a colon and latency=N") != std::string::npos);
  CHECK(why("timed(ring:4;0-1:speed=2)").find("'speed=2'") != std::string::npos);
  CHECK(why("timed(ring:4;0-1:latency=1025)").find("expected 0 to 1024") != std::string::npos);
  CHECK(why("timed(ring:4;0-1:cycles_per_flit=0)").find("expected 1 to 64") != std::string::npos);
  CHECK(why("timed(ring:4;0-2:latency=1)").find("'0-2': no link leads there") != std::string::npos);
  CHECK(why("timed(ring:4;0-9:latency=1)").find("'9'") != std::string::npos);
  CHECK(why("timed(ring:4;0:latency=1)").find("A-B for both directions") != std::string::npos);
}

TEST_CASE("a schedule's file keeps the links' own times", "[unequal][schedule_file]") {
  const Graph graph = make_topology("timed(ring:4;0-1:latency=2;1>2:cycles_per_flit=3)");
  // A spelling that does not say it: the ports are written, with what their links have of their own.
  for (const Graph& network : {graph, graph.with_spelling("mine")}) {
    const Schedule schedule = planned({.graph = network, .collective = CollectiveKind::kTotalExchange});
    const Folder folder;
    const std::string path = folder.file("a.json");
    write_schedule(schedule, path);
    const Schedule read = read_schedule(path);
    CHECK(same_network(read.network, graph));
    CHECK(read.sends == schedule.sends);
    CHECK(fault_of(read) == "");
  }
}

TEST_CASE("the quickest way is not the one with the fewest links", "[unequal][bound]") {
  // 0 to 1 directly takes 9 cycles, round the ring 3.
  const Graph graph = make_topology("timed(ring:4;0-1:latency=8)");
  CHECK(times_from(graph, LinkTimes(graph), 0)[1] == 3);
  CHECK(times_from(graph, LinkTimes(graph, 4, 1), 0)[1] == 13);  // 4 + 1 + 8 cycles; round the ring 15
  const Problem broadcast{.graph = graph, .collective = CollectiveKind::kBroadcast};
  CHECK(lower_bound(broadcast).steps == 3);
  const Schedule plan = planned(broadcast);
  CHECK(fault_of(plan) == "");
  CHECK(steps_of(plan) == 3);
}

TEST_CASE("a slow link out of a set bounds what leaves it", "[unequal][bound]") {
  // Nodes 0 and 1 have three packets each for 2, 3 and 4, and two links to them: one takes 5 cycles for each.
  const Graph graph = make_topology("timed(ring:5;1-2:cycles_per_flit=5)");
  const Problem problem{.graph = graph, .collective = CollectiveKind::kTotalExchange};
  // In T cycles T packets, the first of them from node 0, and T / 5 cross.
  CHECK(lower_bound(problem).steps == 5);
  CHECK(lower_bound_in_cycles(problem, 2, 0).steps == 10);
  CHECK(lower_bound_in_cycles(problem, 1, 3).steps == 12);  // from 1 to 3, either way round
  const Graph all_slow = make_topology("timed(ring:5;all:cycles_per_flit=5)");
  const Problem slow{.graph = all_slow, .collective = CollectiveKind::kTotalExchange};
  const Problem quick{.graph = make_topology("ring:5"), .collective = CollectiveKind::kTotalExchange};
  CHECK(lower_bound(slow).steps == 5 * lower_bound(quick).steps);
}

TEST_CASE("plans on random unequal links are valid, and no shorter than their bounds", "[unequal][bound]") {
  std::uint64_t optimal = 0, plans = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Dice dice(seed);
    const Graph graph = with_random_timing(random_graph(dice, 9, 5), dice, 6, 4);
    for (const CollectiveKind kind : kKinds) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        const Problem problem{.graph = graph,
                              .collective = kind,
                              .ports = ports,
                              .root = dice.below(graph.node_count()),
                              .messages = 1 + dice.below(3)};
        CAPTURE(seed, to_string(kind), to_string(ports), problem.messages);
        const Schedule plan = planned(problem);
        const std::uint64_t bound = lower_bound(problem).steps;
        CHECK(fault_of(plan) == "");
        CHECK(why_not_packets_of(problem, plan) == "");
        CHECK(bound <= steps_of(plan));
        optimal += bound == steps_of(plan);
        ++plans;
        const Schedule longer = free_running(plan, 3, 2);
        CHECK(fault_of(longer) == "");
        CHECK(lower_bound_in_cycles(problem, 3, 2).steps <= last_arrival_cycle(longer));
      }
    }
  }
  CAPTURE(optimal, plans);
  CHECK(3 * optimal >= plans);
}

TEST_CASE("one-port, a reduction takes as long as a broadcast, whatever the links take",
          "[unequal][lower_bound]") {
  // Every link takes 5 cycles a flit: of eight nodes all are informed after the third send.
  const Graph graph = make_topology("timed(complete:8;all:cycles_per_flit=5)");
  for (const CollectiveKind collective : {CollectiveKind::kBroadcast, CollectiveKind::kReduction}) {
    const auto bound = [&](std::uint32_t messages) {
      Problem problem{.graph = graph, .collective = collective, .ports = PortModel::kOnePort};
      problem.messages = messages;
      return lower_bound(problem).steps;
    };
    CAPTURE(to_string(collective));
    CHECK(bound(1) == 15);
    CHECK(bound(2) == 20);
  }
}
