// Broadcast and scatter from one node of the torus: every plan is valid and takes what its formula says.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/torus/torus_collectives.hpp"
#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

Problem problem_on(const std::string& topology, CollectiveKind collective, std::uint32_t messages) {
  Problem problem{.graph = make_topology(topology), .collective = collective};
  problem.root = problem.graph.node_count() / 3;
  problem.messages = messages;
  return problem;
}

std::uint64_t planned_steps(const Problem& problem, const std::string& name) {
  const Schedule schedule = find_planner(problem, name).plan(problem);
  CHECK(fault_of(schedule) == "");
  CHECK(schedule.algorithm == name);
  CHECK(why_not_packets_of(problem, schedule) == "");
  return steps_of(schedule);
}

std::uint64_t planned_steps(const std::string& topology, CollectiveKind collective, std::uint32_t messages,
                            const std::string& name) {
  return planned_steps(problem_on(topology, collective, messages), name);
}

}  // namespace

TEST_CASE("plans on tori are valid and take as many steps as promised", "[torus][torus_collectives]") {
  const std::string topology =
      GENERATE("ring:3", "torus:4", "ring:7", "torus:3x3", "torus:4x4", "torus:5x5", "torus:3x3x3",
               "torus:4x4x4", "doubled-cube:1", "doubled-cube:2", "doubled-cube:4");
  for (const Algorithm& algorithm : torus_collective_algorithms()) {
    if (algorithm.name == "torus-bsg-scatter-routed-as-printed") continue;  // gets stuck
    for (const std::uint32_t messages : {1, 2, 3, 5, 8}) {
      CAPTURE(topology, algorithm.name, to_string(algorithm.collective), messages);
      const Problem problem = problem_on(topology, algorithm.collective, messages);
      REQUIRE(algorithm.why_not(problem) == "");
      const std::uint64_t steps = planned_steps(problem, algorithm.name);
      const std::uint64_t bound = lower_bound(problem).steps;
      CHECK(steps >= bound);
      const auto promised = algorithm.closed_form(problem);
      if (promised) CHECK(steps == *promised);
      if (algorithm.name == "torus-balanced-scatter") CHECK(steps == bound);
      if (algorithm.name == "torus-bst" && messages == 1) CHECK(steps == bound);
    }
  }
}

TEST_CASE("broadcast and scatter on the torus, worked by hand", "[torus][torus_collectives]") {
  using enum CollectiveKind;
  // M + D - 1, and ceil(M/4) + 5 - 1 down four trees of depth 5.
  CHECK(planned_steps("torus:4x4", kBroadcast, 9, "torus-bst") == 12);
  CHECK(planned_steps("torus:4x4", kBroadcast, 9, "torus-disjoint-trees") == 7);
  CHECK(planned_steps("torus:4x4", kReduction, 9, "torus-disjoint-trees") == 7);
  // Necklaces of MT_{2,4}, the furthest first: 22 (P = 1), 23 (4), 33 and 20 (4 and 2), 30 (4). One step each
  // for M = 1; for M = 2 the full ones take two; 15 nodes need ceil(15/4) and ceil(30/4).
  CHECK(planned_steps("torus:4x4", kScatter, 1, "torus-bsg-scatter") == 5);
  CHECK(planned_steps("torus:4x4", kScatter, 2, "torus-bsg-scatter") == 8);
  CHECK(planned_steps("torus:4x4", kScatter, 1, "torus-balanced-scatter") == 4);
  CHECK(planned_steps("torus:4x4", kGather, 2, "torus-balanced-scatter") == 8);
  CHECK(planned_steps("torus:4x4", kScatter, 1, "torus-bst-scatter") == 5);
  CHECK(planned_steps("torus:4x4", kScatter, 1, "torus-bst-scatter-as-published") == 6);
  // Seven nodes behind six ports take two steps, the one three hops away takes three.
  CHECK(planned_steps("doubled-cube:3", kScatter, 1, "torus-balanced-scatter") == 3);
}

TEST_CASE("the printed routing rule leads on if k = 3, otherwise it gets stuck",
          "[torus][torus_collectives]") {
  using enum CollectiveKind;
  CHECK(planned_steps("torus:4x4", kScatter, 4, "torus-bsg-scatter-routed") == 15);
  CHECK(planned_steps("torus:3x3x3", kScatter, 3, "torus-bsg-scatter-routed") == 13);
  CHECK(planned_steps("torus:3x3x3", kScatter, 3, "torus-bsg-scatter-routed-as-printed") == 13);
  // 22 is two hops from 30 in one digit: its four messages stay there.
  const Problem problem = problem_on("torus:4x4", kScatter, 4);
  const ScheduleReport report =
      check_schedule(find_planner(problem, "torus-bsg-scatter-routed-as-printed").plan(problem), 100);
  CHECK(report.count == 4);
  for (const ScheduleViolation& violation : report.violations)
    CHECK(violation.rule == ScheduleRule::kDelivery);
}

TEST_CASE("the best broadcast depends on the number of messages", "[torus][torus_collectives]") {
  const MultidimensionalTorus torus(2, 8);
  for (std::uint32_t messages = 1; messages <= 12; ++messages) {
    CAPTURE(messages);
    const Problem problem = problem_on("torus:8x8", CollectiveKind::kBroadcast, messages);
    const std::uint64_t bst = bst_broadcast_steps(torus, messages);
    const std::uint64_t trees = disjoint_trees_broadcast_steps(torus, messages);
    CHECK(torus_broadcast_bound(torus, messages) <= std::min(bst, trees));
    CHECK(torus_broadcast_bound(torus, messages) == lower_bound(problem).steps);
    CHECK((bst < trees) == (messages < 2));  // M + 7 against ceil(M/4) + 8
    CHECK(planned_steps(problem, choose_algorithm(problem, true).algorithm->name) <= std::min(bst, trees));
  }
}

namespace {

void check_tree(const MultidimensionalTorus& torus, const RotatableTree& tree, std::uint32_t expected_depth) {
  std::set<DimensionedLink> used;
  std::uint32_t depth = 0;
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    const DimensionedLink link = tree.link_into[v];
    REQUIRE(torus.head(link) == v);
    REQUIRE(tree.level[v] > tree.level[link.tail]);
    for (std::uint32_t i = 0; i < torus.label_count(); ++i)
      REQUIRE(used.insert(torus.rotate(link, i)).second);
    depth = std::max(depth, tree.level[v]);
  }
  CHECK(depth == expected_depth);
}

}  // namespace

TEST_CASE("a tree and its rotations share no link", "[torus][torus_collectives]") {
  for (std::uint32_t n = 1; n <= 8; ++n) {
    for (std::uint32_t k = 2; k <= 12; ++k) {
      if (necklace_counts(n, k).nodes > 400) continue;
      CAPTURE(n, k);
      const MultidimensionalTorus torus(n, k);
      check_tree(torus, rotatable_tree(torus), rotatable_tree_depth(n, k));
      const std::uint32_t grown = k == 2 ? n + (n > 1 ? 1 : 0) : (n - 1) * (k / 2) + k - 1;
      check_tree(torus, grown_rotatable_tree(torus), grown);
      CHECK(rotatable_tree_depth(n, k) <= grown);
    }
  }
}

TEST_CASE("the shallowest trees that share no link with their rotations", "[torus][torus_collectives]") {
  for (const auto& [n, k] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 3}, {2, 4}, {2, 5}, {3, 3}})
    CHECK_FALSE(some_rotatable_tree({n, k}, n * (k / 2)));  // none as shallow as the diameter
  CHECK_FALSE(some_rotatable_tree({2, 5}, 5));
  CHECK(some_rotatable_tree({2, 5}, 6));
  CHECK_FALSE(some_rotatable_tree({1, 7}, 5));
  CHECK(some_rotatable_tree({1, 7}, 6));
  CHECK(rotatable_tree_depth(2, 16) == 17);
  CHECK(rotatable_tree_depth(3, 5) == 7);
  CHECK_FALSE(search_rotatable_tree({2, 16}, 17, 1, 10));  // gives up
}

TEST_CASE("where torus plans do not apply", "[torus][torus_collectives]") {
  for (const Algorithm& algorithm : torus_collective_algorithms()) {
    CAPTURE(algorithm.name);
    for (const char* topology : {"torus:3x4", "mesh:3x3", "torus:2x2", "hypercube:3", "complete:4"})
      CHECK(algorithm.why_not(problem_on(topology, algorithm.collective, 1)) != "");
    Problem problem = problem_on("torus:3x3", algorithm.collective, 1);
    problem.ports = PortModel::kOnePort;
    CHECK(algorithm.why_not(problem) != "");
    problem = problem_on("torus:256x256", algorithm.collective, 65535);
    CHECK(algorithm.why_not(problem) != "");
  }
}
