// late_counts - a run whose network time and counters begin high must count what the same run counts from 0:
// no register of 32 bits is taken for a signed number, and none is narrower on its way than it says. Whole
// runs of the program whose cycles have high numbers are in testbench/sim/test_late_cycles.cpp; their
// counters start at 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {

/// What network time and counters are before a run's first cycle.
struct CountsBefore {
  std::uint32_t time = 0;       ///< cycles and steps
  std::uint32_t packets = 0;    ///< packets and cycles that a counter counts
  std::uint64_t delay_sum = 0;  ///< steps
};

/// Twenty cycles before the last bit of network time, and a packet before that of each counter: every bit
/// goes up and comes down.
inline constexpr CountsBefore kLateTime{(std::uint32_t{1} << 31) - 20};
inline constexpr CountsBefore kLateCounts{kLateTime.time, (std::uint32_t{1} << 31) - 1,
                                          (std::uint64_t{1} << 63) - 1};

/// Sets them in the cycle before the first, those that are not 0: when something was first violated is kept
/// by a counter that is 0.
template <class Model>
void preset_counts(RtlBench<Model>& bench, const CountsBefore& before) {
  if (before.time != 0) {
    for (const auto* name : {"cycle_q", "step_q"}) bench.preset(name, before.time);
  }
  if (before.packets != 0) {
    for (const auto* name : {"sent_q", "received_q", "delivered_q", "violations_q"})
      bench.preset(name, before.packets);
    if constexpr (requires { bench.dut().dry_o; }) {
      for (const auto* name : {"dry_q", "mismatches_q"}) bench.preset(name, before.packets);
    }
    bench.preset("delay_sum_q", before.delay_sum);
  }
  bench.settle();
}

/// What the nodes of a bench say that they counted, and when.
struct Counts {
  std::vector<std::uint32_t> packets;
  std::vector<std::uint32_t> last_times, first_times;  ///< 0 if what they tell of has not happened
  std::vector<std::uint64_t> delay_sums, delivered;
};

template <class Port>
void add_counts(std::vector<std::uint32_t>& counts, const Port& port, int fields) {
  for (int k = 0; k < fields; ++k) counts.push_back(static_cast<std::uint32_t>(get_field(port, k, 32)));
}

template <class Model>
Counts counts_of(const Model& dut, int nodes, int radix) {
  Counts counts;
  add_counts(counts.packets, dut.sent_o, nodes * radix);
  add_counts(counts.packets, dut.received_o, nodes * radix);
  add_counts(counts.packets, dut.delivered_o, nodes);
  add_counts(counts.packets, dut.violations_o, nodes);
  add_counts(counts.last_times, dut.last_delivery_cycle_o, nodes);
  add_counts(counts.last_times, dut.last_delivery_step_o, nodes);
  add_counts(counts.first_times, dut.first_violation_cycle_o, nodes);
  if constexpr (requires { dut.dry_o; }) {
    add_counts(counts.packets, dut.dry_o, nodes);
    add_counts(counts.packets, dut.mismatches_o, nodes);
    add_counts(counts.first_times, dut.first_dry_cycle_o, nodes);
    add_counts(counts.first_times, dut.first_mismatch_cycle_o, nodes);
  }
  for (int n = 0; n < nodes; ++n) {
    counts.delay_sums.push_back(get_field(dut.delay_sum_o, n, 64));
    counts.delivered.push_back(get_field(dut.delivered_o, n, 32));
  }
  return counts;
}

/// `early`: of a run from 0. `late`: of the same run from `before`.
inline void require_same_counts(const Counts& early, const Counts& late, const CountsBefore& before) {
  for (std::size_t k = 0; k < early.packets.size(); ++k) {
    CAPTURE(k);
    REQUIRE(late.packets[k] == early.packets[k] + before.packets);
  }
  for (std::size_t k = 0; k < early.last_times.size(); ++k) {
    CAPTURE(k);
    REQUIRE(late.last_times[k] == (early.last_times[k] == 0 ? 0 : early.last_times[k] + before.time));
  }
  for (std::size_t k = 0; k < early.first_times.size(); ++k) {
    CAPTURE(k);
    const bool is_first = early.first_times[k] != 0 && before.packets == 0;
    REQUIRE(late.first_times[k] == (is_first ? early.first_times[k] + before.time : 0));
  }
  for (std::size_t n = 0; n < early.delay_sums.size(); ++n) {
    CAPTURE(n);
    REQUIRE(late.delay_sums[n] == early.delay_sums[n] + early.delivered[n] * before.time + before.delay_sum);
  }
}

/// After a reset nothing is left of what was counted.
inline void require_no_counts(const Counts& counts) {
  for (const auto* list : {&counts.packets, &counts.last_times, &counts.first_times})
    REQUIRE(std::ranges::all_of(*list, [](std::uint32_t count) { return count == 0; }));
  REQUIRE(std::ranges::all_of(counts.delay_sums, [](std::uint64_t sum) { return sum == 0; }));
}

}  // namespace safnet::testbench
