#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_exchange.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"

using namespace safnet;

namespace {

Problem problem_of(std::uint32_t d, CollectiveKind collective, NodeId root = 0) {
  return {make_topology("folded-cube:" + std::to_string(d)), collective, PortModel::kAllPort, root};
}

std::uint32_t steps(const Problem& problem, const std::string& name) {
  CAPTURE(problem.graph.spelling(), to_string(problem.collective), name);
  const Algorithm& planner = find_planner(problem, name);
  const Schedule schedule = planner.plan(problem);
  const ScheduleReport report = check_schedule(schedule);
  CHECK((report.valid() ? why_not_packets_of(problem, schedule) : report.violations[0].text) == "");
  if (const auto promised = planner.closed_form(problem)) CHECK(last_step(schedule) == *promised);
  CHECK(last_step(schedule) >= lower_bound(problem).steps);
  return last_step(schedule);
}

std::uint32_t exchange_steps(std::uint32_t d, const std::string& name) {
  return steps(problem_of(d, CollectiveKind::kTotalExchange), name);
}

}  // namespace

TEST_CASE("dimensions of a folded cube and their ports", "[folded]") {
  for (std::uint32_t d = 2; d <= 6; ++d) {
    const Graph graph = make_topology("folded-cube:" + std::to_string(d));
    CHECK(folded_cube_dimensions(graph) == d);
    for (std::uint32_t i = 0; i <= d; ++i) {
      CHECK(graph.peer(0, folded_cube_port(d, i)).node == folded_cube_generator(d, i));
      CHECK(graph.peer(1, folded_cube_port(d, i)).node == (1 ^ folded_cube_generator(d, i)));
    }
  }
  CHECK_FALSE(folded_cube_dimensions(make_topology("hypercube:3")).has_value());
}

// Lemma 1 for d = 2, by hand: E = (01 10 11), C^1 has the rows (0 1), (0 0), (1 0), so V_1(01) = E (1 0 0)^T.
TEST_CASE("the isomorphisms of Lemma 1", "[folded]") {
  CHECK(folded_cube_map(2, 1, 0b00) == 0b00);
  CHECK(folded_cube_map(2, 1, 0b01) == 0b01);
  CHECK(folded_cube_map(2, 1, 0b10) == 0b11);
  CHECK(folded_cube_map_upside_down(2, 1, 0b01) == 0b11);
  CHECK(folded_cube_map_upside_down(2, 1, 0b10) == 0b01);
}

TEST_CASE("routing tags lead to the destination by shortest paths", "[folded]") {
  for (std::uint32_t d = 1; d <= 9; ++d) {
    CAPTURE(d);
    for (const MiddleHalf half : {MiddleHalf::kBalanced, MiddleHalf::kHighest}) {
      const std::vector<std::uint32_t> tags = folded_cube_routing_tags(d, half);
      for (NodeId r = 0; r < tags.size(); ++r) {
        NodeId at = 0;
        for (std::uint32_t i = 0; i <= d; ++i) at ^= tags[r] >> i & 1 ? folded_cube_generator(d, i) : 0;
        CHECK(at == r);
        const auto bits = static_cast<std::uint32_t>(std::popcount(r));
        CHECK(static_cast<std::uint32_t>(std::popcount(tags[r])) == std::min(bits, d + 1 - bits));
      }
    }
    const std::vector<std::uint32_t> tags = folded_cube_routing_tags(d, MiddleHalf::kBalanced);
    CHECK(critical_sum(d, tags) == folded_cube_exchange_steps(d));
  }
  CHECK(critical_sum(5, folded_cube_routing_tags(5, MiddleHalf::kHighest)) == 15);
  CHECK(critical_sum(7, folded_cube_routing_tags(7, MiddleHalf::kHighest)) == 61);
}

TEST_CASE("total exchange on folded cubes takes the steps of the bound", "[folded]") {
  const std::vector<std::uint32_t> fewest{0, 0, 1, 3, 5, 11, 22, 47, 93};
  for (std::uint32_t d = 2; d <= 8; ++d) {
    CHECK(folded_cube_exchange_steps(d) == fewest[d]);
    CHECK(exchange_steps(d, "folded-cube-exchange") == fewest[d]);
    CHECK(exchange_steps(d, "folded-cube-greedy-matching") == fewest[d]);
  }
  CHECK(exchange_steps(4, "folded-cube-exchange-as-printed") == 5);
  CHECK(exchange_steps(5, "folded-cube-exchange-as-printed") == 15);
}

TEST_CASE("routers on folded cubes that serve the furthest first are as fast as the best", "[folded]") {
  for (std::uint32_t d = 2; d <= 7; ++d) {
    CAPTURE(d);
    const Problem problem = problem_of(d, CollectiveKind::kTotalExchange);
    CHECK(exchange_steps(d, "folded-cube-greedy") == folded_cube_exchange_steps(d));
    CHECK(exchange_steps(d, "folded-cube-greedy-fifo") == folded_cube_exchange_steps(d));
    const Policy policy = find_algorithm(problem, "folded-cube-greedy").policy(problem);
    const StepperResult result = ReferenceStepper(problem.graph, problem.ports, policy).run();
    CHECK(result.steps == folded_cube_exchange_steps(d));
    CHECK(result.peak_waiting <= policy.queue_bound);
  }
  CHECK(exchange_steps(5, "folded-cube-greedy-ascending") == 11);
  CHECK(exchange_steps(5, "folded-cube-greedy-closest-first") > 11);
  CHECK(exchange_steps(5, "folded-cube-greedy-ascending-fifo") > 11);
  CHECK(exchange_steps(5, "folded-cube-greedy-ascending-closest-first") > 11);
}

TEST_CASE("maximal matchings stay within ceil(d/2) - 1 of the best", "[folded]") {
  for (std::uint32_t d = 2; d <= 7; ++d) {
    for (const GreedyRule rule :
         {GreedyRule::kFurthestFirst, GreedyRule::kClosestFirst, GreedyRule::kAnyOrder,
          GreedyRule::kPortsInTurn, GreedyRule::kPortsInTurnAny}) {
      const std::uint32_t taken = greedy_matching_steps(d, rule, 7);
      CHECK(taken >= folded_cube_exchange_steps(d));
      CHECK(taken <= folded_cube_exchange_steps(d) + (d + 1) / 2 - 1);
    }
  }
}

TEST_CASE("multinode broadcast on d + 1 hypercubes, and the gather in it", "[folded]") {
  const std::vector<std::uint32_t> published{0, 0, 4, 6, 9, 13, 19, 25, 41};
  for (std::uint32_t d = 2; d <= 8; ++d) {
    const std::string name = "folded-cube-classes-as-published";
    CHECK(steps(problem_of(d, CollectiveKind::kMultinodeBroadcast), name) == published[d]);
    for (const CollectiveKind collective : {CollectiveKind::kGather, CollectiveKind::kScatter})
      CHECK(steps(problem_of(d, collective, 2), name) <= published[d]);
  }
}

TEST_CASE("algorithms for folded cubes say what they need", "[folded]") {
  CHECK_THROWS_WITH(find_planner(problem_of(13, CollectiveKind::kTotalExchange), "folded-cube-greedy"),
                    Catch::Contains("at most 12 dimensions"));
  for (const char* name : {"folded-cube-exchange", "folded-cube-greedy"}) {
    Problem problem{make_topology("hypercube:3"), CollectiveKind::kTotalExchange, PortModel::kAllPort};
    CHECK_THROWS_WITH(find_planner(problem, name), Catch::Contains("needs a folded cube"));
    problem.graph = make_topology("folded-cube:3");
    problem.ports = PortModel::kOnePort;
    CHECK_THROWS_WITH(find_planner(problem, name), Catch::Contains("needs --ports all"));
  }
}
