#include <algorithm>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/ring_on_array.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

Problem problem_of(const std::string& topology, CollectiveKind collective, NodeId root = 0,
                   std::uint32_t messages = 1) {
  Problem problem{make_topology(topology), collective, PortModel::kAllPort, root};
  problem.messages = messages;
  return problem;
}

std::string fault(const Problem& problem, const Schedule& schedule) {
  const ScheduleReport report = check_schedule(schedule);
  return report.valid() ? why_not_packets_of(problem, schedule) : report.violations[0].text;
}

// Steps of the plan of that name on the array; twice those of the torus at most.
std::uint32_t folded_steps(const Problem& problem, const std::string& name) {
  CAPTURE(problem.graph.spelling(), to_string(problem.collective), problem.root, problem.messages, name);
  const Problem torus = torus_problem(problem);
  const Schedule on_torus = find_planner(torus, name).plan(torus);
  const Schedule schedule = on_array_from_torus(on_torus, problem, "folded");
  CHECK(fault(problem, schedule) == "");
  CHECK(last_step(schedule) <= 2 * last_step(on_torus));
  CHECK(last_step(schedule) >= lower_bound(problem).steps);
  return last_step(schedule);
}

}  // namespace

TEST_CASE("a ring folded onto an array has its neighbours two places apart at most", "[array]") {
  CHECK(place_on_array(6, 0) == 0);
  CHECK(place_on_array(6, 2) == 4);
  CHECK(place_on_array(6, 3) == 5);
  CHECK(place_on_array(6, 5) == 1);
  for (NodeId n = 2; n <= 17; ++n) {
    std::set<NodeId> places;
    for (NodeId k = 0; k < n; ++k) {
      const NodeId here = place_on_array(n, k), next = place_on_array(n, (k + 1) % n);
      places.insert(here);
      CHECK(std::max(here, next) - std::min(here, next) <= 2);
    }
    CHECK(places.size() == n);
    CHECK(*places.rbegin() == n - 1);
  }
}

// Every link of an odd ring is busy in every step of its total exchange: no link of the array may be needed
// twice, and the border between the array's halves has to carry (p^2 - 1)/4 packets.
TEST_CASE("an array does what a torus with all links busy does in twice the steps", "[array]") {
  for (const NodeId p : {3U, 5U, 7U, 9U, 11U}) {
    const auto problem = problem_of("linear:" + std::to_string(p), CollectiveKind::kTotalExchange);
    CHECK(folded_steps(problem, "generator-colouring") == (p * p - 1) / 4);
  }
  CHECK(folded_steps(problem_of("mesh:3x3", CollectiveKind::kTotalExchange), "generator-colouring") == 6);
  CHECK(folded_steps(problem_of("mesh:5x5", CollectiveKind::kTotalExchange), "generator-colouring") == 30);
  CHECK(folded_steps(problem_of("mesh:3x3x3", CollectiveKind::kTotalExchange), "generator-colouring") == 18);
}

TEST_CASE("every collective of all nodes can be folded", "[array]") {
  for (const char* word :
       {"linear:2", "linear:5", "linear:6", "mesh:2x5", "mesh:3x4", "mesh:2x2", "mesh:3x2x4"}) {
    const NodeId root = make_topology(word).node_count() - 2;
    for (const std::uint32_t messages : {1U, 3U}) {
      for (const CollectiveKind collective :
           {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation,
            CollectiveKind::kScatter, CollectiveKind::kGather}) {
        folded_steps(problem_of(word, collective, root, messages), "translated-broadcast");
      }
      for (const CollectiveKind collective : {CollectiveKind::kBroadcast, CollectiveKind::kReduction})
        folded_steps(problem_of(word, collective, root, messages), "shortest-path-tree");
      folded_steps(problem_of(word, CollectiveKind::kTotalExchange, 0, messages), "furthest-first");
    }
  }
}

TEST_CASE("multinode broadcast on p x p arrays takes half as many steps as there are nodes", "[array]") {
  for (NodeId p = 3; p <= 9; ++p) {
    const std::string word = "mesh:" + std::to_string(p) + "x" + std::to_string(p);
    const Problem problem = problem_of(word, CollectiveKind::kMultinodeBroadcast);
    const Algorithm& planner = find_planner(problem, "array-from-torus");
    CAPTURE(word);
    CHECK(planner.closed_form(problem) == p * p / 2);
    const Schedule schedule = planner.plan(problem);
    CHECK(fault(problem, schedule) == "");
    CHECK(last_step(schedule) == p * p / 2);
    CHECK(folded_steps(problem, "torus-quarter-turns") == p * p / 2);
  }
  // The corners are the bound in other meshes, too, and with several messages.
  for (const auto& [word, messages] : std::vector<std::pair<const char*, std::uint32_t>>{{"mesh:3x7", 1},
                                                                                         {"mesh:4x6", 1},
                                                                                         {"mesh:5x5", 3},
                                                                                         {"mesh:3x3x3", 2},
                                                                                         {"linear:7", 4},
                                                                                         {"linear:8", 1}}) {
    CAPTURE(word, messages);
    const Problem problem = problem_of(word, CollectiveKind::kMultinodeBroadcast, 0, messages);
    const Schedule schedule = find_planner(problem, "array-from-torus").plan(problem);
    CHECK(fault(problem, schedule) == "");
    CHECK(last_step(schedule) == lower_bound(problem).steps);
  }
}

TEST_CASE("what cannot be folded is refused", "[array]") {
  CHECK_FALSE(torus_of_array(make_topology("ring:5")).has_value());
  CHECK_FALSE(torus_of_array(make_topology("hypercube:3")).has_value());
  CHECK(torus_of_array(make_topology("mesh:3x4"))->spelling() == "torus:3x4");
  CHECK_THROWS_WITH(torus_problem(problem_of("ring:5", CollectiveKind::kGather)),
                    Catch::Contains("ring:5") && Catch::Contains("expected a mesh or linear array"));
  const Problem on_array = problem_of("mesh:3x4", CollectiveKind::kGather, 5);
  Problem elsewhere = torus_problem(on_array);
  elsewhere.root = (elsewhere.root + 1) % 12;
  const Schedule schedule = find_planner(elsewhere, "max-flow").plan(elsewhere);
  CHECK_THROWS_WITH(on_array_from_torus(schedule, on_array, "folded"),
                    Catch::Contains("expected one of steps"));
  const Schedule longer =
      in_lockstep(find_planner(torus_problem(on_array), "max-flow").plan(torus_problem(on_array)), 2, 0);
  CHECK_THROWS_AS(on_array_from_torus(longer, on_array, "folded"), std::invalid_argument);
  Problem partial = problem_of("mesh:3x3", CollectiveKind::kPartialExchange);
  partial.active = {1, 2};
  const Problem on_torus = torus_problem(partial);
  CHECK_THROWS_WITH(on_array_from_torus(empty_schedule(on_torus, "none"), partial, "folded"),
                    Catch::Contains("partial-exchange"));
}
