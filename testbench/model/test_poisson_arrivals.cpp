// Poisson arrivals: rates, distribution, and that the same seed gives the same arrivals.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cpp_model/traffic/poisson_arrivals.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

TEST_CASE("exponential numbers have the tail of the exponential distribution", "[dynamic_broadcast]") {
  RandomNumbers random(11);
  constexpr int kDraws = 100'000;
  std::vector<double> numbers;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    numbers.push_back(std::ldexp(static_cast<double>(exponential_number(random)), -24));
    sum += numbers.back();
  }
  CHECK(sum / kDraws == Approx(1).margin(5 / std::sqrt(kDraws)));
  for (const double beyond : {0.01, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0}) {
    const double expected = std::exp(-beyond);
    const auto count = std::count_if(numbers.begin(), numbers.end(), [&](double x) { return x > beyond; });
    CAPTURE(beyond);
    CHECK(static_cast<double>(count) / kDraws ==
          Approx(expected).margin(5 * std::sqrt(expected * (1 - expected) / kDraws)));
  }
}

TEST_CASE("arrivals come at the rate that is asked for, at every node alike", "[dynamic_broadcast]") {
  constexpr std::uint64_t kPackets = 50'000;
  const NodeId nodes = 5;
  const std::vector<Arrival> arrivals = poisson_arrivals(nodes, Rational(1, 7), kPackets, 2);
  REQUIRE(arrivals.size() == kPackets);
  CHECK(std::is_sorted(arrivals.begin(), arrivals.end(),
                       [](const Arrival& a, const Arrival& b) { return a.tick < b.tick; }));
  const double cycles = std::ldexp(static_cast<double>(arrivals.back().tick), -int{kTickBits});
  CHECK(cycles == Approx(kPackets * 7.0 / nodes).epsilon(5 / std::sqrt(kPackets)));
  std::vector<int> per_node(nodes);
  for (const Arrival& arrival : arrivals) ++per_node.at(arrival.node);
  for (const int count : per_node)
    CHECK(std::abs(count - 10'000) < 5 * 90);  // sqrt(50000 / 5 * 4 / 5) = 89.4
  const std::vector<Arrival> again = poisson_arrivals(nodes, Rational(1, 7), kPackets, 2);
  const std::vector<Arrival> other = poisson_arrivals(nodes, Rational(1, 7), kPackets, 3);
  CHECK(again.back().tick == arrivals.back().tick);
  CHECK(other.back().tick != arrivals.back().tick);
}

TEST_CASE("the first arrivals of a seed are these on every machine", "[dynamic_broadcast]") {
  const std::vector<Arrival> arrivals = poisson_arrivals(16, Rational(1, 100), 3, 1);
  // From a separate implementation of mt19937_64 and von Neumann's comparisons in another language.
  const std::vector<std::pair<std::uint64_t, NodeId>> expected{{54835, 7}, {63447, 14}, {1394556, 12}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(arrivals[i].tick == expected[i].first);
    CHECK(arrivals[i].node == expected[i].second);
  }
}

TEST_CASE("arrivals out of range are refused", "[dynamic_broadcast]") {
  CHECK_THROWS_WITH(poisson_arrivals(4, Rational(1), 0, 1), Catch::Contains("--packets 0"));
  CHECK_THROWS_WITH(poisson_arrivals(4, Rational(1), kMostArrivals + 1, 1), Catch::Contains("--packets"));
  CHECK_THROWS_WITH(poisson_arrivals(4, Rational(0), 10, 1), Catch::Contains("--rate 0"));
  CHECK_THROWS_WITH(poisson_arrivals(4, Rational(1, 1'000'000'000), 100, 1),
                    Catch::Contains("--packets 100"));
}
