// The numbering of cycles and steps, on which every published result depends.
#include <array>

#include "Vrtl_timer_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr std::array<unsigned, 3> kSlotCycles{1, 2, 5};

TEST_CASE("cycles and steps count from 1, and a slot opens every SlotCycles cycles", "[rtl][slot_timer]") {
  const int idle_cycles = GENERATE(0, 1, 7);
  const bool start_again = GENERATE(false, true);  // a second pulse changes nothing
  CAPTURE(idle_cycles, start_again);
  RtlBench<Vrtl_timer_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = 0;
  bench.reset();
  for (int k = 0; k < idle_cycles; ++k) {
    bench.settle();
    for (int t = 0; t < 3; ++t) {
      REQUIRE(get_field(dut.running_o, t, 1) == 0);
      REQUIRE(get_field(dut.cycle_o, t, 32) == 0);
      REQUIRE(get_field(dut.step_o, t, 32) == 0);
      REQUIRE(get_field(dut.slot_open_next_o, t, 1) == 0);
    }
    bench.tick();
  }
  dut.start_i = 1;
  bench.settle();
  REQUIRE(dut.slot_open_next_o == 7);
  bench.tick();
  for (unsigned cycle = 1; cycle <= 60; ++cycle) {
    dut.start_i = start_again && cycle % 3 == 1;
    bench.settle();
    for (int t = 0; t < 3; ++t) {
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

}  // namespace
}  // namespace safnet::testbench
