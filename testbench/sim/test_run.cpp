// Runs of collectives on the fabric: exact times, accounting of every packet, and what happens when something
// is broken.
#include <algorithm>

#include "cpp_model/graph/topology.hpp"
#include "sim/report/run_report.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

RunRequest request_for(const std::string& topology, PortModel ports = PortModel::kAllPort,
                       const std::string& algorithm = "") {
  RunRequest request(Problem{.graph = make_topology(topology), .ports = ports});
  request.algorithm = algorithm;
  return request;
}
RunResult run(const RunRequest& request) { return run_collective(request, VariantStore::standard()); }

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a packet of one flit moves one hop per cycle", "[run]") {
  RunRequest request = request_for("linear:7");
  request.problem.collective = CollectiveKind::kBroadcast;
  request.keep_trace = true;
  const RunResult result = run(request);
  REQUIRE(result.problems.empty());
  CHECK(result.steps == 6);
  CHECK(result.cycles == 6);
  REQUIRE(result.trace.transfers.size() == 6);
  for (std::uint32_t hop = 0; hop < 6; ++hop) {
    CHECK(result.trace.transfers[hop].cycle == hop + 1);
    CHECK(result.trace.transfers[hop].from == hop);
    CHECK(result.trace.deliveries[hop].cycle == hop + 1);
  }
}

TEST_CASE("in lockstep cycles are steps times slot cycles, free running is never later", "[run]") {
  const int flits = GENERATE(1, 2, 5);
  const int latency = GENERATE(0, 3);
  RunRequest request = request_for("ring:6");
  request.flits = flits;
  request.link_latency = latency;
  const RunResult lockstep = run(request);
  REQUIRE(lockstep.problems.empty());
  CHECK(lockstep.steps == 5);
  CHECK(lockstep.cycles == 5 * static_cast<std::uint32_t>(flits + latency));
  request.slot = SlotMode::kFree;
  const RunResult free_running = run(request);
  REQUIRE(free_running.problems.empty());
  CHECK(free_running.steps == free_running.cycles);
  CHECK(free_running.cycles <= lockstep.cycles);
  CHECK(free_running.cycles >= free_running.lower_bound.steps);
}

TEST_CASE("queues are as full in lockstep as with packets of one flit", "[run][peaks]") {
  RunRequest request = request_for("fat-tree:2,3", PortModel::kAllPort, "flooding");
  request.problem.collective = CollectiveKind::kMultinodeBroadcast;
  request.slot = SlotMode::kFree;
  const RunResult single = run(request);
  request.slot = SlotMode::kLockstep;
  request.flits = 4;
  request.link_latency = 1;
  const RunResult lockstep = run(request);
  REQUIRE(single.problems.empty());
  REQUIRE(lockstep.problems.empty());
  CHECK(single.queue_peaks == lockstep.queue_peaks);
  REQUIRE(single.queue_peaks.size() == request.problem.graph.link_count());
  std::uint32_t stored = 0, waiting = 0;
  for (const QueuePeak& peak : single.queue_peaks) {
    stored = std::max(stored, peak.stored);
    waiting = std::max(waiting, peak.waiting);
    CHECK(peak.waiting <= peak.stored);
  }
  CHECK(stored == single.peak_queue);
  CHECK(waiting > 0);
  CHECK(waiting < stored);
  request.model = NetworkModel::kSystemC;
  CHECK(run(request).queue_peaks == lockstep.queue_peaks);
  request.problem.ports = PortModel::kOnePortSend;
  request.algorithm.clear();
  CHECK(run(request).queue_peaks.empty());
}

TEST_CASE("the result does not depend on threads or on skipping idle nodes", "[run][fabric]") {
  const PortModel ports = GENERATE(PortModel::kAllPort, PortModel::kOnePort);
  const std::string topology = GENERATE("mesh:4x3", "torus:4x4");
  RunRequest request = request_for(topology, ports);
  request.keep_trace = true;
  const RunResult plain = run(request);
  REQUIRE(plain.problems.empty());
  const auto same = [&](const RunResult& other) {
    CHECK(other.problems.empty());
    CHECK(other.trace.transfers == plain.trace.transfers);
    CHECK(other.trace.deliveries == plain.trace.deliveries);
    CHECK(other.cycles == plain.cycles);
    CHECK(other.peak_queue == plain.peak_queue);
    CHECK(other.delay_sum == plain.delay_sum);
  };
  for (const unsigned threads : {2U, 3U, 12U}) {
    request.threads = threads;
    same(run(request));
  }
  request.threads = 1;
  request.skip_idle = false;
  const RunResult all_nodes = run(request);
  same(all_nodes);
  CHECK(all_nodes.node_evaluations >= plain.node_evaluations);
}

TEST_CASE("idle nodes are not evaluated", "[run][fabric]") {
  RunRequest request = request_for("linear:32");
  request.problem.collective = CollectiveKind::kBroadcast;
  const RunResult result = run(request);
  REQUIRE(result.steps == 31);
  // Every node is awake for a few cycles around the packet's visit, not for all 31.
  CHECK(result.node_evaluations < 32 * 8);
}

TEST_CASE("a lost packet is reported as lost, by name", "[run][fault]") {
  RunRequest request = request_for("ring:5");
  request.router = find_router_kind(GENERATE("pifo", "fifo"));
  request.faults = {{1, 1, true, false}};  // what node 0 sends clockwise in cycle 1
  request.fault_until = 1;
  const RunResult result = run(request);
  CHECK(result.lost == 1);
  CHECK(result.delivered == result.expected_deliveries - 1);
  CHECK(result.verdict == Verdict::kFailed);
  CHECK(result.exit_code() == 1);
  CHECK(mentions(result.problems, "never reached node"));
}

TEST_CASE("a damaged payload is reported with packet, node and cycle", "[run][fault]") {
  RunRequest request = request_for("ring:5");
  request.router = find_router_kind(GENERATE("pifo", "fifo"));
  request.faults = {{1, 1, false, true}};
  request.fault_until = 1;
  const RunResult result = run(request);
  CHECK(result.lost == 1);
  CHECK(result.exit_code() == 1);
  CHECK(mentions(result.problems, "its payload differs from what was sent"));
}

TEST_CASE("a one-port run without grants flags two packets arriving at once", "[run][grants]") {
  RunRequest request = request_for("mesh:3x3", PortModel::kOnePort);
  request.router = find_router_kind(GENERATE("pifo", "fifo"));
  request.grants = GrantMode::kOff;
  const RunResult result = run(request);
  CHECK(result.lost == 0);
  CHECK(result.exit_code() == 1);
  CHECK(mentions(result.problems, "received two packets at once"));
  CHECK(mentions(result.problems, "is receiving another packet"));  // the check of the trace, too
  request.grants = GrantMode::kAutomatic;
  const RunResult granted = run(request);
  CHECK(granted.problems.empty());
  CHECK(granted.parameters.grant_cycles == 2);
  CHECK(granted.cycles == granted.steps * 3);
}

TEST_CASE("grants work over links with latency, in lockstep and free running", "[run][grants]") {
  const int flits = GENERATE(1, 3);
  const int latency = GENERATE(0, 2);
  const SlotMode slot = GENERATE(SlotMode::kLockstep, SlotMode::kFree);
  RunRequest request = request_for("mesh:3x3", PortModel::kOnePort);
  request.flits = flits;
  request.link_latency = latency;
  request.slot = slot;
  const RunResult result = run(request);
  CHECK(result.problems.empty());
  CHECK(result.delivered == 72);
  CHECK(result.parameters.grant_cycles == 2 * latency + 2);
}

TEST_CASE("grants that nobody needs cost their cycles and no steps", "[run][grants]") {
  RunRequest request = request_for("torus:4x3", PortModel::kOnePort);
  request.grants = GrantMode::kOn;
  const RunResult result = run(request);
  REQUIRE(result.problems.empty());
  CHECK(result.verdict == Verdict::kOptimal);
  CHECK(result.cycles == result.steps * 3);
  request.slot = SlotMode::kFree;  // steps are cycles then, and no closed form is promised
  const RunResult free_running = run(request);
  CHECK(free_running.problems.empty());
  CHECK(!free_running.closed_form);
}

TEST_CASE("queues too small to be free of deadlock end the run with the circle of waiting links",
          "[run][stuck]") {
  RunRequest request = request_for("ring:16", PortModel::kAllPort, "message-shift");
  request.queue_depth = 1;
  request.keep_trace = true;
  const RunResult result = run(request);
  CHECK(result.verdict == Verdict::kStuck);
  CHECK(!result.trace.transfers.empty());  // what did move is worth looking at
  CHECK(result.exit_code() == 3);
  REQUIRE(!result.waits.empty());
  CHECK(result.waits[0].find("cycle of waiting links: ") == 0);
  CHECK(mentions(result.waits, "for a credit from node"));
}

TEST_CASE("transit-first needs next to no queue where message-shift needs hundreds", "[run]") {
  const RunResult shift = run(request_for("torus:8x8", PortModel::kOnePort, "message-shift"));
  const RunResult transit = run(request_for("torus:8x8", PortModel::kOnePort, "transit-first"));
  CHECK(shift.verdict == Verdict::kOptimal);
  CHECK(transit.verdict == Verdict::kOptimal);
  CHECK(transit.peak_transit_queue == 1);
  CHECK(shift.peak_transit_queue > 50);
}

TEST_CASE("shallow queues delay but lose nothing", "[run]") {
  RunRequest request = request_for("linear:12", PortModel::kAllPort, "closest-first");
  request.queue_depth = 2;
  const RunResult result = run(request);
  CHECK(result.lost == 0);
  CHECK(result.duplicated == 0);
  CHECK(result.delivered == 132);
}

TEST_CASE("hosts feed what does not fit into the queues", "[run]") {
  RunRequest request = request_for("torus:4x4", PortModel::kOnePort, "transit-first");
  request.flits = GENERATE(1, 3);
  request.host_depth = 2;  // of 15 packets
  const RunResult result = run(request);
  CHECK(result.problems.empty());
  CHECK(result.delivered == 240);
  CHECK(result.peak_queue <= 3);
  CHECK(result.verdict == Verdict::kOptimal);
}

TEST_CASE("hosts that start with empty queues take one step more, with two places for their packets",
          "[run][injection]") {
  const PortModel ports = GENERATE(PortModel::kAllPort, PortModel::kOnePort);
  RunRequest request = request_for(GENERATE("torus:4x4", "mesh:3x4", "ring:7"), ports);
  request.flits = GENERATE(1, 3);
  CAPTURE(request.problem.graph.spelling(), ports, request.flits);
  const RunResult full = run(request);
  REQUIRE(full.problems.empty());
  request.hosts = HostStart::kEmpty;
  request.host_depth = 2;
  const RunResult empty = run(request);
  CHECK(empty.problems.empty());
  CHECK(empty.steps == full.steps + 1);
  CHECK(empty.verdict == full.verdict);
  CHECK(empty.host_waiting == 0);
  CHECK(empty.delivered == full.delivered);
  CHECK(empty.delay_sum >= full.delay_sum + full.delivered);
}

TEST_CASE("hosts that start with empty queues are refused where nodes are not fed by them", "[run]") {
  RunRequest request = request_for("torus:4x4");
  request.hosts = HostStart::kEmpty;
  request.node = NodeChoice::kTdm;
  CHECK_THROWS_WITH(plan_run(request),
                    "--hosts empty: expected an algorithm for pifo_nodes; a timetable runs on tdm_nodes");
  request = RunRequest(Problem{.graph = make_topology("torus:5x5"),
                               .collective = CollectiveKind::kPartialExchange,
                               .active = {1, 7, 9}});
  request.hosts = HostStart::kEmpty;
  CHECK_THROWS_WITH(run(request), "--hosts empty: expected an algorithm whose nodes do not scan first");
}

TEST_CASE("with a port for each output two places do for all packets of a host", "[run][injection]") {
  RunRequest request =
      request_for(GENERATE("torus:4x4", "mesh:3x4", "fat-tree:2,3,exponential"), PortModel::kAllPort);
  request.flits = GENERATE(1, 3);
  const RunResult all_places = run(request);
  REQUIRE(all_places.problems.empty());
  request.host_depth = 2;
  const RunResult two_places = run(request);
  CHECK(two_places.problems.empty());
  CHECK(two_places.host_waiting > 0);
  CHECK(two_places.steps == all_places.steps);
  CHECK(two_places.delay_sum == all_places.delay_sum);
  CHECK(two_places.peak_transit_queue == all_places.peak_transit_queue);
}

TEST_CASE("parameters out of range are refused by name", "[run]") {
  RunRequest request = request_for("ring:5");
  request.flits = 65;
  CHECK_THROWS_WITH(plan_run(request), "--flits 65: expected 1 to 64");
  request.flits = 1;
  request.link_latency = -1;
  CHECK_THROWS_WITH(plan_run(request), "--link-latency -1: expected 0 to 64");
  request.link_latency = 0;
  request.queue_depth = 5000;
  CHECK_THROWS_WITH(plan_run(request), "--queue-depth 5000: expected 1 to 4096");
  request.queue_depth = 0;
  request.grants = GrantMode::kOn;
  CHECK_THROWS_WITH(plan_run(request), "--grants on: only --ports one has grants");
  CHECK_THROWS_AS(plan_run(request_for("ring:5", PortModel::kAllPort, "no-such")), std::invalid_argument);
}

TEST_CASE("a window of messages keeps short queues from a deadlock, at the steps of deep ones", "[run]") {
  RunRequest request = request_for("ring:16", PortModel::kAllPort, "parity-message-shift");
  request.problem.messages = 150;
  const RunResult deep = run(request);
  CHECK(deep.parameters.queue_depth == 4096);
  CHECK(deep.window == 0);
  CHECK(deep.verdict == Verdict::kOptimal);
  request.queue_depth = request.host_depth = 512;
  CHECK(run(request).verdict == Verdict::kStuck);
  request.window = 7;  // two windows of 36 packets a link fit
  const RunResult windowed = run(request);
  CHECK(windowed.problems.empty());
  CHECK(windowed.host_waiting == 16 * 15 * (150 - 7));
  CHECK(windowed.peak_transit_queue <= 512);
  CHECK(windowed.steps >= deep.steps);
  CHECK(windowed.steps <= deep.steps + 36);
  // A window that nobody asked for is of a second run.
  CHECK(to_json(request, windowed)["stuck_without_window"] == false);
  request.window = 0;
  CHECK(to_json(request, windowed)["stuck_without_window"] == true);
  CHECK_FALSE(to_json(request, deep).contains("stuck_without_window"));
}

TEST_CASE("a window needs messages that an algorithm repeats", "[run]") {
  RunRequest request = request_for("ring:6");
  request.window = 1;
  CHECK_THROWS_WITH(run(request), Catch::Contains("--window 1"));
  request.problem.messages = 2;
  CHECK(run(request).window == 1);
  request.window = -1;
  CHECK_THROWS_WITH(run(request), Catch::Contains("--window -1"));
}

TEST_CASE("a run keeps to a limit on forwarding, on nodes of either kind", "[run]") {
  RunRequest request = request_for("ring:9", PortModel::kOnePort);
  request.problem.collective = CollectiveKind::kAllreduce;
  CHECK(run(request).steps == 6);
  request.forwarding = 5;
  RunResult result = run(request);
  CHECK(result.exit_code() == 0);
  CHECK(result.steps == 8);

  request = request_for("torus:4x4");
  request.problem.collective = CollectiveKind::kBroadcast;
  for (const NodeChoice node : {NodeChoice::kAutomatic, NodeChoice::kTdm}) {
    request.node = node;
    request.forwarding = 4;
    result = run(request);
    CHECK(result.exit_code() == 0);
    CHECK(result.steps == 4);
    CHECK(result.node == (node == NodeChoice::kTdm ? NodeChoice::kTdm : NodeChoice::kRouter));
    request.forwarding = 3;
    CHECK_THROWS_WITH(run(request), Catch::Contains("--forwarding 3: expected at least 4"));
  }
  request.algorithm = "shortest-path-tree";
  request.forwarding = 4;
  CHECK(run(request).exit_code() == 0);
  request.forwarding = 3;
  CHECK_THROWS_WITH(run(request), Catch::Contains("shortest-path-tree"));
}
