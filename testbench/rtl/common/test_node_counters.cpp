// What a router counts, against the same counts in C++ for random inputs; from 0, and from counts that no
// run of a test reaches.
#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "Vrtl_counters_bench.h"
#include "testbench/rtl/late_counts.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kPorts = 2, kQueues = 4, kOccupancyWidth = 16;

struct CountedInputs {
  std::uint32_t cycle = 0, step = 0;
  unsigned sent = 0, received = 0, delivered = 0;  // a bit for each port, or stream
  bool violation = false;
  std::array<unsigned, kQueues> occupancy{}, transit{};
};

// As rtl/common/README.md says of each counter.
struct Counted {
  std::array<std::uint32_t, kPorts> sent{}, received{};
  std::uint32_t delivered = 0, last_cycle = 0, last_step = 0, violations = 0, first_violation_cycle = 0;
  std::uint64_t delay_sum = 0;
  unsigned peak_occupancy = 0, peak_transit = 0;

  void count(const CountedInputs& in) {
    for (unsigned p = 0; p < kPorts; ++p) {
      sent.at(p) += in.sent >> p & 1;
      received.at(p) += in.received >> p & 1;
    }
    if (in.delivered != 0) {
      const auto packets = static_cast<std::uint32_t>(std::popcount(in.delivered));
      delivered += packets;
      delay_sum += std::uint64_t{packets} * in.step;
      last_cycle = in.cycle;
      last_step = in.step;
    }
    if (in.violation && violations++ == 0) first_violation_cycle = in.cycle;
    peak_occupancy = std::max(peak_occupancy, std::ranges::max(in.occupancy));
    peak_transit = std::max(peak_transit, std::ranges::max(in.transit));
  }
};

void require_counts(const Vrtl_counters_bench& dut, const Counted& expected) {
  for (int p = 0; p < kPorts; ++p) {
    REQUIRE(get_field(dut.sent_o, p, 32) == expected.sent.at(static_cast<std::size_t>(p)));
    REQUIRE(get_field(dut.received_o, p, 32) == expected.received.at(static_cast<std::size_t>(p)));
  }
  REQUIRE(dut.delivered_o == expected.delivered);
  REQUIRE(dut.last_delivery_cycle_o == expected.last_cycle);
  REQUIRE(dut.last_delivery_step_o == expected.last_step);
  REQUIRE(dut.delay_sum_o == expected.delay_sum);
  REQUIRE(dut.violations_o == expected.violations);
  REQUIRE(dut.first_violation_cycle_o == expected.first_violation_cycle);
  REQUIRE(dut.peak_occupancy_o == expected.peak_occupancy);
  REQUIRE(dut.peak_transit_o == expected.peak_transit);
}

void drive(Vrtl_counters_bench& dut, const CountedInputs& in) {
  dut.cycle_i = in.cycle;
  dut.step_i = in.step;
  dut.sent_i = static_cast<CData>(in.sent);
  dut.received_i = static_cast<CData>(in.received);
  dut.delivered_i = static_cast<CData>(in.delivered);
  dut.violation_i = in.violation;
  for (int q = 0; q < kQueues; ++q) {
    set_field(dut.occupancy_i, q, kOccupancyWidth, in.occupancy.at(static_cast<std::size_t>(q)));
    set_field(dut.transit_i, q, kOccupancyWidth, in.transit.at(static_cast<std::size_t>(q)));
  }
}

TEST_CASE("counters count what happens, up to 32 bits, and delays up to 64", "[rtl][counters]") {
  const CountsBefore before = GENERATE(CountsBefore{}, kLateTime, kLateCounts,
                                       CountsBefore{0xffff'f000U, 0xffff'fff0U, ~std::uint64_t{0} >> 1});
  CAPTURE(before.time, before.packets);
  std::mt19937 random(before.time + before.packets);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  RtlBench<Vrtl_counters_bench> bench;
  Vrtl_counters_bench& dut = bench.dut();
  drive(dut, {});
  bench.reset();
  Counted expected;
  if (before.packets != 0) {
    for (const auto* name : {"sent_q", "received_q", "delivered_q"}) bench.preset(name, before.packets);
    bench.preset("delay_sum_q", before.delay_sum);
    expected.sent = expected.received = {before.packets, before.packets};
    expected.delivered = before.packets;
    expected.delay_sum = before.delay_sum;
  }
  for (std::uint32_t k = 0; k < 400; ++k) {
    CountedInputs in{
        .cycle = before.time + k, .step = before.time + k / 3, .sent = below(4), .received = below(4)};
    if (below(3) == 0) in.delivered = below(8);
    in.violation = k > 100 && below(9) == 0;
    // Queues fill, so that peaks rise slowly, to the highest bit.
    for (unsigned& packets : in.occupancy) packets = below(1U << (k / 25 + 1));
    for (unsigned& packets : in.transit) packets = below(1U << (k / 25 + 1));
    // Late, so that a first violation is seen before. Beyond 2^32 of them the next one is a first one again.
    if (before.packets != 0 && k == 200) {
      bench.preset("violations_q", before.packets);
      expected.violations = before.packets;
    }
    drive(dut, in);
    bench.settle();
    require_counts(dut, expected);
    REQUIRE(dut.occupancy_o == std::ranges::max(in.occupancy));
    bench.tick();
    expected.count(in);
  }
  drive(dut, {});
  bench.settle();
  require_counts(dut, expected);
  bench.reset();
  bench.settle();
  require_counts(dut, {});
}

}  // namespace
}  // namespace safnet::testbench
