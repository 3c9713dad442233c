// Links of their own latencies and widths on the hardware: timetables run to the cycle, whatever the links.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run_plan.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/unequal_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

void check_on_hardware(const Schedule& schedule, bool whole_network = false) {
  REQUIRE(fault_of(schedule) == "");
  ReplayRequest request;
  request.keep_trace = true;
  request.whole_network = whole_network;
  const ReplayResult result = replay(schedule, request, VariantStore::standard());
  CHECK((result.problems.empty() ? "" : result.problems.front()) == std::string());
  CHECK(result.on_time == schedule.sends.size());
  CHECK(result.cycles == result.planned_cycles);
  CHECK(result.delivered == result.expected_deliveries);
  const Schedule did = schedule_of_replay(schedule, result.trace);
  CHECK(fault_of(did) == "");
  request.whole_network = false;
  request.model = NetworkModel::kSystemC;
  const ReplayResult reference = replay(schedule, request, VariantStore::standard());
  CHECK((reference.problems.empty() ? "" : reference.problems.front()) == std::string());
  CHECK(reference.cycles == result.cycles);
  CHECK(reference.delivered == result.delivered);
  CHECK(schedule_of_replay(schedule, reference.trace).sends == did.sends);
}

}  // namespace

TEST_CASE("timetables run to the cycle on links of their own times", "[unequal_hardware]") {
  using enum CollectiveKind;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Dice dice(seed);
    const Graph graph = with_random_timing(random_graph(dice, 10, 4), dice, 6, 4);
    for (const CollectiveKind kind : {kBroadcast, kScatter, kGather, kReduction, kMultinodeBroadcast,
                                      kMultinodeAccumulation, kTotalExchange, kAllreduce}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        INFO(seed << " " << to_string(kind) << " " << to_string(ports));
        const Schedule plan = planned({.graph = graph,
                                       .collective = kind,
                                       .ports = ports,
                                       .root = dice.below(graph.node_count()),
                                       .messages = 1 + dice.below(3)});
        check_on_hardware(plan);
        check_on_hardware(free_running(plan, 4, 1));
      }
    }
  }
}

TEST_CASE("links as long and as slow as there can be", "[.stress]") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Dice dice(seed);
    const Graph graph = with_random_timing(random_graph(dice, 8, 4), dice, kMaxOwnLatency, kMaxCyclesPerFlit);
    INFO(seed);
    check_on_hardware(planned({.graph = graph, .collective = CollectiveKind::kTotalExchange}));
  }
  // Here every node has four ports, and links of other latencies and widths with each seed.
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Dice dice(seed);
    const Graph graph =
        with_random_timing(make_topology("complete:5"), dice, kMaxOwnLatency, kMaxCyclesPerFlit);
    INFO(seed);
    check_on_hardware(planned({.graph = graph, .collective = CollectiveKind::kTotalExchange}));
  }
}

TEST_CASE("a whole elaborated network has links of their own times", "[unequal_hardware]") {
  const Graph graph = make_topology("timed(ring:4;0-1:latency=2;1>2:cycles_per_flit=3;3>2:latency=1)");
  check_on_hardware(planned({.graph = graph, .collective = CollectiveKind::kTotalExchange}), true);
}

TEST_CASE("a schedule that takes slow links for quick ones runs late, and right", "[unequal_hardware]") {
  const Graph quick = make_topology("ring:5");
  Schedule schedule = planned({.graph = quick, .collective = CollectiveKind::kTotalExchange});
  schedule.network = make_topology("timed(ring:5;0-1:latency=4;2>3:cycles_per_flit=3)");
  CHECK(fault_of(schedule) != "");
  const ReplayResult result = replay(schedule, {}, VariantStore::standard());
  CHECK(result.on_time < schedule.sends.size());
  CHECK(result.delivered == result.expected_deliveries);
  ReplayRequest on_reference;
  on_reference.model = NetworkModel::kSystemC;
  const ReplayResult reference = replay(schedule, on_reference, VariantStore::standard());
  CHECK(reference.delivered == result.delivered);
}

TEST_CASE("what is lost or damaged on links of their own times is told", "[unequal_hardware][fault]") {
  const Schedule schedule =
      planned({.graph = make_topology("timed(ring:5;0-1:latency=4;2>3:cycles_per_flit=3)"),
               .collective = CollectiveKind::kTotalExchange});
  ReplayRequest whole;
  REQUIRE(replay(schedule, whole, VariantStore::standard()).exit_code() == 0);
  for (const bool drop : {true, false}) {
    for (const auto& [node, from] : {std::pair<NodeId, NodeId>{1, 0}, {3, 2}}) {
      CAPTURE(drop, node);
      ReplayRequest request;
      request.faults = {{node, schedule.network.port_to(node, from).value(), drop, !drop}};
      const ReplayResult result = replay(schedule, request, VariantStore::standard());
      CHECK(result.exit_code() != 0);
      CHECK(result.delivered < result.expected_deliveries);
    }
  }
}

TEST_CASE("routers refuse links that differ", "[unequal_hardware]") {
  RunRequest request(Problem{.graph = make_topology("timed(ring:4;0-1:latency=2)"),
                             .collective = CollectiveKind::kTotalExchange});
  request.node = NodeChoice::kRouter;
  request.algorithm = "furthest-first";
  CHECK_THROWS_WITH(plan_run(request), Catch::Contains("needs links that are all alike"));
}
