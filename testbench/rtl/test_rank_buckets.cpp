// rank_buckets against an ordered set: smallest rank first, first come first served within a rank.
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "Vrtl_buckets_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_buckets_bench>;

enum class Ranks { kAny, kAllEqual, kTwo, kDescending };

int any_rank(Ranks ranks, int levels, int cycle, std::mt19937& random) {
  switch (ranks) {
    case Ranks::kAny:
      return static_cast<int>(random() % static_cast<unsigned>(levels));
    case Ranks::kAllEqual:
      return levels - 1;
    case Ranks::kTwo:
      return random() % 100 < 50 ? 0 : levels - 1;
    case Ranks::kDescending:
      break;
  }
  return levels - 1 - cycle % levels;
}

TEST_CASE("the head is the earliest packet of the lowest rank", "[rtl][rank_buckets][random]") {
  const int parameter_set = GENERATE(range(0, 8));
  const auto ranks = GENERATE(Ranks::kAny, Ranks::kAllEqual, Ranks::kTwo, Ranks::kDescending);
  const int push_percent = GENERATE(40, 100);
  const int pop_percent = GENERATE(30, 60, 100);
  CAPTURE(parameter_set, static_cast<int>(ranks), push_percent, pop_percent);
  std::mt19937 random(static_cast<unsigned>(parameter_set * 1000 + push_percent + 7 * pop_percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };

  Bench bench;
  bench->push_i = 0;
  bench->pop_i = 0;
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;
  const int levels = bench->ranks_o;

  struct Packet {
    int rank, serial, slot;
    std::uint32_t stamp;
    bool operator<(const Packet& other) const {
      return std::tie(rank, serial) < std::tie(other.rank, other.serial);
    }
  };
  std::set<Packet> held;
  std::vector<bool> used(static_cast<std::size_t>(depth), false);
  int serial = 0;
  std::size_t fullest = 0;
  for (int cycle = 0; cycle < 1500; ++cycle) {
    CAPTURE(cycle);
    const bool drain = cycle >= 1400;
    bench.settle();
    REQUIRE(bench->head_valid_o == !held.empty());
    if (!held.empty()) {
      REQUIRE(bench->head_rank_o == held.begin()->rank);
      REQUIRE(bench->head_slot_o == held.begin()->slot);
      REQUIRE(bench->head_stamp_o == held.begin()->stamp);
    }
    bench->push_i = 0;
    bench->pop_i = 0;
    const bool pop = !held.empty() && (drain || chance(pop_percent));
    const bool push = !drain && static_cast<int>(held.size()) < depth && chance(push_percent);
    Packet pushed{};
    if (push) {
      do pushed.slot = static_cast<int>(random() % static_cast<unsigned>(depth));
      while (used[static_cast<std::size_t>(pushed.slot)]);
      pushed.rank = any_rank(ranks, levels, cycle, random);
      pushed.serial = serial++;
      pushed.stamp = static_cast<std::uint32_t>(random());
      bench->push_i = 1;
      bench->push_slot_i = static_cast<CData>(pushed.slot);
      bench->push_rank_i = static_cast<SData>(pushed.rank);
      bench->push_stamp_i = pushed.stamp;
    }
    if (pop) {
      used[static_cast<std::size_t>(held.begin()->slot)] = false;
      held.erase(held.begin());
      bench->pop_i = 1;
    }
    if (push) {
      used[static_cast<std::size_t>(pushed.slot)] = true;
      held.insert(pushed);
    }
    fullest = std::max(fullest, held.size());
    bench.tick();
  }
  REQUIRE(held.empty());
  if (push_percent == 100 && pop_percent == 30) REQUIRE(static_cast<int>(fullest) == depth);
}

TEST_CASE("popping nothing and ranks out of range are errors", "[rtl][rank_buckets][assertion]") {
  Bench bench;
  bench->push_i = 0;
  bench->pop_i = 0;
  bench->case_i = 4;  // 200 ranks in an 8 bit field
  bench.reset();
  SECTION("pop") {
    bench->pop_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("rank") {
    bench->push_i = 1;
    bench->push_rank_i = 199;
    bench->push_slot_i = 0;
    REQUIRE_NOTHROW(bench.tick());
    bench->push_rank_i = 200;
    bench->push_slot_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
