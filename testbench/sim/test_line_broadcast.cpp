// Concurrent broadcasts in linear arrays and rings: bounds, halves, and how packets are named.
#include <algorithm>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

RunRequest broadcasts(const std::string& topology, std::vector<NodeId> active,
                      const std::string& algorithm = "pass-on-first") {
  RunRequest request(
      Problem{.graph = make_topology(topology), .collective = CollectiveKind::kConcurrentBroadcast});
  request.problem.active = std::move(active);
  request.algorithm = algorithm;
  request.keep_trace = true;
  return request;
}
RunResult run(const RunRequest& request) { return run_collective(request, VariantStore::standard()); }

// Every expected packet has an index of its own, and the index leads back to it.
void check_numbering(const Collective& collective) {
  for (NodeId v = 0; v < collective.node_count(); ++v) {
    std::uint32_t expected = 0;
    for (NodeId source = 0; source < collective.node_count(); ++source) {
      for (std::uint32_t tag = 0; tag < 40; ++tag) expected += collective.expects(v, {source, tag}) ? 1 : 0;
    }
    CHECK(collective.expected_at_node(v) == expected);
    for (std::uint32_t i = 0; i < expected; ++i) {
      const PacketId id = collective.expected_packet(v, i);
      CHECK(collective.expects(v, id));
      CHECK(collective.delivery_index(v, id) == i);
    }
  }
}

}  // namespace

TEST_CASE("packets of concurrent broadcasts and partial exchanges are numbered",
          "[line_broadcast][collective]") {
  check_numbering(Collective::concurrent_broadcast({0, 3, 1, 0, 2}));
  check_numbering(Collective::concurrent_broadcast({4, 0}));
  check_numbering(Collective::partial_exchange(6, {1, 2, 5}));
  check_numbering(Collective::partial_exchange(5, {0, 4}, 3));
  check_numbering(Collective::partial_exchange(4, {2}));
}

TEST_CASE("arrays take K + p - 2 steps at most, whatever the distribution", "[line_broadcast]") {
  for (const std::vector<NodeId>& active :
       {std::vector<NodeId>{0, 0, 0, 3}, {2, 2, 2, 2}, {0, 1, 2, 3, 4}, {4, 4, 4, 4, 4}, {1, 3, 3}}) {
    RunRequest request = broadcasts("linear:5", active);
    CAPTURE(active);
    const RunResult result = run(request);
    REQUIRE(result.problems.empty());
    CHECK(result.delivered == 4 * active.size());
    CHECK(result.steps <= active.size() + 3);
    if (active.front() == active.back() && active.front() % 4 == 0) CHECK(result.steps == active.size() + 3);
    CHECK(check_schedule(schedule_of_run(request, result), 1).valid());
    const Schedule model = plan_of(find_algorithm(request.problem, request.algorithm), request.problem);
    CHECK(steps_of(model) == result.steps);
    CHECK(check_schedule(model, 1).valid());
  }
}

TEST_CASE("halves are half as long, rounded up, and go round in opposite directions", "[line_broadcast]") {
  for (const int flits : {1, 3, 4}) {
    RunRequest request = broadcasts("ring:5", {0, 0, 3}, "pass-on-first-halves");
    request.flits = flits;
    CAPTURE(flits);
    const RunResult result = run(request);
    REQUIRE(result.problems.empty());
    CHECK(result.pieces == 2);
    CHECK(result.parameters.flits == (flits + 1) / 2);
    CHECK(result.parameters.slot_cycles == (flits + 1) / 2);
    CHECK(result.delivered == 2 * 3 * 4);
    CHECK(result.transmissions == 2 * 3 * 4);  // p - 1 hops each
    CHECK(result.steps <= 3 + 5 - 2);
    for (const Transfer& t : result.trace.transfers) {
      const NodeId next = request.problem.graph.peer(t.from, t.port).node;
      CHECK(next == (t.from + (t.packet.tag % 2 == 0 ? 1 : 4)) % 5);
    }
    const Schedule schedule = schedule_of_run(request, result);
    CHECK(check_schedule(schedule, 1).valid());
    CHECK(steps_of(schedule) == result.steps);
    RunRequest planned = request;
    planned.node = NodeChoice::kTdm;
    const RunResult timetable = run(planned);
    REQUIRE(timetable.problems.empty());
    CHECK(timetable.steps == result.steps);
  }
}

TEST_CASE("rings with whole packets send them half-way round both ways", "[line_broadcast]") {
  for (const NodeId p : {3U, 4U, 5U, 8U, 9U}) {
    std::vector<NodeId> all;
    for (NodeId v = 0; v < p; ++v) all.push_back(v);
    RunRequest request = broadcasts("ring:" + std::to_string(p), all);
    CAPTURE(p);
    const RunResult result = run(request);
    REQUIRE(result.problems.empty());
    CHECK(result.steps == p / 2);
    CHECK(result.transmissions == std::uint64_t{p} * (p - 1));
    CHECK(result.verdict == Verdict::kOptimal);
  }
}

TEST_CASE("the rule exceeds (p - 1) W half slots on a ring of three", "[line_broadcast]") {
  const RunResult result = run(broadcasts("ring:3", {1, 1, 2, 2}, "pass-on-first-halves"));
  REQUIRE(result.problems.empty());
  CHECK(result.steps == 5);
}

TEST_CASE("concurrent broadcasts where the rule does not apply", "[line_broadcast]") {
  CHECK_THROWS_WITH(run(broadcasts("mesh:3x3", {0})), Catch::Contains("needs a linear array, or a ring"));
  CHECK_THROWS_WITH(run(broadcasts("linear:4", {0}, "pass-on-first-halves")),
                    Catch::Contains("needs a ring"));
  CHECK_THROWS_WITH(run(broadcasts("linear:4", {})), Catch::Contains("needs --active"));
  CHECK_THROWS_WITH(run(broadcasts("linear:4", {1, 4})), Catch::Contains("--active 4"));
  CHECK_THROWS_WITH(run(broadcasts("linear:4", {2, 1})), Catch::Contains("ascending"));
  RunRequest one = broadcasts("linear:4", {0});
  one.problem.ports = PortModel::kOnePort;
  CHECK_THROWS_WITH(run(one), Catch::Contains("needs --ports all"));
}
