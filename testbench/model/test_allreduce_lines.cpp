// Allreduces on single dimensions: their steps, and that every sum is in time for tdm_nodes.
#include <bit>
#include <set>

#include "cpp_model/algorithm/gossip/allreduce_lines.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/first_violation.hpp"

using namespace safnet;
using testbench::first_violation;

namespace {

std::uint32_t steps_of(const std::optional<Schedule>& plan) {
  REQUIRE(plan);
  Schedule checked = *plan;
  checked.collective = "allreduce";
  CHECK(first_violation(checked) == "");
  CHECK(first_late_sum(checked) == "");
  return checked.last_start();
}

}  // namespace

TEST_CASE("complete graphs are doubled in as few steps as there can be, or one or two more",
          "[allreduce_lines]") {
  std::set<std::uint32_t> best;  // sizes of ceil(log2 n) steps
  for (std::uint32_t n = 2; n <= 64; ++n) {
    INFO(n);
    const std::uint32_t steps =
        steps_of(doubling_on_complete_graph(make_topology("complete:" + std::to_string(n))));
    const auto bound = static_cast<std::uint32_t>(std::bit_width(n - 1));
    CHECK(steps >= bound);
    CHECK(steps <= bound + 2);
    if (steps == bound) best.insert(n);
  }
  // 2^b (2^a + 1), and some more.
  for (const std::uint32_t n : {2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 17, 18, 20, 24, 32, 33, 34, 36, 40, 48, 64})
    CHECK(best.contains(n));
  CHECK_FALSE(best.contains(7));
  CHECK_FALSE(doubling_on_complete_graph(make_topology("ring:5")));
}

TEST_CASE("rings exchange in pairs", "[allreduce_lines]") {
  for (const std::uint32_t n : {4, 6, 8, 14, 64}) {
    INFO(n);
    CHECK(steps_of(pairwise_exchange_on_ring(make_topology("ring:" + std::to_string(n)))) == n / 2);
  }
  CHECK_FALSE(pairwise_exchange_on_ring(make_topology("ring:7")));
  CHECK_FALSE(pairwise_exchange_on_ring(make_topology("linear:4")));
  CHECK_FALSE(pairwise_exchange_on_ring(make_topology("edges:0-1,1-2,2-0,3-4,4-5,5-3,0-3")));
}

TEST_CASE("Cayley graphs are searched", "[allreduce_lines]") {
  CHECK(steps_of(doubling_on_cayley_graph(make_topology("folded-cube:4"), 4)) == 4);
  CHECK(steps_of(doubling_on_cayley_graph(make_topology("hypercube:5"), 6)) == 5);
  CHECK(steps_of(doubling_on_cayley_graph(make_topology("star:4"), 7)) == 6);  // what came is sent on as well
  CHECK_FALSE(doubling_on_cayley_graph(make_topology("ring:9"), 4));
  CHECK_FALSE(doubling_on_cayley_graph(make_topology("linear:4"), 9));
}

TEST_CASE("the best line is taken", "[allreduce_lines]") {
  CHECK(steps_of(best_allreduce_line(make_topology("linear:2"))) == 1);
  CHECK(steps_of(best_allreduce_line(make_topology("ring:6"))) == 3);
  CHECK(steps_of(best_allreduce_line(make_topology("ring:5"))) == 4);
  CHECK(steps_of(best_allreduce_line(make_topology("complete:16"))) == 4);
}
