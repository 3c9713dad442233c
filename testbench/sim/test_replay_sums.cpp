// Sums that are sent and go into further sums, and parts that are sent on, on tdm_nodes: over loopbacks.
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/tighten.hpp"
#include "sim/run/replay.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/first_violation.hpp"

using namespace safnet;
using testbench::first_violation;

namespace {

ReplayResult run(const Schedule& schedule) {
  ReplayRequest request;
  request.keep_trace = true;
  return replay(schedule, request, VariantStore::standard());
}
std::string first_problem(const ReplayResult& result) {
  return result.problems.empty() ? "" : result.problems.front();
}
Schedule allreduce(const char* topology, PortModel ports, const char* algorithm, std::uint32_t messages = 1) {
  const Problem problem{.graph = make_topology(topology),
                        .collective = CollectiveKind::kAllreduce,
                        .ports = ports,
                        .messages = messages};
  return plan_of(find_planner(problem, algorithm), problem);
}

// A line of three: node 0's packet and node 1's own make a sum for node 2, and node 0's packet goes there
// too.
Schedule sum_and_part(std::uint32_t sum_slot, std::uint32_t part_slot) {
  Schedule schedule(make_topology("linear:3"));
  const NodeId end = 2;
  const PacketIndex a = schedule.packets.add(0, 0, 1, std::span(&end, 1));
  const PacketIndex b = schedule.packets.add(1, 0, 1, {});
  const PacketIndex parts[] = {a, b};
  const PacketIndex sum = schedule.packets.add(1, 1, 1, std::span(&end, 1), parts);
  const LinkId out = schedule.network.link(1, *schedule.network.port_to(1, 2));
  schedule.sends = {{1, schedule.network.link(0, 0), a}, {sum_slot, out, sum}, {part_slot, out, a}};
  sort_sends(schedule);
  return schedule;
}

// A line of three: node 0's packet and node 1's own make a sum for node 2, in this slot, and another one at
// node 1.
Schedule two_sums(std::uint32_t slot) {
  Schedule schedule = sum_and_part(slot, slot + 1);
  schedule.sends.pop_back();
  schedule.packets = {};
  const NodeId middle = 1, end = 2;
  const PacketIndex parts[] = {schedule.packets.add(0, 0, 1, {}), schedule.packets.add(1, 0, 1, {})};
  schedule.packets.add(1, 1, 1, std::span(&end, 1), parts);
  schedule.packets.add(1, 2, 1, std::span(&middle, 1), parts);
  return schedule;
}

// A line of three: two packets of node 1 make a sum for node 0, and with a third one a sum for node 2.
Schedule sums_of_own_packets() {
  Schedule schedule(make_topology("linear:3"));
  const NodeId first = 0, last = 2;
  const PacketIndex parts[] = {schedule.packets.add(1, 0, 1, {}), schedule.packets.add(1, 1, 1, {})};
  const PacketIndex third = schedule.packets.add(1, 2, 1, {});
  const PacketIndex sum = schedule.packets.add(1, 3, 1, std::span(&first, 1), parts);
  const PacketIndex both[] = {third, sum};
  const PacketIndex larger = schedule.packets.add(1, 4, 1, std::span(&last, 1), both);
  const auto link = [&](NodeId to) { return schedule.network.link(1, *schedule.network.port_to(1, to)); };
  schedule.sends = {{1, link(0), sum}, {2, link(2), larger}};
  return schedule;
}

// Node 0 sends a packet after the other to node 1, where each makes a sum with the one before; the last comes
// back in a step that is late.
Schedule running_sums(std::uint32_t packets) {
  Schedule schedule(make_topology("linear:2"));
  const NodeId first = 0, second = 1;
  PacketIndex sum = schedule.packets.add(1, 0, 1, {});
  for (std::uint32_t k = 1; k <= packets; ++k) {
    const PacketIndex arrived = schedule.packets.add(0, k, 1, {});
    schedule.sends.push_back({k, schedule.network.link(0, 0), arrived});
    const PacketIndex parts[] = {std::min(sum, arrived), std::max(sum, arrived)};
    sum = schedule.packets.add(1, k, 1, std::span(k == packets ? &first : &second, 1), parts);
  }
  schedule.sends.push_back({2 * packets, schedule.network.link(1, 0), sum});
  return schedule;
}

}  // namespace

TEST_CASE("recursive doubling runs to the cycle", "[replay_sums]") {
  struct Case {
    const char* topology;
    const char* algorithm;
    std::uint32_t messages;
    std::uint64_t steps;
  };
  for (const auto& [topology, algorithm, messages, steps] :
       {Case{"hypercube:3", "recursive-doubling", 1, 3}, Case{"hypercube:4", "recursive-doubling", 3, 12},
        Case{"complete:6", "recursive-doubling", 1, 3}, Case{"torus:4x6", "recursive-doubling", 1, 5},
        Case{"ring:7", "combine-everywhere", 1, 6}, Case{"mesh:2x3", "dimension-by-dimension", 1, 5}}) {
    INFO(topology << " " << algorithm);
    const Schedule plan = allreduce(topology, PortModel::kOnePort, algorithm, messages);
    CHECK(first_violation(plan) == "");
    CHECK(plan.last_start() == steps);
    for (const Schedule& schedule : {plan, in_lockstep(plan, 3, 2), free_running(plan, 4, 1)}) {
      const ReplayResult result = run(schedule);
      CHECK(first_problem(result) == "");
      CHECK(result.cycles == result.planned_cycles);
      CHECK(result.on_time == schedule.sends.size());
      CHECK(result.delivered == std::uint64_t{messages} * plan.network.node_count());
      CHECK(compile_program(schedule).loopbacks == 1);
    }
  }
}

TEST_CASE("allreduces that a search has found run to the cycle", "[replay_sums]") {
  // Packets are parts of two sums at a node here, and sums go on over several loopbacks.
  const Schedule de_bruijn = allreduce("de-bruijn:2,3", PortModel::kAllPort, "optimal"),
                 ring = allreduce("ring:9", PortModel::kOnePort, "optimal");
  CHECK(de_bruijn.last_start() == 3);
  CHECK(ring.last_start() == 6);
  for (const Schedule& schedule : {de_bruijn, in_lockstep(de_bruijn, 3, 2), ring}) {
    INFO(schedule.network.spelling() << ", " << schedule.slot_cycles << " cycles a slot");
    const ReplayResult result = run(schedule);
    CHECK(first_problem(result) == "");
    CHECK(result.cycles == result.planned_cycles);
    CHECK(result.on_time == schedule.sends.size());
    CHECK(result.delivered == schedule.network.node_count());
  }
}

TEST_CASE("several sums at a node go on at once over several loopbacks", "[replay_sums]") {
  const Schedule plan = allreduce("torus:4x4", PortModel::kAllPort, "dimension-by-dimension", 2);
  const ReplayResult result = run(plan);
  CHECK(first_problem(result) == "");
  CHECK(result.cycles == result.planned_cycles);
  CHECK(compile_program(plan).loopbacks == 2);
}

TEST_CASE("a part that is sent on is in the sum a slot later", "[replay_sums]") {
  // Node 1 sends the part in slot 2; in that slot it goes into the sum.
  const Schedule good = sum_and_part(3, 2);
  CHECK(first_late_sum(good) == "");
  CHECK(first_problem(run(good)) == "");
  CHECK(run(in_lockstep(good, 4, 1)).cycles == 15);
  // The other order is as valid, but the sum is not complete in slot 2.
  const Schedule early = sum_and_part(2, 3);
  CHECK(first_violation(early) == "");
  CHECK(first_late_sum(early) ==
        "packet 2 (origin 1, tag 1): sent in slot 2, complete at its node at the end of slot 2");
  const ReplayResult late = run(early);
  REQUIRE(late.problems.size() >= 3);
  CHECK(late.problems[0] == "1 of 3 sends started later than planned");
  CHECK_THAT(
      late.problems[1],
      Catch::Contains("node 1 was to send packet 2 (origin 1, tag 1) to node 2 in slot 2 and waits for it"));
  CHECK(late.problems[2] == "planned too early for tdm_nodes: " + first_late_sum(early));
  CHECK(late.delivered == 2);
  CHECK(late.cycles == 4);
}

TEST_CASE("a part of two sums at a node is in both a slot later, also without lockstep", "[replay_sums]") {
  const Schedule plan = two_sums(3);
  CHECK(first_late_sum(plan) == "");
  CHECK(first_problem(run(plan)) == "");
  const Schedule free = free_running(plan, 3, 0);  // cycles 1 to 3 to node 1, 4 to 6 over the loopback
  REQUIRE(free.sends.size() == 2);
  CHECK(free.sends[1].start == 7);
  const ReplayResult result = run(free);
  CHECK(first_problem(result) == "");
  CHECK(result.cycles == 9);

  Schedule later = two_sums(6);
  tighten(later);
  CHECK(later.sends[1].start == 3);
}

TEST_CASE("a sum of a node's own packets is a slot later in a further sum", "[replay_sums]") {
  const Schedule plan = sums_of_own_packets();
  CHECK(first_violation(plan) == "");
  CHECK(first_late_sum(plan) == "");
  const Schedule free = free_running(plan, 3, 0);
  REQUIRE(free.sends.size() == 2);
  CHECK(free.sends[1].start == 4);
  const ReplayResult result = run(free);
  CHECK(first_problem(result) == "");
  CHECK(result.cycles == 6);

  Schedule later = plan;
  later.sends[1].start = 5;
  tighten(later);
  CHECK(later.sends[1].start == 2);
}

TEST_CASE("sums of sums, as many as packets come, are complete with the last of them", "[replay_sums]") {
  const Schedule plan = running_sums(500);
  CHECK(first_violation(plan) == "");
  CHECK(free_running(plan, 1, 0).sends.back().start == 501);
  CHECK(free_running(plan, 4, 0).sends.back().start == 2001);
  Schedule tight = plan;
  tighten(tight);
  CHECK(tight.sends.back().start == 501);
  // The sums of 6,000 packets wait for 18 million arrivals, if the parts of parts are counted.
  Schedule long_one = running_sums(6000);
  static_assert(6000 / 2 * 6000 > kMostTightenedWaits);
  tighten(long_one);
  CHECK(long_one.sends.back().start == 12'000);
}

TEST_CASE("a sum of which a part never comes is stuck", "[replay_sums]") {
  Schedule schedule = sum_and_part(3, 2);
  schedule.sends.erase(schedule.sends.begin());
  const ReplayResult result = run(schedule);
  CHECK_FALSE(result.problems.empty());
  CHECK(result.delivered == 0);
}

TEST_CASE("a flit that is lost on its way into a sum that goes on is noticed", "[replay_sums]") {
  const Schedule plan = allreduce("hypercube:3", PortModel::kOnePort, "recursive-doubling");
  for (const bool drop : {true, false}) {
    ReplayRequest request;
    request.faults = {{1, 0, drop, !drop}};
    request.fault_until = 3;
    const ReplayResult result = replay(plan, request, VariantStore::standard());
    CHECK(result.exit_code() != 0);
    CHECK(result.delivered < result.expected_deliveries);
  }
}
