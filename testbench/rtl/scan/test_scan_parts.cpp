// test_scan_parts - count_adder, flit_combiner and scan_timetable, each against arithmetic or a model of its
// own.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "Vrtl_scan_parts_bench.h"
#include "rtl_constants.hpp"
#include "sim/machine/node_program.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_scan_parts_bench>;
constexpr int kDigitWidth = 2, kRemainderWidth = 2, kRankWidth = 8, kPhaseWidth = rtl::scan_pkg::kPhaseWidth;
constexpr int kHeaderWidth = rtl::scan_pkg::kHeaderWidth;

void quiet(Bench& bench) {
  bench->base_i = 2;
  bench->remainder_base_i = 1;
  bench->count_a_i = 0;
  bench->count_b_i = 0;
  bench->first_i = 0;
  bench->stored_i = 0;
  bench->a_valid_i = 0;
  bench->a_i = 0;
  bench->b_valid_i = 0;
  bench->b_i = 0;
  bench->begin_i = 0;
  bench->operation_i = 0;
  bench->known_i = 0;
  bench->classed_i = 0;
  bench->ring_i = 0;
  bench->two_pieces_i = 0;
  bench->alternate_i = 0;
  bench->pack_flits_i = 1;
  bench->cast_flits_i = 1;
  bench->total_i = 0;
}

// A number as the hardware has it: two digits above a remainder.
unsigned count_of(unsigned value, unsigned base, unsigned remainder_base) {
  const unsigned rest = value / remainder_base;
  return value % remainder_base | rest % base << kRemainderWidth |
         rest / base << (kRemainderWidth + kDigitWidth);
}

TEST_CASE("counts of nodes add up in every base", "[scan][count_adder]") {
  Bench bench;
  quiet(bench);
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned remainder_base = 1; remainder_base <= 4; ++remainder_base) {
      const unsigned end = base * base * remainder_base;
      bench->base_i = static_cast<CData>(base);
      bench->remainder_base_i = static_cast<CData>(remainder_base);
      for (unsigned a = 0; a < end; ++a) {
        for (unsigned b = 0; a + b < end; ++b) {
          bench->count_a_i = static_cast<CData>(count_of(a, base, remainder_base));
          bench->count_b_i = static_cast<CData>(count_of(b, base, remainder_base));
          bench.settle();
          CAPTURE(base, remainder_base, a, b);
          REQUIRE(bench->count_sum_o == count_of(a + b, base, remainder_base));
        }
      }
      // Without remainders a unit goes in as remainder 1.
      if (remainder_base != 1) continue;
      for (unsigned a = 0; a + 1 < end; ++a) {
        bench->count_a_i = static_cast<CData>(count_of(a, base, 1));
        bench->count_b_i = 1;
        bench.settle();
        CAPTURE(base, a);
        REQUIRE(bench->count_sum_o == count_of(a + 1, base, 1));
      }
    }
  }
}

TEST_CASE("flits are combined: payload added, headers joined", "[scan][flit_combiner]") {
  Bench bench;
  quiet(bench);
  std::mt19937_64 random(1);
  constexpr std::uint64_t kHeader = (std::uint64_t{1} << kHeaderWidth) - 1;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t stored = random(), a = random(), b = random();
    for (unsigned valid = 0; valid < 4; ++valid) {
      const std::uint64_t from_a = (valid & 1) != 0 ? a : 0, from_b = (valid & 2) != 0 ? b : 0;
      for (const bool first : {false, true}) {
        CAPTURE(stored, a, b, valid, first);
        bench->first_i = first;
        bench->stored_i = stored;
        bench->a_i = a;
        bench->b_i = b;
        bench->a_valid_i = (valid & 1) != 0;
        bench->b_valid_i = (valid & 2) != 0;
        bench.settle();
        const std::uint64_t top =
            ((stored >> kHeaderWidth) + (from_a >> kHeaderWidth) + (from_b >> kHeaderWidth)) & 0xffff;
        const std::uint64_t expected =
            first ? top << kHeaderWidth | ((stored | from_a | from_b) & kHeader) : stored + from_a + from_b;
        REQUIRE(bench->sum_o == expected);
      }
    }
  }
}

// One run of the timetable.
struct Interval {
  int timetable = 0;  // of the bench: 0 has one digit and no latency, 1 three digits and a latency of 1
  ScanOperation operation = ScanOperation::kScan;
  bool known = false, classed = false, ring = false, two_pieces = false, alternate = false;
  unsigned base = 2, pack_flits = 1, cast_flits = 1, total = 0;
  unsigned digits() const { return timetable == 0 ? 1 : 3; }
  unsigned latency() const { return timetable == 0 ? 0 : 1; }
};

// Where one direction of a line is in every slot: batches one after another.
struct BatchSlot {
  unsigned batch = 0, hop = 0;
};
std::vector<BatchSlot> batch_slots(const Interval& of, unsigned digit, bool plus) {
  unsigned above = 1;
  for (unsigned j = 0; j <= digit; ++j) above *= of.base;
  std::vector<BatchSlot> slots;
  for (unsigned b = 0; b * above < of.total; ++b) {
    unsigned length = of.base - 1;
    if (of.ring && !of.two_pieces) {
      length = of.base / 2;
      const bool short_turn = plus ? b % 2 == 1 : b % 2 == 0;
      if (of.alternate && short_turn) length = (of.base - 1) / 2;
    }
    for (unsigned hop = 0; hop < length; ++hop) slots.push_back({b * above, hop});
  }
  return slots;
}

struct Segment {
  ScanPhase phase = ScanPhase::kIdle;
  bool backward = false;
  unsigned digit = 0, slots = 0, slot_cycles = 0;
};

std::vector<Segment> expected_segments(const Interval& of) {
  std::vector<Segment> segments;
  const unsigned d = of.digits();
  const auto scan = [&](ScanPhase phase) {
    for (unsigned j = 0; j < d; ++j) segments.push_back({phase, false, j, of.base - 1, 1 + of.latency()});
    for (unsigned j = d; j-- > 0;) segments.push_back({phase, true, j, of.base - 1, 1 + of.latency()});
  };
  const auto move = [&](ScanPhase phase, bool up) {
    const unsigned slots = of.ring && of.alternate ? of.base / 2 : of.base - 1;
    for (unsigned k = 0; k < d; ++k)
      segments.push_back({phase, false, up ? k : d - 1 - k, slots, of.pack_flits + of.latency()});
  };
  const auto cast = [&](ScanPhase phase, bool up) {
    if (of.total == 0) return;
    for (unsigned k = 0; k < d; ++k) {
      const unsigned digit = up ? k : d - 1 - k;
      const std::size_t slots =
          std::max(batch_slots(of, digit, true).size(), batch_slots(of, digit, false).size());
      segments.push_back({phase, false, digit, static_cast<unsigned>(slots), of.cast_flits + of.latency()});
    }
  };
  if (!of.known) {
    if (of.classed) scan(ScanPhase::kClassScan);
    scan(ScanPhase::kRankScan);
  }
  switch (of.operation) {
    case ScanOperation::kScan:
      break;
    case ScanOperation::kPack:
      move(ScanPhase::kPack, true);
      break;
    case ScanOperation::kMonotone:
      move(ScanPhase::kPack, true);
      move(ScanPhase::kUnpack, false);
      break;
    case ScanOperation::kBroadcast:
      move(ScanPhase::kPack, true);
      cast(ScanPhase::kBroadcast, false);
      break;
    case ScanOperation::kAccumulate:
      cast(ScanPhase::kCombine, true);
      move(ScanPhase::kUnpack, false);
      break;
  }
  return segments;
}

unsigned digits_of(unsigned number, unsigned base) {
  unsigned result = 0;
  for (int at = 0; number != 0; at += kDigitWidth, number /= base) result |= number % base << at;
  return result;
}

void check_interval(Bench& bench, const Interval& of) {
  quiet(bench);
  bench->operation_i = static_cast<CData>(of.operation);
  bench->known_i = of.known;
  bench->classed_i = of.classed;
  bench->ring_i = of.ring;
  bench->two_pieces_i = of.two_pieces;
  bench->alternate_i = of.alternate;
  bench->base_i = static_cast<CData>(of.base);
  bench->pack_flits_i = static_cast<CData>(of.pack_flits);
  bench->cast_flits_i = static_cast<CData>(of.cast_flits);
  bench->total_i = static_cast<CData>(digits_of(of.total, of.base));
  bench->begin_i = static_cast<CData>(1 << of.timetable);
  bench.settle();
  const int t = of.timetable;
  REQUIRE(get_field(bench->phase_o, t, kPhaseWidth) == 0);
  bench.tick();
  bench->begin_i = 0;
  const std::vector<Segment> segments = expected_segments(of);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Segment& segment = segments[s];
    const bool batched = segment.phase == ScanPhase::kBroadcast || segment.phase == ScanPhase::kCombine;
    std::vector<BatchSlot> plus, minus;
    if (batched) {
      plus = batch_slots(of, segment.digit, true);
      minus = batch_slots(of, segment.digit, false);
    }
    for (unsigned slot = 0; slot < segment.slots; ++slot) {
      for (unsigned cycle = 0; cycle < segment.slot_cycles; ++cycle) {
        bench.settle();
        const bool slot_last = cycle + 1 == segment.slot_cycles;
        const bool line_last = slot_last && slot + 1 == segment.slots;
        const bool phase_last =
            line_last && (s + 1 == segments.size() || segments[s + 1].phase != segment.phase);
        CAPTURE(t, static_cast<int>(of.operation), of.base, of.total, of.ring, of.two_pieces, of.alternate,
                of.known, of.classed, s, slot, cycle);
        REQUIRE(get_field(bench->phase_o, t, kPhaseWidth) == static_cast<std::uint64_t>(segment.phase));
        REQUIRE(get_field(bench->backward_o, t, 1) == segment.backward);
        REQUIRE(get_field(bench->digit_o, t, 2) == segment.digit);
        REQUIRE(get_field(bench->slot_last_o, t, 1) == slot_last);
        REQUIRE(get_field(bench->line_last_o, t, 1) == line_last);
        REQUIRE(get_field(bench->phase_last_o, t, 1) == phase_last);
        REQUIRE(get_field(bench->interval_last_o, t, 1) == (line_last && s + 1 == segments.size()));
        if (batched) {
          REQUIRE(get_field(bench->minus_finished_o, t, 1) == (slot >= minus.size()));
          REQUIRE(slot < plus.size());  // the line ends with the way plus
          REQUIRE(get_field(bench->plus_batch_o, t, kRankWidth) == digits_of(plus[slot].batch, of.base));
          REQUIRE(get_field(bench->hop_o, t, kDigitWidth) == plus[slot].hop);
          if (slot < minus.size()) {
            REQUIRE(get_field(bench->minus_batch_o, t, kRankWidth) == digits_of(minus[slot].batch, of.base));
            REQUIRE(get_field(bench->minus_hop_o, t, kDigitWidth) == minus[slot].hop);
          }
        } else {
          REQUIRE(get_field(bench->hop_o, t, kDigitWidth) == slot);
        }
        bench.tick();
      }
    }
  }
  bench.settle();
  REQUIRE(get_field(bench->phase_o, t, kPhaseWidth) == 0);
}

TEST_CASE("the timetable lasts as long as packets, digits and batches say", "[scan][scan_timetable]") {
  Bench bench;
  quiet(bench);
  bench.reset();
  std::mt19937 random(7);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  for (int i = 0; i < 600; ++i) {
    Interval of;
    of.timetable = static_cast<int>(below(2));
    of.operation = static_cast<ScanOperation>(below(5));
    of.known = of.operation != ScanOperation::kScan && below(2) == 1;
    of.classed = below(2) == 1;
    of.base = 2 + below(3);
    of.ring = of.base > 2 && below(3) != 0;
    of.two_pieces = of.ring && below(3) == 0;
    of.alternate = of.ring && below(2) == 1;
    of.pack_flits = 1 + below(7);
    of.cast_flits = 1 + below(of.pack_flits);
    unsigned nodes = 1;
    for (unsigned j = 0; j < of.digits(); ++j) nodes *= of.base;
    of.total = below(4) == 0 ? nodes * below(2) : below(nodes + 1);
    check_interval(bench, of);
  }
}

}  // namespace
}  // namespace safnet::testbench
