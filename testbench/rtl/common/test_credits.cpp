// credit_counter at the sending end of a link, with a receiver that frees its places after a while: no credit
// is lost, none is spent that is not there, and the receiver never has more packets than places.
#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "Vrtl_credit_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_credit_bench>;
constexpr int kLinks = 3;

void quiet(Bench& bench) {
  bench->spend_i = 0;
  bench->credit_i = 0;
}

/// One link, its receiver, and what its sender should count.
struct Link {
  Link(std::size_t latency, int depth) : packets(latency, false), returning(latency, false), credits(depth) {}
  std::deque<bool> packets, returning;
  int credits;
  int held = 0, most_held = 0, sent = 0;
};

TEST_CASE("each link's credits are conserved and its receiver never overflows", "[rtl][credit][random]") {
  const int parameter_set = GENERATE(0, 1, 2, 3);
  const std::size_t latency = GENERATE(0U, 1U, 3U);
  const int send_percent = GENERATE(30, 100);
  const int free_percent = GENERATE(10, 60, 100);
  CAPTURE(parameter_set, latency, send_percent, free_percent);
  std::mt19937 random(static_cast<unsigned>(parameter_set + send_percent * 7 + free_percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;

  std::vector<Link> links(kLinks, Link(latency, depth));
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const bool finish = cycle >= 1500;
    quiet(bench);
    bench.settle();
    for (int l = 0; l < kLinks; ++l) {
      CAPTURE(cycle, l);
      Link& link = links[static_cast<std::size_t>(l)];
      REQUIRE(get_field(bench->available_o, l, 1) == (link.credits > 0 ? 1U : 0U));
      const bool spend = link.credits > 0 && !finish && chance(send_percent);
      const bool frees = link.held > 0 && (finish || chance(free_percent));
      link.packets.push_back(spend);
      link.returning.push_back(frees);
      const bool arrives = link.packets.front(), credit = link.returning.front();
      link.packets.pop_front();
      link.returning.pop_front();
      link.held += (arrives ? 1 : 0) - (frees ? 1 : 0);
      link.most_held = std::max(link.most_held, link.held);
      REQUIRE(link.held <= depth);
      set_field(bench->spend_i, l, 1, spend);
      set_field(bench->credit_i, l, 1, credit);
      link.sent += spend;
      link.credits += (credit ? 1 : 0) - (spend ? 1 : 0);
    }
    bench.tick();
  }
  for (const Link& link : links) {
    REQUIRE(link.credits == depth);
    REQUIRE(link.held == 0);
    REQUIRE(link.sent > 50);
    if (send_percent == 100 && free_percent == 10) REQUIRE(link.most_held == depth);
  }
}

TEST_CASE("spending without credit and credits for nothing are errors", "[rtl][credit][assertion]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;
  bench.reset();
  SECTION("no credit left") {
    bench->spend_i = 0b100;
    for (int k = 0; k < 3; ++k) REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a credit too many") {
    bench->credit_i = 0b100;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
