// packet_store against a map from slots to packets: random traffic, full and empty, release and commit in one
// cycle, and release at the start of a transmission while the next packet is already being written.
#include <map>
#include <random>
#include <vector>

#include "Vrtl_store_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_store_bench>;

void quiet(Bench& bench) {
  bench->write_valid_i = 0;
  bench->commit_i = 0;
  bench->release_i = 0;
}

TEST_CASE("packets come out of their slots as they went in", "[rtl][packet_store][random]") {
  const int parameter_set = GENERATE(range(0, 6));
  const int write_percent = GENERATE(30, 100);
  const int read_percent = GENERATE(20, 100);
  CAPTURE(parameter_set, write_percent, read_percent);
  std::mt19937 random(static_cast<unsigned>(parameter_set * 1000 + write_percent + read_percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };

  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;
  const int flits = bench->flits_o;

  std::map<int, std::vector<std::uint32_t>> held;  // slot -> flits
  std::vector<std::uint32_t> arriving;
  std::size_t arriving_length = 0;
  std::vector<std::uint32_t> departing;  // being read, possibly from a slot that is free again
  std::size_t departed = 0;
  int departing_slot = 0;
  int fullest = 0, full_cycles = 0, both = 0;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    CAPTURE(cycle);
    quiet(bench);
    const bool drain = cycle >= 2900;
    // writer
    const bool room = static_cast<int>(held.size()) < depth;
    if (arriving_length == 0 && room && !drain && chance(write_percent)) {
      arriving_length = 1 + random() % static_cast<unsigned>(flits);
    }
    bool commit = false;
    if (arriving_length != 0 && (drain || chance(90))) {
      const auto flit = static_cast<std::uint32_t>(random());
      bench->write_valid_i = 1;
      bench->write_index_i = static_cast<CData>(arriving.size());
      bench->write_flit_i = flit;
      arriving.push_back(flit);
      commit = arriving.size() == arriving_length;
      bench->commit_i = commit;
    }
    // reader: one flit a cycle once started
    int released = -1;
    if (departing.empty() && !held.empty() && (drain || chance(read_percent))) {
      auto packet = held.begin();
      std::advance(packet, static_cast<long>(random() % held.size()));
      departing = packet->second;
      departed = 0;
      departing_slot = packet->first;
      if (drain || chance(80)) {
        released = departing_slot;
        bench->release_i = 1;
        bench->release_slot_i = static_cast<CData>(released);
      }
    }
    bench->read_slot_i = static_cast<CData>(departing_slot);
    bench->read_index_i = static_cast<CData>(departed);
    bench.settle();
    const int write_slot = bench->write_slot_o;
    if (!departing.empty()) {
      REQUIRE(bench->read_flit_o == departing[departed]);
      if (++departed == departing.size()) departing.clear();
    }
    if (commit) {
      REQUIRE(write_slot < depth);
      REQUIRE(held.count(write_slot) == 0);
    }
    both += commit && released >= 0;
    if (released >= 0) held.erase(released);
    if (commit) {
      held[write_slot] = arriving;
      arriving.clear();
      arriving_length = 0;
    }
    REQUIRE(bench->count_next_o == held.size());
    fullest = std::max(fullest, static_cast<int>(held.size()));
    full_cycles += static_cast<int>(held.size()) == depth;
    bench.tick();
  }
  REQUIRE(held.empty());
  REQUIRE(arriving.empty());
  if (write_percent == 100 && read_percent == 20) {
    REQUIRE(fullest == depth);
    REQUIRE(full_cycles > 10);
  }
  if (depth > 1 && write_percent == 100) REQUIRE(both > 0);
}

TEST_CASE("writing to a full store and releasing from an empty one are errors",
          "[rtl][packet_store][assertion]") {
  const int parameter_set = GENERATE(0, 1, 2);
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;
  SECTION("full") {
    bench->write_valid_i = 1;
    bench->commit_i = 1;
    bench->write_index_i = 0;
    for (int k = 0; k < depth; ++k) REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("empty") {
    bench->release_i = 1;
    bench->release_slot_i = 0;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
