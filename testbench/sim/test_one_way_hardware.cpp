// Networks with one-way links on the hardware: credits and grants that return on wires of their own, routers
// and timetables, the fabric against the elaborated networks.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/one_way_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string first_of(const std::vector<std::string>& lines) { return lines.empty() ? "" : lines.front(); }

ReplayResult replayed(const Schedule& schedule, bool whole_network = false) {
  ReplayRequest request;
  request.keep_trace = true;
  request.whole_network = whole_network;
  return replay(schedule, request, VariantStore::standard());
}

Schedule planned(const Problem& problem) {
  for (const Algorithm& algorithm : algorithms()) {
    const bool fits = algorithm.collective == problem.collective && algorithm.plan &&
                      !algorithm.chosen_by_name_only && algorithm.why_not(problem).empty();
    if (fits) return algorithm.plan(problem);
  }
  throw std::logic_error("no planner");
}

RunRequest request_for(const Graph& graph, CollectiveKind kind, PortModel ports) {
  RunRequest request(Problem{.graph = graph, .collective = kind, .ports = ports});
  request.queue_depth = 16;
  request.host_depth = 32;
  request.keep_trace = true;
  return request;
}

}  // namespace

TEST_CASE("timetables run to the cycle on one-way links", "[one_way_hardware]") {
  for (const char* spelling : {"kautz:2,2", "links:0-1,1-2,2-3,3-0,0-2,0-2", "de-bruijn:3,2"}) {
    const Graph graph = make_topology(spelling);
    for (const CollectiveKind kind :
         {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
          CollectiveKind::kReduction, CollectiveKind::kTotalExchange, CollectiveKind::kPartialExchange,
          CollectiveKind::kPartialGather}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        Problem problem{.graph = graph, .collective = kind, .ports = ports};
        const bool partial =
            kind == CollectiveKind::kPartialExchange || kind == CollectiveKind::kPartialGather;
        if (partial) problem.active = {1, 2};
        INFO(spelling << " " << to_string(kind) << " " << to_string(ports));
        const Schedule steps = planned(problem);
        REQUIRE(fault_of(steps) == "");
        // Few kinds of nodes, since each has to be built.
        std::vector<Schedule> schedules{steps};
        if (ports == PortModel::kOnePort) schedules.push_back(in_lockstep(steps, 4, 1));
        for (const Schedule& schedule : schedules) {
          const ReplayResult result = replayed(schedule);
          CHECK(first_of(result.problems) == "");
          CHECK(result.on_time == schedule.sends.size());
          CHECK(result.cycles == result.planned_cycles);
          CHECK(result.delivered == result.expected_deliveries);
          CHECK(schedule_of_replay(schedule, result.trace).sends.size() == schedule.sends.size());
        }
      }
    }
  }
}

TEST_CASE("routers work over one-way links, with grants too", "[one_way_hardware]") {
  std::vector<Graph> graphs{make_topology("kautz:2,2"), make_topology("links:0-1,1-2,2-3,3-0,0-2,0-2"),
                            random_one_way(9, 5, 1)};
  for (const Graph& graph : graphs) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                      CollectiveKind::kTotalExchange, CollectiveKind::kMultipath}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        for (const int flits : {1, 3}) {
          if (flits > 1 && ports == PortModel::kAllPort) continue;
          RunRequest request = request_for(graph, kind, ports);
          request.flits = flits;
          request.link_latency = flits / 2;
          INFO(graph.spelling() << " " << to_string(kind) << " " << to_string(ports) << " " << flits);
          const RunResult result = run_collective(request, VariantStore::standard());
          CHECK(first_of(result.problems) == "");
          CHECK(result.validated);
          CHECK(result.delivered == result.expected_deliveries);
          if (result.closed_form) CHECK(result.steps == *result.closed_form);
          CHECK(result.steps >= result.lower_bound.steps);
          const Schedule did = schedule_of_run(request, result);
          CHECK(fault_of(did) == "");
        }
      }
    }
  }
}

TEST_CASE("queues of one packet hold up what comes over a one-way link until a credit is back",
          "[one_way_hardware]") {
  RunRequest request = request_for(make_topology("kautz:2,2"), CollectiveKind::kScatter, PortModel::kAllPort);
  request.queue_depth = 1;
  request.slot = SlotMode::kFree;
  const RunResult slow = run_collective(request, VariantStore::standard());
  CHECK(first_of(slow.problems) == "");
  request.queue_depth = 16;
  const RunResult quick = run_collective(request, VariantStore::standard());
  CHECK(slow.cycles > quick.cycles);
}

TEST_CASE("the fabric and the elaborated networks agree on one-way links", "[one_way_hardware]") {
  const Graph graph = make_topology("links:0-1,1-2,2-3,3-0,0-2,0-2");
  RunRequest request = request_for(graph, CollectiveKind::kTotalExchange, PortModel::kOnePort);
  request.flits = 2;
  request.link_latency = 1;
  const RunResult fabric = run_collective(request, VariantStore::standard());
  request.whole_network = true;
  const RunResult network = run_collective(request, VariantStore::standard());
  CHECK(first_of(network.problems) == "");
  CHECK_FALSE(fabric.trace.transfers.empty());
  CHECK(fabric.trace.transfers == network.trace.transfers);
  CHECK(fabric.trace.deliveries == network.trace.deliveries);
  CHECK(fabric.cycles == network.cycles);

  const Schedule schedule = in_lockstep(
      planned({.graph = graph, .collective = CollectiveKind::kTotalExchange, .ports = PortModel::kAllPort}),
      3, 1);
  const ReplayResult wired = replayed(schedule), elaborated = replayed(schedule, true);
  CHECK(first_of(elaborated.problems) == "");
  CHECK(wired.trace.transfers == elaborated.trace.transfers);
  CHECK(wired.trace.deliveries == elaborated.trace.deliveries);
  CHECK(wired.cycles == elaborated.cycles);
}

TEST_CASE("who waits for whom over one-way links", "[one_way_hardware]") {
  // 0 -> 1 -> 2 -> 0. The packet that node 2 is to send on never comes: its way over node 1 is missing.
  const Graph graph = make_topology("links:0-1,1-2,2-0,2-0");
  Schedule schedule = planned(
      {.graph = graph, .collective = CollectiveKind::kScatter, .ports = PortModel::kAllPort, .root = 1});
  std::erase_if(schedule.sends, [&](const Send& send) {
    return graph.link_source(send.link) == 1 && schedule.packets.destinations(send.packet)[0] == 0;
  });
  const ReplayResult result = replayed(schedule);
  CHECK(result.stuck);
  CHECK_THAT(first_of(result.waits), Catch::Contains("which nobody sends it"));
  // Node 2 is to send a packet on before node 1, the only one that leads to it, has sent it there.
  Schedule early = planned(
      {.graph = graph, .collective = CollectiveKind::kScatter, .ports = PortModel::kAllPort, .root = 1});
  for (Send& send : early.sends) {
    if (graph.link_source(send.link) == 2) send.start = 1;
  }
  sort_sends(early);
  const ReplayResult late = replayed(early);
  CHECK(late.late == 1);
  bool named = false;
  for (const std::string& line : late.problems)
    named = named || line.find("and waits for it from node 1") != std::string::npos;
  CHECK(named);
}

TEST_CASE("the reference has no one-way links, and says so", "[one_way_hardware]") {
  RunRequest request =
      request_for(make_topology("kautz:2,2"), CollectiveKind::kBroadcast, PortModel::kAllPort);
  request.model = NetworkModel::kSystemC;
  CHECK_THROWS_WITH(run_collective(request, VariantStore::standard()),
                    Catch::Contains("one-way links with --model systemc"));
}
