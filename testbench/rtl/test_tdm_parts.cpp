// stream_fifo, combine_unit, buffer_table and packet_buffers against C++ models, under random traffic with
// everything at once.
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "Vrtl_tdm_parts_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_tdm_parts_bench>;
constexpr int kLanes = 3, kOutputs = 2, kBuffers = 3, kFlits = 3, kInputs = 5;
constexpr int kGenerationWidth = 3, kCountWidth = 3, kMaxCount = 7;

void quiet(Bench& bench) {
  bench->fifo_in_valid_i = bench->fifo_out_ready_i = 0;
  bench->grant_i = bench->first_i = bench->last_i = bench->send_i = 0;
  bench->clear_i = bench->write_i = bench->combine_i = 0;
}

// The operations by their definition, on one word.
std::uint32_t combined(int operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case rtl::tdm_pkg::kCombineMinimum:
      return std::min(a, b);
    case rtl::tdm_pkg::kCombineMaximum:
      return std::max(a, b);
    case rtl::tdm_pkg::kCombineAnd:
      return a & b;
    case rtl::tdm_pkg::kCombineOr:
      return a | b;
    default:
      return a + b;
  }
}
std::uint64_t combined_flits(int operation, std::uint64_t a, std::uint64_t b) {
  const auto word = [](std::uint64_t x, int w) { return static_cast<std::uint32_t>(x >> (32 * w)); };
  return combined(operation, word(a, 0), word(b, 0)) |
         std::uint64_t{combined(operation, word(a, 1), word(b, 1))} << 32;
}

TEST_CASE("a queue gives what it was given, in order", "[rtl][stream_fifo][random]") {
  const int parameter_set = GENERATE(0, 1, 2);
  const int in_percent = GENERATE(30, 100);
  const int out_percent = GENERATE(30, 100);
  CAPTURE(parameter_set, in_percent, out_percent);
  std::mt19937 random(static_cast<unsigned>(parameter_set + in_percent + 3 * out_percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  Bench bench;
  quiet(bench);
  bench->fifo_case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const std::size_t depth = bench->fifo_depth_o;
  std::deque<unsigned> held;
  int moved = 0, full = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    const bool offers = chance(in_percent), takes = chance(out_percent);
    const unsigned data = random() & 0xffff;
    bench->fifo_in_valid_i = offers;
    bench->fifo_in_data_i = static_cast<SData>(data);
    bench->fifo_out_ready_i = takes;
    bench.settle();
    REQUIRE(bench->fifo_in_ready_o == (held.size() < depth));  // whether or not something leaves
    REQUIRE(bench->fifo_out_valid_o == !held.empty());
    if (!held.empty()) REQUIRE(bench->fifo_out_data_o == held.front());
    const bool push = offers && held.size() < depth;
    full += held.size() == depth;
    if (takes && !held.empty()) {
      held.pop_front();
      ++moved;
    }
    if (push) held.push_back(data);
    bench.tick();
  }
  REQUIRE(moved > 100);
  if (in_percent > out_percent) REQUIRE(full > 100);
  if (in_percent == 100 && out_percent == 100) REQUIRE(moved == (depth == 1 ? 500 : 999));
}

TEST_CASE("every operation over every subset of the inputs", "[rtl][combine_unit]") {
  std::mt19937_64 random(7);
  Bench bench;
  quiet(bench);
  for (int operation = 0; operation < 8; ++operation) {
    for (unsigned valid = 0; valid < 1U << kInputs; ++valid) {
      for (int round = 0; round < 8; ++round) {
        bench->unit_operation_i = static_cast<CData>(operation);
        bench->unit_valid_i = static_cast<CData>(valid);
        std::optional<std::uint64_t> expected;
        for (int k = 0; k < kInputs; ++k) {
          const std::uint64_t flit = round == 0 ? ~std::uint64_t{0} : random();  // sums wrap around
          set_field(bench->unit_flit_i, k, 64, flit);
          if ((valid >> k & 1) == 0) continue;
          expected = expected ? combined_flits(operation, *expected, flit) : flit;
        }
        bench.settle();
        CAPTURE(operation, valid);
        REQUIRE(bench->unit_result_o == expected.value_or(0));
      }
    }
  }
}

TEST_CASE("buffers live through their generations", "[rtl][buffer_table][random]") {
  const int percent = GENERATE(20, 60, 95);
  CAPTURE(percent);
  std::mt19937 random(static_cast<unsigned>(percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  struct Buffer {
    int generation = 0, parts = 0, uses = 0, started = 0, finished = 0, sent = 0;
    bool granted = false, complete = false;
  };
  struct Lane {
    int buffer = 0, left = 0;  // of the packet that is arriving
  };
  std::array<Buffer, kBuffers> buffers;
  std::array<Lane, kLanes> lanes;
  Bench bench;
  quiet(bench);
  bench.reset();
  int lives = 0, unsent = 0, together = 0, sends_together = 0, last_parts = 0;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    CAPTURE(cycle);
    quiet(bench);
    const std::array<Buffer, kBuffers> before = buffers;
    std::array<Buffer, kBuffers> after = buffers;
    unsigned grants = 0, anew = 0, firsts = 0, lasts = 0, sends = 0, last_part = 0;
    std::array<bool, kBuffers> begins{};
    std::array<int, kBuffers> started_now{}, finished_now{}, sent_now{}, leader{-1, -1, -1};
    for (int l = 0; l < kLanes; ++l) {
      const int b = number(0, kBuffers - 1);
      const auto at = static_cast<std::size_t>(b);
      set_field(bench->grant_buffer_i, l, 2, static_cast<unsigned>(b));
      set_field(bench->grant_parts_i, l, kCountWidth, random());
      set_field(bench->grant_uses_i, l, kCountWidth, random());
      // A buffer that frees itself in this cycle is not granted again yet: a lane would have asked for it
      // earlier.
      if (chance(percent) && !before[at].complete && (!before[at].granted || before[at].finished == 0)) {
        grants |= 1U << l;
        if (!before[at].granted && !begins[at]) {
          begins[at] = true;
          anew |= 1U << l;
          after[at].granted = true;
          after[at].parts = number(1, chance(50) ? 3 : kMaxCount);
          after[at].uses = number(0, chance(50) ? 2 : kMaxCount);
          after[at].started = after[at].finished = after[at].sent = 0;
        }
        set_field(bench->grant_parts_i, l, kCountWidth, static_cast<unsigned>(after[at].parts));
        set_field(bench->grant_uses_i, l, kCountWidth, static_cast<unsigned>(after[at].uses));
      }
    }
    for (int l = 0; l < kLanes; ++l) {
      Lane& lane = lanes[static_cast<std::size_t>(l)];
      if (lane.left == 0) {
        lane.buffer = number(0, kBuffers - 1);
        const auto at = static_cast<std::size_t>(lane.buffer);
        if (before[at].granted && before[at].started + started_now[at] < before[at].parts &&
            chance(percent)) {
          lane.left = number(1, 3);
          firsts |= 1U << l;
          if (started_now[at]++ == 0) leader[at] = l;
        }
      }
      set_field(bench->buffer_i, l, 2, static_cast<unsigned>(lane.buffer));
      if (lane.left != 0 && --lane.left == 0) {
        lasts |= 1U << l;
        ++finished_now[static_cast<std::size_t>(lane.buffer)];
      }
    }
    for (int p = 0; p < kOutputs; ++p) {
      const int b = number(0, kBuffers - 1);
      const auto at = static_cast<std::size_t>(b);
      const int asked = (before[at].generation + (chance(80) ? 0 : number(1, 7))) % 8;
      set_field(bench->send_buffer_i, p, 2, static_cast<unsigned>(b));
      set_field(bench->send_generation_i, p, kGenerationWidth, static_cast<unsigned>(asked));
      if (before[at].complete && asked == before[at].generation &&
          before[at].sent + sent_now[at] < before[at].uses && chance(percent)) {
        sends |= 1U << p;
        ++sent_now[at];
      }
    }
    bench->grant_i = static_cast<CData>(grants);
    bench->first_i = static_cast<CData>(firsts);
    bench->last_i = static_cast<CData>(lasts);
    bench->send_i = static_cast<CData>(sends);
    bench.settle();
    for (std::size_t b = 0; b < kBuffers; ++b) {
      together += started_now[b] > 1;
      sends_together += sent_now[b] > 1;
      if (started_now[b] != 0 && before[b].started + started_now[b] == before[b].parts)
        last_part |= 1U << leader[b];
    }
    last_parts += last_part != 0;
    REQUIRE(bench->grant_is_first_o == anew);
    REQUIRE((bench->last_part_o & firsts) == last_part);
    for (int l = 0; l < kLanes; ++l) {
      const auto at = static_cast<std::size_t>(get_field(bench->grant_buffer_i, l, 2));
      REQUIRE(static_cast<int>(get_field(bench->grant_generation_o, l, kGenerationWidth)) ==
              before[at].generation);
    }
    for (int p = 0; p < kOutputs; ++p) {
      const auto at = static_cast<std::size_t>(get_field(bench->send_buffer_i, p, 2));
      const auto asked = static_cast<int>(get_field(bench->send_generation_i, p, kGenerationWidth));
      REQUIRE(get_field(bench->send_complete_o, p, 1) ==
              (before[at].complete && asked == before[at].generation));
    }
    REQUIRE(bench->occupancy_o ==
            std::count_if(before.begin(), before.end(), [](const Buffer& b) { return b.granted; }));
    bench.tick();
    for (std::size_t b = 0; b < kBuffers; ++b) {
      Buffer& now = after[b];
      now.started += started_now[b];
      now.finished += finished_now[b];
      now.sent += sent_now[b];
      const bool completes = finished_now[b] != 0 && now.finished == now.parts;
      now.complete = now.complete || completes;
      if ((completes && now.uses == 0) || (sent_now[b] != 0 && now.sent == now.uses)) {
        ++lives;
        unsent += now.uses == 0;
        const int next = (now.generation + 1) % 8;
        now = {};
        now.generation = next;
      }
    }
    buffers = after;
  }
  REQUIRE(lives > 300);
  REQUIRE(unsent > 10);
  REQUIRE(last_parts > 100);
  REQUIRE(together > 10);
  REQUIRE(sends_together > 10);
}

TEST_CASE("the buffer table refuses what was never planned", "[rtl][buffer_table][assertion]") {
  Bench bench;
  quiet(bench);
  bench.reset();
  bench->grant_buffer_i = 1;  // lane 0 gets buffer 1 for two parts and one send
  bench->grant_parts_i = 2;
  bench->grant_uses_i = 1;
  bench->buffer_i = 1;
  bench->send_buffer_i = 1;
  bench->send_generation_i = 0;
  SECTION("a part without a grant") {
    bench->first_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a part too many") {
    bench->grant_i = 1;
    bench.tick();
    bench->grant_i = 0;
    bench->first_i = 1;
    REQUIRE_NOTHROW(bench.tick());
    REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a send before the packet is complete") {
    bench->grant_i = 1;
    bench.tick();
    bench->grant_i = 0;
    bench->send_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("lanes that disagree about the parts") {
    bench->grant_i = 1;
    bench.tick();
    bench->grant_parts_i = 3;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

TEST_CASE("packets are combined where they meet", "[rtl][packet_buffers][random]") {
  const int percent = GENERATE(30, 90);
  CAPTURE(percent);
  std::mt19937_64 random(static_cast<unsigned>(percent));
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::array<std::array<std::optional<std::uint64_t>, kFlits>, kBuffers> held;  // by combine units
  std::array<std::array<std::uint64_t, kFlits>, kBuffers> plain{};
  Bench bench;
  quiet(bench);
  bench.reset();
  for (int l = 0; l < kLanes; ++l) {  // registers start at random: every buffer starts anew
    set_field(bench->clear_buffer_i, l, 2, static_cast<unsigned>(l));
  }
  bench->clear_i = 7;
  bench.tick();
  int met = 0, with_stored = 0, stored = 0;
  for (int cycle = 0; cycle < 8000; ++cycle) {
    CAPTURE(cycle);
    quiet(bench);
    const int operation = cycle / 100 % 5;
    bench->operation_i = static_cast<CData>(operation);
    const int crowded = chance(50) ? below(kBuffers) : -1;  // where several lanes meet
    std::array<bool, kBuffers> writing{};
    struct Write {
      bool valid = false, combines = false;
      std::size_t buffer = 0, index = 0;
      std::uint64_t flit = 0;
    };
    std::array<Write, kLanes> writes;
    unsigned valid = 0, combining = 0;
    const int crowded_index = below(kFlits);
    for (int l = 0; l < kLanes; ++l) {
      Write& w = writes[static_cast<std::size_t>(l)];
      w.buffer = static_cast<std::size_t>(crowded >= 0 ? crowded : below(kBuffers));
      w.index = static_cast<std::size_t>(crowded >= 0 && chance(80) ? crowded_index : below(kFlits));
      w.combines = chance(80);
      w.flit = random();
      if (w.index == 0) w.flit = (w.flit >> 32) << 32 | (0xabcd'0000U + w.buffer);  // the name of the result
      w.valid = chance(percent);
      for (int k = 0; k < l && w.valid; ++k) {  // what is stored is alone in its place
        const Write& other = writes[static_cast<std::size_t>(k)];
        if (other.valid && other.buffer == w.buffer && other.index == w.index &&
            !(other.combines && w.combines))
          w.valid = false;
      }
      if (w.valid) writing[w.buffer] = true;
      valid |= w.valid ? 1U << l : 0;
      combining |= w.combines ? 1U << l : 0;
      set_field(bench->write_buffer_i, l, 2, w.buffer);
      set_field(bench->write_index_i, l, 2, w.index);
      set_field(bench->write_flit_i, l, 64, w.flit);
    }
    bench->write_i = static_cast<CData>(valid);
    bench->combine_i = static_cast<CData>(combining);
    unsigned clears = 0;
    for (int l = 0; l < kLanes; ++l) {
      const int b = below(kBuffers);
      set_field(bench->clear_buffer_i, l, 2, static_cast<unsigned>(b));
      if (!writing[static_cast<std::size_t>(b)] && chance(15)) clears |= 1U << l;
    }
    bench->clear_i = static_cast<CData>(clears);
    std::array<std::pair<std::size_t, std::size_t>, kOutputs> reads;
    for (int p = 0; p < kOutputs; ++p) {
      auto& [buffer, index] = reads[static_cast<std::size_t>(p)];
      buffer = static_cast<std::size_t>(below(kBuffers));
      index = static_cast<std::size_t>(below(kFlits));
      set_field(bench->read_buffer_i, p, 2, buffer);
      set_field(bench->read_index_i, p, 2, index);
    }
    bench.settle();
    for (int p = 0; p < kOutputs; ++p) {
      const auto [buffer, index] = reads[static_cast<std::size_t>(p)];
      if (held[buffer][index]) REQUIRE(get_field(bench->read_flit_o, p, 64) == *held[buffer][index]);
      if (plain[buffer][index] != 0)
        REQUIRE(get_field(bench->plain_read_flit_o, p, 64) == plain[buffer][index]);
    }
    auto next = held;
    for (int l = 0; l < kLanes; ++l) {
      const Write& w = writes[static_cast<std::size_t>(l)];
      if (!w.valid) continue;
      plain[w.buffer][w.index] = w.flit;  // of several the highest lane's, here; never asked for in a node
      std::optional<std::uint64_t> total = w.flit;
      if (w.combines) {
        total = held[w.buffer][w.index];
        with_stored += total.has_value();
        int here = 0;
        for (const Write& other : writes) {
          if (!other.valid || !other.combines || other.buffer != w.buffer || other.index != w.index) continue;
          total = total ? combined_flits(operation, *total, other.flit) : other.flit;
          ++here;
        }
        met += here > 1;
        if (w.index == 0) total = (*total >> 32) << 32 | (w.flit & 0xffff'ffff);
      } else {
        ++stored;
      }
      REQUIRE(get_field(bench->result_o, l, 64) == *total);
      next[w.buffer][w.index] = total;
    }
    for (int l = 0; l < kLanes; ++l) {
      if ((clears >> l & 1) != 0) next[get_field(bench->clear_buffer_i, l, 2)] = {};
    }
    held = next;
    bench.tick();
  }
  REQUIRE(met > 500);
  REQUIRE(with_stored > 500);
  REQUIRE(stored > 100);
}

}  // namespace
}  // namespace safnet::testbench
