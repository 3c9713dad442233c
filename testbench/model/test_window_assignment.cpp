#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/product/window_assignment.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/schedule_oracle.hpp"

using namespace safnet;

namespace {

std::uint64_t steps(const std::string& topology) {
  CAPTURE(topology);
  const Problem problem{make_topology(topology), CollectiveKind::kTotalExchange, PortModel::kAllPort};
  const Algorithm& planner = find_planner(problem, "windows");
  const OracleResult result = judge(planner.plan(problem));
  CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
  CHECK(result.missing == 0);
  CHECK(result.steps >= lower_bound(problem).steps);
  std::uint64_t most = 0;
  for (const Graph& factor : problem.graph.factors()) {
    const auto n = std::uint64_t{problem.graph.node_count()} / factor.node_count();
    most = std::max(most, n * last_step(shortest_exchange(factor, PortModel::kAllPort)));
  }
  CHECK(result.steps == most);
  if (const auto promised = planner.closed_form(problem)) CHECK(result.steps == *promised);
  return result.steps;
}

}  // namespace

TEST_CASE("windows: the slowest dimension alone decides", "[windows]") {
  CHECK(steps("mesh:4x3") == 12);
  CHECK(steps("mesh:5x4x3") == 72);
  CHECK(steps("product(generalized-petersen:5,2,linear:3)") == 20);
  CHECK(steps("product(star:4,linear:3)") == 63);
  CHECK(steps("torus:4x3x3") == 18);
  CHECK(steps("hypercube:4") == 8);
  CHECK(steps("mesh:2x3x4x5") == 144);
}

TEST_CASE("an assignment to windows is found for all of 150 products", "[windows]") {
  const std::vector<std::string> factors = {"linear:2",
                                            "linear:3",
                                            "linear:4",
                                            "linear:5",
                                            "ring:3",
                                            "ring:4",
                                            "ring:5",
                                            "complete:4",
                                            "tree:3,1",
                                            "star:3",
                                            "generalized-petersen:3,1",
                                            "random:5,7,2"};
  int products = 0;
  for (const std::string& a : factors) {
    for (const std::string& b : factors) {
      steps("product(" + a + "," + b + ")");
      ++products;
    }
  }
  for (const char* a : {"linear:3", "ring:4", "complete:3", "tree:3,1", "linear:2", "linear:4"}) {
    steps(std::string("product(linear:3,") + a + ",ring:5)");
    ++products;
  }
  CHECK(products == 150);
}

TEST_CASE("windows say what they need", "[windows]") {
  const Algorithm algorithm = window_algorithms().at(0);
  const auto why = [&](const std::string& topology, PortModel ports) {
    return algorithm.why_not({make_topology(topology), CollectiveKind::kTotalExchange, ports});
  };
  CHECK(why("mesh:4x3", PortModel::kOnePort) == "needs --ports all");
  CHECK_THAT(why("ring:8", PortModel::kAllPort), Catch::Contains("product of two or more"));
  CHECK_THAT(why("mesh:100x100", PortModel::kAllPort), Catch::Contains("at most 4096 nodes"));
}
