#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/exchange/general_exchange.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kEveryPortModel[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};
constexpr PortModel kAll = PortModel::kAllPort;
constexpr PortModel kOne = PortModel::kOnePort;

Problem exchange(const std::string& topology, PortModel ports) {
  return {make_topology(topology), CollectiveKind::kTotalExchange, ports, 0, ""};
}

// Steps of a planner's schedule, which is checked.
std::uint64_t planned_steps(const Problem& problem, const std::string& planner) {
  CAPTURE(problem.graph.spelling(), to_string(problem.ports), planner);
  const Schedule schedule = find_planner(problem, planner).plan(problem);
  CHECK(schedule.algorithm == planner);
  CHECK(schedule.slot_cycles == 1);
  CHECK(fault_of(schedule) == "");
  return steps_of(schedule);
}

std::uint64_t by_list(const std::string& topology, PortModel ports) {
  return planned_steps(exchange(topology, ports), "list-scheduling");
}

}  // namespace

TEST_CASE("one-port total exchange on linear arrays is as fast as its middle nodes", "[general_exchange]") {
  for (std::uint64_t n = 2; n <= 64; ++n) {
    CAPTURE(n);
    const Problem problem = exchange("linear:" + std::to_string(n), kOne);
    // The middle node sends n - 1 packets of its own and those that pass it; `left` nodes are on its left.
    const std::uint64_t left = (n - 1) / 2;
    const std::uint64_t middle = n - 1 + 2 * left * (n - 1 - left);
    const std::uint64_t steps =
        n <= 24 ? planned_steps(problem, "rightward-then-leftward")
                : steps_of(find_planner(problem, "rightward-then-leftward").plan(problem));
    CHECK(steps == middle);
    CHECK(find_planner(problem, "rightward-then-leftward").closed_form(problem) == middle);
    if (n == 64) CHECK(planned_steps(problem, "rightward-then-leftward") == middle);
  }
  CHECK(find_planner(exchange("linear:9", PortModel::kOnePortSend), "").name == "rightward-then-leftward");
  CHECK_THROWS_WITH(find_planner(exchange("linear:9", kAll), "rightward-then-leftward"),
                    Catch::Contains("needs --ports one or one-send"));
  CHECK_THROWS_WITH(find_planner(exchange("ring:9", kOne), "rightward-then-leftward"),
                    Catch::Contains("needs a linear array"));
  CHECK_THROWS_WITH(find_planner(exchange("linear:257", kOne), "rightward-then-leftward"),
                    Catch::Contains("at most 256 nodes"));
}

TEST_CASE("one-port total exchange on any graph meets what is proven", "[general_exchange]") {
  const std::pair<const char*, std::uint64_t> known[] = {
      {"mesh:3x3", 18}, {"mesh:4x4", 43}, {"generalized-petersen:5,2", 15},
      {"tree:5,1", 25}, {"mesh:4x3", 28}, {"mesh:2x3x4", 64},
      {"mesh:5x5", 85}, {"linear:7", 24}, {"torus:4x4", 32}};
  for (const auto& [topology, steps] : known) {
    CAPTURE(topology);
    CHECK(by_list(topology, kOne) == steps);
    CHECK(proven_steps(exchange(topology, kOne)) == steps);
  }
}

TEST_CASE("all-port total exchange on any graph meets what is proven", "[general_exchange]") {
  const std::pair<const char*, std::uint64_t> known[] = {{"mesh:3x3", 6},  {"mesh:4x4", 16}, {"mesh:4x3", 12},
                                                         {"mesh:5x5", 30}, {"tree:5,1", 5},  {"linear:9", 20},
                                                         {"ring:9", 10},   {"complete:6", 1}};
  for (const auto& [topology, steps] : known) {
    CAPTURE(topology);
    CHECK(by_list(topology, kAll) == steps);
    CHECK(proven_steps(exchange(topology, kAll)) == steps);
  }
}

TEST_CASE("random graphs meet what is proven, but for a step on some", "[general_exchange][random]") {
  std::uint64_t above = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const int n = 5 + seed % 8;
    const std::string word = fmt::format("random:{},{},{}", n, n + seed % 6, seed);
    for (const PortModel ports : kEveryPortModel) {
      CAPTURE(word, to_string(ports));
      const std::uint64_t proven = proven_steps(exchange(word, ports));
      const std::uint64_t steps = by_list(word, ports);
      CHECK(steps >= proven);
      CHECK(steps <= proven + 1);
      above += steps - proven;
    }
  }
  CHECK(above <= 2);
}

TEST_CASE("Cayley graphs: node 0's packets, translated", "[general_exchange]") {
  const std::pair<const char*, std::uint64_t> known[] = {{"cube-connected-cycles:3", 36},
                                                         {"cube-connected-cycles:4", 128},
                                                         {"star:4", 21},
                                                         {"butterfly:3", 18},
                                                         {"butterfly:4", 64},
                                                         {"hypercube:4", 8},
                                                         {"torus:3x3", 3}};
  for (const auto& [topology, steps] : known) {
    CAPTURE(topology);
    const Problem problem = exchange(topology, kAll);
    // Every packet is at least as many hops as its distance, shared out among all ports.
    const std::uint64_t status = problem.graph.status(0), ports = problem.graph.max_degree();
    CHECK(planned_steps(problem, "node-invariant") == steps);
    CHECK(steps >= (status + ports - 1) / ports);
    const Problem one = exchange(topology, kOne);
    CHECK(planned_steps(one, "node-invariant") == status);
    CHECK(find_planner(one, "node-invariant").closed_form(one) == status);
  }
  CHECK_FALSE(find_planner(exchange("star:4", kAll), "node-invariant")
                  .closed_form(exchange("star:4", kAll))
                  .has_value());
  CHECK_THROWS_WITH(find_planner(exchange("mesh:3x3", kAll), "node-invariant"),
                    Catch::Contains("needs a Cayley graph"));
}

TEST_CASE("scatter, gather and partial collectives by list scheduling", "[general_exchange]") {
  for (const char* topology : {"mesh:4x3", "ring:7", "tree:2,3", "random:14,22,5", "complete:6"}) {
    Problem problem{make_topology(topology), CollectiveKind::kScatter, kAll, 1, ""};
    const NodeId n = problem.graph.node_count();
    for (const PortModel ports : kEveryPortModel) {
      problem.ports = ports;
      problem.active = {};
      const std::uint64_t at_least = std::max<std::uint64_t>(
          problem.graph.eccentricity(1), (n - 1 + problem.graph.degree(1) - 1) / problem.graph.degree(1));
      for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather}) {
        problem.collective = kind;
        const std::uint64_t steps = planned_steps(problem, "list-scheduling");
        CHECK(steps >= at_least);
        if (ports == kOne) CHECK(steps == n - 1);  // Theorem 3.6
      }
      problem.active = {0, 2, n - 1};
      for (const CollectiveKind kind : {CollectiveKind::kPartialExchange, CollectiveKind::kPartialGather}) {
        problem.collective = kind;
        const std::uint64_t steps = planned_steps(problem, "list-scheduling");
        const std::uint64_t proven = proven_steps(problem);
        CHECK(steps >= proven);
        CHECK(steps <= proven + 1);
      }
    }
  }
}

TEST_CASE("the same problem gives the same schedule", "[general_exchange]") {
  const Problem problem = exchange("random:11,17,4", kOne);
  const Algorithm& planner = find_planner(problem, "list-scheduling");
  CHECK(planner.plan(problem).sends == planner.plan(problem).sends);
}

TEST_CASE("what would take too long is refused in one line", "[general_exchange]") {
  const auto refuse = [](const std::string& topology, PortModel ports, const std::string& planner,
                         const std::string& text) {
    CHECK_THROWS_WITH(find_planner(exchange(topology, ports), planner), Catch::Contains(text));
  };
  refuse("linear:65536", kAll, "list-scheduling", "at most 4096 nodes");
  refuse("linear:4000", kAll, "list-scheduling", "at most 134217728 hops in all");
  refuse("linear:1000", kOne, "list-scheduling", "at most 134217728 hops in all");
  refuse("ring:5000", kAll, "node-invariant", "at most 4096 nodes");
  refuse("ring:4000", kAll, "node-invariant", "at most 20000000 hops in all");
  Problem partial = exchange("ring:5", kAll);
  partial.collective = CollectiveKind::kPartialExchange;
  CHECK_THROWS_WITH(find_planner(partial, "list-scheduling"), Catch::Contains("needs --active"));
  partial.active = {1, 9};
  CHECK_THROWS_WITH(find_planner(partial, "list-scheduling").plan(partial), Catch::Contains("--active 9"));
}
