#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/product/product_exchange.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_oracle.hpp"

using namespace safnet;

namespace {

OracleResult run(const std::string& topology, PortModel ports, const std::string& name) {
  CAPTURE(topology, name, to_string(ports));
  const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, ports};
  const Algorithm& planner = find_planner(problem, name);
  const Schedule schedule = planner.plan(problem);
  CHECK(schedule.algorithm == name);
  CHECK(schedule.ports == ports);
  const OracleResult result = judge(schedule);
  CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
  if (const auto promised = planner.closed_form(problem)) CHECK(result.steps == *promised);
  return result;
}

// Steps of an algorithm that must deliver everything.
std::uint32_t steps(const std::string& topology, PortModel ports, const std::string& name) {
  const OracleResult result = run(topology, ports, name);
  CAPTURE(topology, name, to_string(ports));
  CHECK(result.missing == 0);
  const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, ports};
  CHECK(result.steps >= lower_bound(problem).steps);
  return result.steps;
}

}  // namespace

TEST_CASE("A2: one dimension after the other", "[product_exchange]") {
  const auto a2 = [](const std::string& topology) {
    return steps(topology, PortModel::kOnePort, "exchange-by-dimension");
  };
  CHECK(a2("torus:3x4") == 3 * 4 + 4 * 2);
  CHECK(a2("torus:4x4") == 32);
  CHECK(a2("hypercube:6") == 6 * 32);
  CHECK(a2("mesh:3x3") == 24);
  CHECK(a2("mesh:4x3") == 37);
  CHECK(a2("mesh:4x4") == 56);
  CHECK(a2("mesh:5x5") == 120);
  CHECK(a2("mesh:2x3x4") == 86);
  // Any total exchange of the factors will do.
  const Graph petersen = make_topology("generalized-petersen:5,2");
  const std::uint32_t t = last_step(shortest_exchange(petersen, PortModel::kOnePort));
  CHECK(a2("product(generalized-petersen:5,2,linear:3)") == 10 * 4 + 3 * t);
  CHECK(a2("product(linear:3,generalized-petersen:5,2)") == 3 * t + 10 * 4);
  CHECK(steps("mesh:3x4", PortModel::kAllPort, "exchange-by-dimension") == 3 * 4 + 4 * 2);
  CHECK(steps("torus:4x4", PortModel::kOnePortSend, "exchange-by-dimension") == 32);
}

TEST_CASE("A1 forwards first, and as printed strands packets", "[product_exchange]") {
  const auto a1 = [](const std::string& topology, PortModel ports) {
    return steps(topology, ports, "forward-then-exchange");
  };
  CHECK(a1("torus:3x4", PortModel::kOnePort) == 48);  // A2: 20
  CHECK(a1("mesh:3x3", PortModel::kOnePort) == 32);
  // Transfers of 9 packets over 1, 1 or 2 hops from 4 nodes, then 4 times A2 in 3x3.
  CHECK(a1("torus:3x3x4", PortModel::kOnePort) == 4 * (9 + 9 + 10) + 4 * 12);
  CHECK(a1("mesh:3x4", PortModel::kAllPort) > 0);
  CHECK(run("torus:3x4", PortModel::kOnePort, "forward-then-exchange-as-printed").missing == 27);
  CHECK(run("torus:4x3", PortModel::kOnePort, "forward-then-exchange-as-printed").missing == 24);
}

TEST_CASE("A3: both halves of the dimensions at once", "[product_exchange]") {
  const auto a3 = [](const std::string& topology) {
    return steps(topology, PortModel::kAllPort, "exchange-both-halves");
  };
  CHECK(a3("mesh:3x3") == 3 * 2);
  CHECK(a3("mesh:2x2") == 2);
  CHECK(a3("torus:6x6") == 30);
  CHECK(a3("torus:10x10") == 130);
  CHECK(a3("mesh:3x3x3x3") == 54);
  CHECK(a3("torus:3x3x3x3") == 27);
  CHECK(a3("torus:4x4x4x4") == 128);
  CHECK(a3("hypercube:8") == 128);
  CHECK(a3("product(generalized-petersen:5,2,generalized-petersen:5,2)") == 50);
  CHECK(a3("product(tree:2,2,tree:2,2)") == 7 * 12);
  CHECK(run("mesh:3x3", PortModel::kAllPort, "exchange-both-halves-as-printed").missing == 18);
  CHECK(run("torus:5x5", PortModel::kAllPort, "exchange-both-halves-as-printed").missing == 100);
}

TEST_CASE("product algorithms say what they need", "[product_exchange]") {
  const auto why = [](const std::string& topology, PortModel ports, const std::string& name) {
    const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, ports};
    for (const Algorithm& algorithm : product_exchange_algorithms()) {
      if (algorithm.name == name) return algorithm.why_not(problem);
    }
    return std::string("no such algorithm");
  };
  CHECK_THAT(why("ring:8", PortModel::kOnePort, "exchange-by-dimension"), Catch::Contains("product"));
  CHECK_THAT(why("mesh:100x100", PortModel::kOnePort, "exchange-by-dimension"), Catch::Contains("4096"));
  CHECK(why("torus:4x4", PortModel::kOnePort, "exchange-both-halves") == "needs --ports all");
  for (const char* word : {"torus:4x3", "torus:3x3x3", "product(ring:3,linear:3)"})
    CHECK_THAT(why(word, PortModel::kAllPort, "exchange-both-halves"), Catch::Contains("2, 4, 8, ... equal"));
}

TEST_CASE("one dimension: as many steps as a formula promises", "[product_exchange]") {
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
    for (const char* family : {"linear", "ring", "complete"}) {
      for (int n = 2; n <= 12; ++n) {
        const Graph graph = make_topology(std::string(family) + ":" + std::to_string(n));
        CAPTURE(graph.spelling(), to_string(ports));
        const Schedule schedule = shortest_exchange(graph, ports);
        const OracleResult result = judge(schedule);
        CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
        CHECK(result.missing == 0);
        CHECK(promised_exchange_steps(graph, ports) == result.steps);
        CHECK(last_step(schedule) == result.steps);
        CHECK(schedule.sends.size() == all_hops(graph));
      }
    }
    for (const char* word : {"star:4", "generalized-petersen:5,2", "tree:2,2", "random:8,12,4", "mesh:3x3"}) {
      CAPTURE(word, to_string(ports));
      const OracleResult result = judge(shortest_exchange(make_topology(word), ports));
      CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
      CHECK(result.missing == 0);
    }
  }
  CHECK(last_step(shortest_exchange(make_topology("star:4"), PortModel::kAllPort)) == 21);
  CHECK(last_step(shortest_exchange(make_topology("butterfly:3"), PortModel::kAllPort)) == 18);
  CHECK(last_step(shortest_exchange(make_topology("linear:48"), PortModel::kOnePort)) == 48 * 48 / 2 - 1);
}

TEST_CASE("exchanges of small networks that are no products take as many steps as the bound says",
          "[product_exchange]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    testbench::Dice dice(seed);
    const Graph graph = testbench::random_graph(dice, 12, 4);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      INFO(seed << " " << to_string(ports));
      const Schedule schedule = shortest_exchange(graph, ports);
      CHECK(testbench::fault_of(schedule) == "");
      CHECK(last_step(schedule) == lower_bound({graph, CollectiveKind::kTotalExchange, ports}).steps);
    }
  }
}
