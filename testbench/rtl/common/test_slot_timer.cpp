// The numbering of cycles and steps, on which every published result depends.
#include <algorithm>
#include <array>

#include "Vrtl_timer_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr std::array<unsigned, 4> kSlotCycles{1, 2, 5, 7};

TEST_CASE("cycles and steps count from 1, and a slot opens every SlotCycles cycles", "[rtl][slot_timer]") {
  const int idle_cycles = GENERATE(0, 1, 7);
  const bool start_again = GENERATE(false, true);  // a second pulse changes nothing
  CAPTURE(idle_cycles, start_again);
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = dut.exchange_start_i = 0;
  dut.slot_cycles_i = kSlotCycles[3];
  bench.reset();
  for (int k = 0; k < idle_cycles; ++k) {
    bench.settle();
    for (int t = 0; t < 4; ++t) {
      REQUIRE(get_field(dut.running_o, t, 1) == 0);
      REQUIRE(get_field(dut.cycle_o, t, 32) == 0);
      REQUIRE(get_field(dut.step_o, t, 32) == 0);
      REQUIRE(get_field(dut.slot_open_next_o, t, 1) == 0);
    }
    bench.tick();
  }
  dut.start_i = 1;
  bench.settle();
  REQUIRE(dut.slot_open_next_o == 15);
  bench.tick();
  for (unsigned cycle = 1; cycle <= 60; ++cycle) {
    dut.start_i = start_again && cycle % 3 == 1;
    bench.settle();
    for (int t = 0; t < 4; ++t) {
      const unsigned slot = kSlotCycles[static_cast<std::size_t>(t)];
      CAPTURE(cycle, slot);
      REQUIRE(get_field(dut.running_o, t, 1) == 1);
      REQUIRE(get_field(dut.cycle_o, t, 32) == cycle);
      REQUIRE(get_field(dut.step_o, t, 32) == (cycle - 1) / slot + 1);
      REQUIRE(get_field(dut.slot_open_next_o, t, 1) == (cycle % slot == 0 ? 1 : 0));
    }
    bench.tick();
  }
  dut.start_i = 0;
  bench.reset();
  bench.settle();
  REQUIRE(dut.running_o == 0);
  REQUIRE(get_field(dut.cycle_o, 2, 32) == 0);
}

TEST_CASE("a slot may have as many cycles as 32 bits say", "[rtl][slot_timer][late]") {
  const unsigned slot_cycles = GENERATE(0x8000'0000U, 0x8000'0004U, 0xffff'ffffU, 0x7fff'ffffU);
  CAPTURE(slot_cycles);
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = dut.exchange_start_i = 0;
  dut.slot_cycles_i = slot_cycles;
  bench.reset();
  dut.start_i = 1;
  bench.tick();
  dut.start_i = 0;
  bench.tick();
  // Half way, where the highest bit of the phase changes, and at the end; of the shortest slot that is one
  // place.
  const unsigned last = slot_cycles - 1;
  for (const unsigned over : {last / 2, 0x7fff'fffdU, last - 2}) {
    if (over > last - 2) continue;
    bench.preset("phase_q", over, "g_timer[3]");
    for (unsigned cycles = 0; cycles < std::min(5U, last - over); ++cycles) {
      bench.settle();
      CAPTURE(over, cycles);
      REQUIRE(get_field(dut.slot_open_next_o, 3, 1) == 0);
      REQUIRE(get_field(dut.step_o, 3, 32) == 1);
      bench.tick();
    }
  }
  bench.settle();
  REQUIRE(get_field(dut.slot_open_next_o, 3, 1) == 1);
  bench.tick();
  bench.settle();
  REQUIRE(get_field(dut.step_o, 3, 32) == 2);
  bench.reset();
  bench.settle();
  REQUIRE(get_field(dut.step_o, 3, 32) == 0);
}

TEST_CASE("network time ends after 2^32 - 2 cycles with an assertion", "[rtl][slot_timer][late]") {
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = dut.exchange_start_i = 0;
  dut.slot_cycles_i = 1;
  bench.reset();
  dut.start_i = 1;
  bench.tick();
  bench.preset("cycle_q", 0xffff'ffffU - 3);
  for (unsigned left = 3; left > 0; --left) {
    bench.settle();
    REQUIRE(get_field(dut.cycle_o, 0, 32) == 0xffff'ffffU - left);
    bench.tick();
  }
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

TEST_CASE("cycles of a scan and of its exchange are counted together, and end with an assertion",
          "[rtl][exchange_timer][late]") {
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = 0;
  dut.slot_cycles_i = 1;
  bench.reset();
  for (const bool start : {true, false, true}) {  // a cycle of the scan, and the exchange begins
    dut.exchange_start_i = start;
    bench.tick();
  }
  dut.exchange_start_i = 0;
  bench.settle();
  REQUIRE(dut.exchange_running_o);
  REQUIRE(dut.exchange_cycle_o == 2);
  bench.preset("scan_cycle_q", 0xffff'ffffU - 3);
  bench.settle();
  REQUIRE(dut.exchange_cycle_o == 0xffff'ffffU - 2);
  bench.tick();
  bench.tick();
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

TEST_CASE("the cycles of an exchange go on from those of its scan", "[rtl][exchange_timer]") {
  const unsigned slot_cycles = GENERATE(1U, 3U);
  // The cycles that the scan has had when the test begins to look: none, or nearly half of all that there
  // are.
  const unsigned before = GENERATE(0U, 0x7fff'fffdU);
  CAPTURE(slot_cycles, before);
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = dut.exchange_start_i = 0;
  dut.slot_cycles_i = slot_cycles;
  bench.reset();
  const auto expect = [&](bool running, unsigned cycle, unsigned step, bool opens) {
    bench.settle();
    CAPTURE(dut.exchange_cycle_o, dut.exchange_step_o);
    REQUIRE(dut.exchange_running_o == running);
    REQUIRE(dut.exchange_cycle_o == cycle);
    REQUIRE(dut.exchange_step_o == step);
    REQUIRE(dut.exchange_slot_open_next_o == opens);
    bench.tick();
  };
  expect(false, 0, 0, false);
  dut.exchange_start_i = 1;
  expect(false, 0, 0, true);  // the scan
  if (before != 0) bench.preset("scan_cycle_q", before + 1);
  for (unsigned cycle = 1; cycle < 7; ++cycle) expect(false, before + cycle, 0, false);
  dut.exchange_start_i = 0;
  for (int k = 0; k < 4; ++k) expect(false, before + 7, 0, false);  // hosts fill their queues
  dut.exchange_start_i = 1;
  expect(false, before + 7, 0, true);
  dut.exchange_start_i = 0;
  for (unsigned cycle = 1; cycle <= 20; ++cycle)
    expect(true, before + 7 + cycle, (cycle - 1) / slot_cycles + 1, cycle % slot_cycles == 0);
  bench.reset();
  expect(false, 0, 0, false);
}

}  // namespace
}  // namespace safnet::testbench
