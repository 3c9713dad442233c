// What a scan_node counts, against the same counts in C++ for random inputs; from 0, and from counts that no
// run of a test reaches.
#include <array>
#include <bit>
#include <random>

#include "Vrtl_interval_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kPorts = 2;
using rtl::scan_pkg::kPhases;

struct IntervalInputs {
  std::uint32_t cycle = 0;
  unsigned phase = 0, sends = 0, receives = 0, delivers = 0;  // a bit for each port, or lane
  bool interval_last = false, violation = false;
};

// As the ports of interval_counters.sv say of each counter; phase 0 counts nothing.
struct IntervalCounts {
  std::uint32_t intervals = 0, last_cycle = 0, delivered = 0, last_delivery_cycle = 0, violations = 0,
                first_violation_cycle = 0;
  std::array<std::uint32_t, kPorts> sent{}, received{};
  std::array<std::uint32_t, kPhases> phase_cycles{};

  void count(const IntervalInputs& in) {
    // A phase is counted anew as the next interval begins.
    if (in.phase != 0) {
      if (is_over_) phase_cycles = {};
      ++phase_cycles.at(in.phase);
    }
    is_over_ = in.interval_last || (is_over_ && in.phase == 0);
    for (unsigned p = 0; p < kPorts; ++p) {
      sent.at(p) += in.sends >> p & 1;
      received.at(p) += in.receives >> p & 1;
    }
    if (in.interval_last) {
      ++intervals;
      last_cycle = in.cycle;
    }
    if (in.violation && violations++ == 0) first_violation_cycle = in.cycle;
    // The node says a cycle late that it delivers.
    if (in.delivers != 0) {
      delivered += static_cast<std::uint32_t>(std::popcount(in.delivers));
      last_delivery_cycle = previous_cycle_;
    }
    previous_cycle_ = in.cycle;
  }

 private:
  bool is_over_ = false;
  std::uint32_t previous_cycle_ = 0;
};

void require_counts(const Vrtl_interval_bench& dut, const IntervalCounts& expected) {
  REQUIRE(dut.intervals_o == expected.intervals);
  REQUIRE(dut.last_cycle_o == expected.last_cycle);
  REQUIRE(dut.delivered_o == expected.delivered);
  REQUIRE(dut.last_delivery_cycle_o == expected.last_delivery_cycle);
  REQUIRE(dut.violations_o == expected.violations);
  REQUIRE(dut.first_violation_cycle_o == expected.first_violation_cycle);
  for (unsigned p = 0; p < kPorts; ++p) {
    REQUIRE(get_field(dut.sent_o, static_cast<int>(p), 32) == expected.sent.at(p));
    REQUIRE(get_field(dut.received_o, static_cast<int>(p), 32) == expected.received.at(p));
  }
  for (unsigned p = 0; p < kPhases; ++p)
    REQUIRE(get_field(dut.phase_cycles_o, static_cast<int>(p), 32) == expected.phase_cycles.at(p));
}

TEST_CASE("interval_counters count what happens, up to 32 bits", "[rtl][interval_counters]") {
  const std::uint32_t before = GENERATE(0U, 0x7fff'fffeU, 0xffff'fff0U);
  const std::uint32_t first_cycle = GENERATE(1U, 0x7fff'ff00U);
  CAPTURE(before, first_cycle);
  std::mt19937 random(before + first_cycle);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  RtlBench<Vrtl_interval_bench> bench;
  Vrtl_interval_bench& dut = bench.dut();
  const auto drive = [&](const IntervalInputs& in) {
    dut.cycle_i = in.cycle;
    dut.phase_i = static_cast<CData>(in.phase);
    dut.interval_last_i = in.interval_last;
    dut.tx_valid_i = static_cast<CData>(in.sends);
    dut.received_i = static_cast<CData>(in.receives);
    dut.violation_i = in.violation;
    dut.delivers_i = static_cast<CData>(in.delivers);
  };
  drive({});
  bench.reset();
  IntervalCounts expected;
  if (before != 0) {
    for (const auto* name : {"intervals_o", "delivered_o"}) bench.preset(name, before);
    for (const auto* name : {"sent_o", "received_o"})
      bench.preset(name, before | std::uint64_t{before} << 32);
    expected.intervals = expected.delivered = before;
    expected.sent = expected.received = {before, before};
  }
  for (std::uint32_t k = 0; k < 600; ++k) {
    const IntervalInputs in{.cycle = first_cycle + k,
                            .phase = below(5) == 0 ? 0 : below(kPhases),
                            .sends = below(4),
                            .receives = below(4),
                            .delivers = below(3) == 0 ? below(8) : 0,
                            .interval_last = below(12) == 0,
                            .violation = k > 200 && below(9) == 0};
    // Late, so that a first violation is seen before. Beyond 2^32 of them the next one is a first one again.
    if (before != 0 && k == 300) {
      bench.preset("violations_o", before);
      expected.violations = before;
    }
    if (before != 0 && k % 40 == 20) {
      for (unsigned p = 1; p < kPhases; ++p) bench.preset("phase_cycles_o", before, "", p);
      expected.phase_cycles.fill(before);
      expected.phase_cycles[0] = 0;
    }
    drive(in);
    bench.settle();
    require_counts(dut, expected);
    bench.tick();
    expected.count(in);
  }
  bench.settle();
  require_counts(dut, expected);
  drive({});
  bench.reset();
  bench.settle();
  require_counts(dut, {});
}

}  // namespace
}  // namespace safnet::testbench
