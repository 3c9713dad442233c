// credit_counter and credit_return around a link: no lane ever overflows, no credit is lost, and a lingering
// copy in one queue does not hold up the others.
#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include "Vrtl_credit_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_credit_bench>;
constexpr std::size_t kQueues = 3;

void quiet(Bench& bench) {
  bench->spend_i = 0;
  bench->credit_i = 0;
  bench->accepted_i = 0;
}

TEST_CASE("credits are conserved and lanes never overflow", "[rtl][credit][random]") {
  const int parameter_set = GENERATE(0, 1, 2);
  const std::size_t latency = GENERATE(0U, 1U, 3U);
  const int send_percent = GENERATE(30, 100);
  const int drain_percent = GENERATE(10, 60, 100);
  CAPTURE(parameter_set, latency, send_percent, drain_percent);
  std::mt19937 random(static_cast<unsigned>(parameter_set + send_percent * 7 + drain_percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench->count_next_i = 0;
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;

  int credits = depth, owed = 0, sent = 0;
  std::deque<bool> packets(latency, false), returning(latency, false);
  std::array<int, kQueues> lanes{};
  bool credit_expected = false;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    CAPTURE(cycle);
    const bool finish = cycle >= 1500;
    quiet(bench);
    bench.settle();
    REQUIRE(bench->available_o == (credits > 0));
    REQUIRE(bench->credit_o == credit_expected);
    REQUIRE(bench->owing_o == (owed > 0));
    // Every place at the receiver is accounted for: with the sender, on the way there, held, or on the way
    // back.
    const auto on_link = std::count(packets.begin(), packets.end(), true);
    const auto coming_back = std::count(returning.begin(), returning.end(), true);
    REQUIRE(credits + on_link + owed + (credit_expected ? 1 : 0) + coming_back == depth);

    const bool spend = credits > 0 && !finish && chance(send_percent);
    packets.push_back(spend);
    returning.push_back(credit_expected);
    const bool arrives = packets.front();
    const bool credit = returning.front();
    packets.pop_front();
    returning.pop_front();
    std::array<int, kQueues> next = lanes;
    for (int& count : next) count -= count > 0 && (finish || chance(drain_percent));
    if (arrives) {
      const auto copies = random() % 8;  // none of them: for the host only
      for (std::size_t q = 0; q < kQueues; ++q) next[q] += (copies >> q & 1) != 0;
    }
    for (std::size_t q = 0; q < kQueues; ++q) {
      REQUIRE(next[q] <= depth);
      set_field(bench->count_next_i, static_cast<int>(q), 5, static_cast<std::uint64_t>(next[q]));
    }
    bench->spend_i = spend;
    bench->credit_i = credit;
    bench->accepted_i = arrives;
    bench.tick();
    sent += spend;
    credits += (credit ? 1 : 0) - (spend ? 1 : 0);
    owed += arrives;
    credit_expected = owed > *std::max_element(next.begin(), next.end());
    owed -= credit_expected;
    lanes = next;
  }
  REQUIRE(credits == depth);
  REQUIRE(owed == 0);
  REQUIRE(sent > 50);
}

TEST_CASE("spending without credit, credits for nothing and too many packets are errors",
          "[rtl][credit][assertion]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;
  bench->count_next_i = 0;
  bench.reset();
  SECTION("no credit left") {
    bench->spend_i = 1;
    for (int k = 0; k < 3; ++k) REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a credit too many") {
    bench->credit_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a packet too many") {
    bench->accepted_i = 1;
    for (int k = 1; k <= 3; ++k) {
      set_field(bench->count_next_i, 0, 5, static_cast<unsigned>(k));
      REQUIRE_NOTHROW(bench.tick());
    }
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
