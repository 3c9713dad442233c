// Schedules on tdm_nodes: on time to the cycle, and what happens when they cannot be.
#include <map>
#include <optional>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/greedy_plan.hpp"
#include "testbench/support/policy_algorithm.hpp"

using namespace safnet;
using testbench::greedy_plan;
using testbench::policy_algorithm;

namespace {

ReplayResult run(const Schedule& schedule, ReplayRequest request = {}) {
  request.keep_trace = true;
  return replay(schedule, request, VariantStore::standard());
}
std::string first_problem(const ReplayResult& result) {
  return result.problems.empty() ? "" : result.problems.front();
}

}  // namespace

TEST_CASE("schedules run to the cycle that was planned", "[replay]") {
  for (const char* topology : {"ring:5", "mesh:3x4", "hypercube:3", "star:4"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const CollectiveKind kind : {CollectiveKind::kTotalExchange, CollectiveKind::kBroadcast,
                                        CollectiveKind::kScatter, CollectiveKind::kGather}) {
        const Problem problem{.graph = make_topology(topology), .collective = kind, .ports = ports};
        const Schedule steps = greedy_plan(problem);
        INFO(topology << " " << to_string(kind) << " " << to_string(ports));
        const ReplayResult plain = run(steps);
        CHECK(first_problem(plain) == "");
        CHECK(plain.cycles == plain.planned_cycles);
        CHECK(plain.on_time == steps.sends.size());
        CHECK(plain.measured_buffers <= plain.peak_buffers);
        const ReplayResult slots = run(in_lockstep(steps, 4, 1));
        CHECK(first_problem(slots) == "");
        CHECK(slots.cycles == 5 * plain.cycles);
        CHECK(slots.steps == plain.steps);
      }
    }
  }
}

TEST_CASE("free running starts every packet as soon as it can, and to the cycle", "[replay]") {
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
    const Problem problem{.graph = make_topology("torus:3x4"), .ports = ports};
    const Schedule free = free_running(greedy_plan(problem), 3, 2);
    const ReplayResult result = run(free);
    CHECK(first_problem(result) == "");
    CHECK(result.cycles == result.planned_cycles);
    CHECK(result.parameters.slot_cycles == 1);
  }
}

TEST_CASE("what is combined on the way is what its parts make", "[replay]") {
  for (const char* topology : {"ring:6", "mesh:3x3", "star:4", "complete:5"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      const Problem problem{.graph = make_topology(topology),
                            .collective = CollectiveKind::kBroadcast,
                            .ports = ports,
                            .root = 1};
      Schedule reduction = reverse(greedy_plan(problem));
      for (const Operation operation :
           {Operation::kSum, Operation::kMinimum, Operation::kMaximum, Operation::kAnd, Operation::kOr}) {
        INFO(topology << " " << to_string(operation) << " " << to_string(ports));
        reduction.operation = operation;
        const ReplayResult plain = run(reduction);
        CHECK(first_problem(plain) == "");
        CHECK(plain.delivered == 1);
        CHECK(plain.cycles == plain.planned_cycles);
        const ReplayResult slots = run(in_lockstep(reduction, 4, 1));
        CHECK(first_problem(slots) == "");
        CHECK(slots.steps == plain.steps);
      }
    }
  }
}

TEST_CASE("a wrong operation is noticed by the data", "[replay]") {
  const Problem problem{.graph = make_topology("ring:6"), .collective = CollectiveKind::kBroadcast};
  Schedule reduction = reverse(greedy_plan(problem));
  // The nodes' programs now combine other parts than the recorder expects.
  TdmProgram program = compile_program(reduction);
  for (TdmNodeProgram& node : program.nodes) {
    for (TdmLoad& load : node.loads) load.part = 0;
  }
  ReplayRequest request;
  const ReplayResult result = replay(reduction, program, request, VariantStore::standard());
  CHECK_THAT(first_problem(result), Catch::Contains("its data is not that of its parts combined"));
  CHECK(result.lost == 1);
}

namespace {

// Node 0 of a line of four scatters: a packet for each other node, planned greedily.
Schedule along_a_line() {
  const Problem problem{.graph = make_topology("linear:4"), .collective = CollectiveKind::kScatter};
  return greedy_plan(problem);
}

std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a send before its packet is there is late, says so, and does no harm", "[replay]") {
  Schedule schedule = along_a_line();
  // The last hop to node 3 is planned a step too early.
  REQUIRE(check_schedule(schedule).valid());
  for (Send& send : schedule.sends) {
    if (schedule.packets.tag(send.packet) == 3 && schedule.network.link_source(send.link) == 2)
      send.start -= 1;
  }
  sort_sends(schedule);
  REQUIRE_FALSE(check_schedule(schedule).valid());
  const ReplayResult result = run(schedule);
  CHECK(result.exit_code() == 1);
  CHECK(result.late == 1);
  CHECK(result.lost == 0);
  CHECK_THAT(all(result.problems), Catch::Contains("1 of 6 sends started later than planned"));
  CHECK_THAT(all(result.problems),
             Catch::Contains("node 2 was to send packet 2 (origin 0, tag 3) to node 3 in slot") &&
                 Catch::Contains("waits for it from node 1"));
}

TEST_CASE("a send of what never comes is stuck, and says who waits for what", "[replay]") {
  Schedule schedule = along_a_line();
  std::erase_if(schedule.sends, [&](const Send& send) {
    return schedule.packets.tag(send.packet) == 3 && schedule.network.link_source(send.link) == 0;
  });
  const ReplayResult result = run(schedule);
  CHECK(result.exit_code() == 3);
  CHECK(result.stuck);
  CHECK_THAT(all(result.waits), Catch::Contains("node 1 was to send packet 2 (origin 0, tag 3) to node 2") &&
                                    Catch::Contains("which nobody sends it"));
  CHECK_THAT(all(result.problems), Catch::Contains("never reached node 3"));
}

TEST_CASE("a flit that is lost makes the run wrong or stuck, never silently right", "[replay]") {
  for (const bool drop : {true, false}) {
    ReplayRequest request;
    const Schedule schedule = along_a_line();
    request.faults = {{2, *schedule.network.port_to(2, 1), drop, !drop}};
    request.fault_until = 3;  // the first packet for node 2 comes in cycle 3
    const ReplayResult result = run(schedule, request);
    CHECK(result.exit_code() != 0);
    CHECK(result.delivered < result.expected_deliveries);
  }
}

TEST_CASE("a host that feeds too slowly is reported", "[replay]") {
  const Problem problem{.graph = make_topology("ring:8")};
  const Schedule schedule = greedy_plan(problem);
  ReplayRequest request;
  request.feed_interval = 3;
  const ReplayResult result = run(schedule, request);
  CHECK(result.exit_code() == 1);
  CHECK(result.late > 0);
  CHECK(result.lost == 0);  // late, not wrong
  CHECK_THAT(all(result.problems), Catch::Contains("a program ran dry while instructions were left"));
}

TEST_CASE("buffers are as few as the plan says: with one fewer it would not do", "[replay]") {
  const Problem problem{.graph = make_topology("mesh:3x3")};
  const Schedule schedule = greedy_plan(problem);
  const TdmProgram program = compile_program(schedule);
  CHECK(program.peak_packets <= program.peak_buffers);
  ReplayRequest request;
  request.buffers = static_cast<int>(program.peak_buffers) - 1;
  CHECK_THROWS_WITH(replay_parameters(schedule, program, request), Catch::Contains("--buffers"));
}

TEST_CASE("threads and idle skipping change nothing", "[replay]") {
  const Problem problem{.graph = make_topology("torus:4x4"), .ports = PortModel::kOnePort};
  const Schedule schedule = greedy_plan(problem);
  const ReplayResult plain = run(schedule);
  ReplayRequest other;
  other.threads = 3;
  other.skip_idle = false;
  const ReplayResult again = run(schedule, other);
  CHECK(again.trace.transfers == plain.trace.transfers);
  CHECK(again.trace.deliveries == plain.trace.deliveries);
  CHECK(again.late == plain.late);
  CHECK(schedule_of_replay(schedule, plain.trace).sends == schedule.sends);
}

TEST_CASE("routers that follow a timetable are never behind it", "[replay]") {
  for (const char* topology : {"ring:7", "mesh:3x4", "hypercube:3"}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kTotalExchange, CollectiveKind::kScatter, CollectiveKind::kGather}) {
      const Problem problem{.graph = make_topology(topology), .collective = kind};
      const Schedule schedule = greedy_plan(problem);
      INFO(topology << " " << to_string(kind));
      RunRequest request(problem);
      request.keep_trace = true;
      const Algorithm algorithm = policy_algorithm("greedy", kind);
      const RunResult result =
          run_policy(request, algorithm, policy_of_schedule(schedule, "pifo"), VariantStore::standard());
      CHECK(result.problems.empty());
      CHECK(result.steps <= schedule.sends.back().start);
      // Every single transfer, not only the last.
      std::map<std::pair<LinkId, PacketId>, std::uint32_t> planned;
      for (const Send& send : schedule.sends)
        planned[{send.link, schedule.packets.id(send.packet)}] = send.start;
      for (const Transfer& t : result.trace.transfers)
        CHECK(t.step <= planned.at({schedule.network.link(t.from, t.port), t.packet}));
    }
  }
}

TEST_CASE("short packets behind long ones leave one a cycle", "[replay]") {
  Schedule schedule(make_topology("linear:2"));
  schedule.link_latency = 2;
  const NodeId there = 1;
  std::uint32_t cycle = 1;
  for (std::uint32_t tag = 0; tag < 12; ++tag) {
    const std::uint32_t flits = tag == 0 ? 4 : 1 + tag / 9;
    schedule.sends.push_back({cycle, 0, schedule.packets.add(0, tag, flits, std::span(&there, 1))});
    cycle += flits;
  }
  REQUIRE(check_schedule(schedule).valid());
  const ReplayResult result = run(schedule);
  CHECK(first_problem(result) == "");
  CHECK(result.cycles == result.planned_cycles);
}

TEST_CASE("a result is planned for when its last part comes, though it is sent on later", "[replay]") {
  Schedule schedule(make_topology("linear:3"));
  const PacketIndex a = schedule.packets.add(0, 0, 1, {});
  const PacketIndex b = schedule.packets.add(1, 0, 1, {});
  const PacketIndex parts[] = {a, b};
  const NodeId here = 1;
  const PacketIndex sum = schedule.packets.add(1, 1, 1, std::span(&here, 1), parts);
  schedule.sends = {{1, schedule.network.link(0, *schedule.network.port_to(0, 1)), a},
                    {5, schedule.network.link(1, *schedule.network.port_to(1, 2)), sum}};
  REQUIRE(check_schedule(schedule).valid());
  const ReplayResult result = run(schedule);
  CHECK(first_problem(result) == "");
  CHECK(result.planned_cycles == 1);
}

TEST_CASE("parts in a circle or of another length are refused, not followed", "[replay]") {
  for (const std::uint32_t flits : {1U, 4U}) {
    Schedule schedule(make_topology("linear:2"));
    const PacketIndex a = schedule.packets.add(0, 0, 1, {});
    const PacketIndex parts[] = {a, flits == 1 ? PacketIndex{1} : a};
    schedule.packets.add(0, 1, flits, {}, parts);
    CHECK_THROWS_WITH(compile_program(schedule),
                      Catch::Contains("expected a packet of a smaller number with"));
  }
  Schedule far(make_topology("linear:2"));
  const NodeId there = 1;
  far.sends = {{4'000'000'000, 0, far.packets.add(0, 1, 1, std::span(&there, 1))}};
  CHECK_THROWS_WITH(compile_program(far), Catch::Contains("expected a pause of at most 1000000 cycles"));
}
