// Plans for nodes with little room: messages one after the other, by the plan with the fewest packets in
// transit.
#include <algorithm>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

Problem problem_of(const char* topology, std::uint32_t messages,
                   CollectiveKind kind = CollectiveKind::kTotalExchange) {
  Problem problem{.graph = make_topology(topology), .collective = kind};
  problem.messages = messages;
  return problem;
}

// Of every node: packets that have come and will leave, counted step by step.
std::uint32_t counted_in_transit(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  std::uint32_t most = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (std::uint32_t step = 1; step <= schedule.last_start(); ++step) {
      std::uint32_t now = 0;
      for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
        const auto is_of = [&](const Send& s, NodeId node) { return s.packet == p && node == v; };
        const bool came = std::ranges::any_of(schedule.sends, [&](const Send& s) {
          return is_of(s, graph.link_target(s.link)) && s.start <= step;
        });
        const bool leaves = std::ranges::any_of(schedule.sends, [&](const Send& s) {
          return is_of(s, graph.link_source(s.link)) && s.start > step;
        });
        now += came && leaves && schedule.packets.origin(p) != v ? 1 : 0;
      }
      most = std::max(most, now);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("packets in transit are counted", "[messages_in_turn]") {
  for (const char* topology : {"linear:5", "ring:6", "mesh:3x3"}) {
    const Problem problem = problem_of(topology, 1);
    for (const char* name : {"furthest-first", "closest-first", "list-scheduling"}) {
      const Schedule schedule = plan_of(find_planner(problem, name), problem);
      CAPTURE(topology, name);
      CHECK(most_in_transit(schedule) == counted_in_transit(schedule));
    }
  }
}

TEST_CASE("messages in turn: valid, with the steps of the best plan and fewer packets in transit",
          "[messages_in_turn]") {
  for (const char* topology : {"linear:8", "torus:4x4", "hypercube:3"}) {
    CAPTURE(topology);
    const Problem once = problem_of(topology, 1), several = problem_of(topology, 5);
    const Choice one = choose_in_turn(once), all = choose_in_turn(several);
    CHECK(steps_of(*one.plan) == lower_bound(once).steps);
    CHECK(steps_of(*all.plan) == lower_bound(several).steps);
    CHECK(check_schedule(*all.plan, 1).valid());
    CHECK(why_not_packets_of(several, *all.plan).empty());
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.chosen_by_name_only || algorithm.collective != once.collective ||
          !algorithm.why_not(once).empty())
        continue;
      CAPTURE(algorithm.name);
      const Schedule plan = plan_of(algorithm, once);
      CHECK((steps_of(plan) > steps_of(*one.plan) || most_in_transit(plan) >= most_in_transit(*one.plan)));
    }
    // Furthest first sends packets of all messages as soon as links are free, and stores what comes too
    // early.
    const Schedule together = plan_of(find_planner(several, "furthest-first"), several);
    CHECK(most_in_transit(*all.plan) < most_in_transit(together));
  }
}

TEST_CASE(
    "messages in turn: of every collective, with either port model, the plan with the fewest packets in "
    "transit",
    "[messages_in_turn]") {
  const auto kind =
      GENERATE(CollectiveKind::kBroadcast, CollectiveKind::kReduction, CollectiveKind::kMultinodeBroadcast,
               CollectiveKind::kMultinodeAccumulation, CollectiveKind::kAllreduce, CollectiveKind::kGather);
  const auto ports = GENERATE(PortModel::kAllPort, PortModel::kOnePort);
  for (const char* topology : {"mesh:3x3", "hypercube:3", "fat-tree:2,2"}) {
    CAPTURE(topology, to_string(kind), to_string(ports));
    Problem once = problem_of(topology, 1, kind);
    once.ports = ports;
    Problem several = once;
    several.messages = 3;
    const Choice one = choose_in_turn(once), all = choose_in_turn(several);
    CHECK(check_schedule(*one.plan, 1).valid());
    CHECK(check_schedule(*all.plan, 1).valid());
    CHECK(why_not_packets_of(several, *all.plan).empty());
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.chosen_by_name_only || algorithm.pieces || !algorithm.plan ||
          algorithm.collective != kind || !algorithm.why_not(once).empty())
        continue;
      CAPTURE(algorithm.name);
      const Schedule plan = plan_of(algorithm, once);
      const auto cost = [](const Schedule& of) { return std::pair(steps_of(of), most_in_transit(of)); };
      CHECK(cost(plan) >= cost(*one.plan));
    }
  }
}

TEST_CASE("a packet is in transit where parts of it are combined", "[messages_in_turn]") {
  const Problem problem = problem_of("linear:4", 1, CollectiveKind::kReduction);
  // The sum comes to each node in a step and leaves it in the next: it is there in between.
  CHECK(most_in_transit(plan_of(find_planner(problem, "shortest-path-tree"), problem)) == 1);
  const Problem gather = problem_of("ring:4", 1, CollectiveKind::kMultinodeAccumulation);
  CHECK(most_in_transit(*choose_in_turn(gather).plan) > 0);
}

TEST_CASE("messages in turn: refused in words where trying all plans would take long", "[messages_in_turn]") {
  CHECK_THROWS_WITH(
      choose_in_turn(problem_of("ring:160", 1)),
      "--algorithm in-turn: total-exchange on ring:160 takes 1024000 sends or more for a message; "
      "expected at most 500000, as all algorithms are tried");
}
