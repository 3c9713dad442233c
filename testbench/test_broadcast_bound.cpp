#include <boost/multiprecision/cpp_int.hpp>

#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/catch.hpp"

using namespace safnet;

TEST_CASE("distance degree sequences", "[broadcast_bound]") {
  using Sequence = std::vector<std::uint64_t>;
  CHECK(distance_degree_sequence(make_topology("hypercube:4"), 3) == Sequence{1, 4, 6, 4, 1});
  CHECK(distance_degree_sequence(make_topology("tree:2,3"), 0) == Sequence{1, 2, 4, 8});
  CHECK(nodes_at_least({1, 4, 6, 4, 1}) == Sequence{16, 15, 11, 5, 1});
}

TEST_CASE("Theorem 3.3 by hand", "[broadcast_bound]") {
  CHECK(steps_to_inform(0, 1) == 0);
  CHECK(steps_to_inform(0, 16) == 4);  // 2^t
  CHECK(steps_to_inform(0, 17) == 5);
  CHECK(steps_to_inform(5, 1) == 5);
  CHECK(steps_to_inform(5, 2) == 6);
  CHECK(steps_to_inform(2, 4) == 3);  // C(3,2) + C(3,3) = 4
  CHECK(steps_to_inform(2, 5) == 4);  // 6 + 4 + 1
  CHECK(steps_to_inform(100, 1) == 100);
  CHECK(steps_to_inform(100, 102) == 101);
  CHECK(steps_to_inform(100, 103) == 102);
}

TEST_CASE("Theorem 3.3 is exact at every distance", "[broadcast_bound]") {
  using boost::multiprecision::cpp_int;
  for (std::uint64_t d = 0; d <= 70; ++d) {
    for (const std::uint64_t nodes :
         {1ULL, 2ULL, 63ULL, 100ULL, 2017ULL, 2018ULL, 5000ULL, 60000ULL, 65536ULL}) {
      std::uint64_t t = d;
      for (;; ++t) {
        cpp_int sum = 0, binomial = 1;  // C(t, t), C(t, t - 1), ...
        for (std::uint64_t l = t; l + 1 > d; --l) {
          sum += binomial;
          if (l == 0) break;
          binomial = binomial * l / (t - l + 1);
        }
        if (sum >= nodes) break;
      }
      CAPTURE(d, nodes);
      REQUIRE(steps_to_inform(d, nodes) == t);
    }
  }
}

TEST_CASE("Corollary 3.4 by hand", "[broadcast_bound]") {
  CHECK(corollary_3_4(3, 16) == 5);  // R_d = 4^2: 2d - 1
  CHECK(corollary_3_4(2, 12) == 4);  // log2(4 + 12)
  CHECK(corollary_3_4(2, 13) == 5);  // log2(17), rounded up
  CHECK(corollary_3_4(3, 2) == 4);   // 3/2 + 6^(1/4), rounded up
  CHECK(corollary_3_4(0, 4) == 3);   // log2(4 + 1/4): not a bound, K_4 takes 2
  CHECK(corollary_3_4(4, 1) == 2);   // d/2
}

TEST_CASE("Corollary 3.5 by hand", "[broadcast_bound]") {
  CHECK(steps_to_inform_in_tree(3, 1) == 3);
  CHECK(steps_to_inform_in_tree(3, 4) == 4);
  CHECK(steps_to_inform_in_tree(3, 5) == 5);
  CHECK(steps_to_inform_in_tree(1, 7) == 7);
  CHECK(steps_to_inform_in_tree(0, 1) == 0);
}
