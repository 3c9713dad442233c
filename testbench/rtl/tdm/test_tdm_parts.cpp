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

// A buffer_table whose lanes and outputs do, at random, what a schedule might ask for.
class BufferLives {
 public:
  explicit BufferLives(int percent) : percent_(percent), random_(static_cast<unsigned>(percent)) {
    quiet(bench_);
    bench_.reset();
  }

  int lives = 0, unsent = 0, together = 0, sends_together = 0, last_parts = 0;

  void cycle() {
    quiet(bench_);
    after_ = before_;
    now_ = {};
    ask_for_buffers();
    send_parts();
    send_packets();
    bench_->grant_i = static_cast<CData>(now_.grants);
    bench_->first_i = static_cast<CData>(now_.firsts);
    bench_->last_i = static_cast<CData>(now_.lasts);
    bench_->send_i = static_cast<CData>(now_.sends);
    bench_.settle();
    check_parts();
    check_reads();
    bench_.tick();
    finish();
  }

 private:
  struct Buffer {
    int generation = 0, parts = 0, uses = 0, started = 0, finished = 0, sent = 0;
    bool granted = false, complete = false;
  };
  struct Lane {
    int buffer = 0, left = 0;  // of the packet that is arriving
  };
  // What happens in a cycle: bits of lanes and outputs, and by buffer.
  struct Events {
    unsigned grants = 0, anew = 0, firsts = 0, lasts = 0, sends = 0;
    std::array<bool, kBuffers> begins{};
    std::array<int, kBuffers> started{}, finished{}, sent{}, leader{-1, -1, -1};
  };

  bool chance(int p) { return static_cast<int>(random_() % 100) < p; }
  int number(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }

  void ask_for_buffers() {
    for (int l = 0; l < kLanes; ++l) {
      const int b = number(0, kBuffers - 1);
      const auto at = static_cast<std::size_t>(b);
      Buffer& after = after_[at];
      set_field(bench_->grant_buffer_i, l, 2, static_cast<unsigned>(b));
      set_field(bench_->grant_parts_i, l, kCountWidth, random_());
      set_field(bench_->grant_uses_i, l, kCountWidth, random_());
      // A buffer that frees itself in this cycle is not granted again yet: a lane would have asked for it
      // earlier.
      if (chance(percent_) && !before_[at].complete && (!before_[at].granted || before_[at].finished == 0)) {
        now_.grants |= 1U << l;
        if (!before_[at].granted && !now_.begins[at]) {
          now_.begins[at] = true;
          now_.anew |= 1U << l;
          after.granted = true;
          after.parts = number(1, chance(50) ? 3 : kMaxCount);
          after.uses = number(0, chance(50) ? 2 : kMaxCount);
          after.started = after.finished = after.sent = 0;
        }
        set_field(bench_->grant_parts_i, l, kCountWidth, static_cast<unsigned>(after.parts));
        set_field(bench_->grant_uses_i, l, kCountWidth, static_cast<unsigned>(after.uses));
      }
    }
  }
  void send_parts() {
    for (int l = 0; l < kLanes; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      if (lane.left == 0) {
        lane.buffer = number(0, kBuffers - 1);
        const auto at = static_cast<std::size_t>(lane.buffer);
        if (before_[at].granted && before_[at].started + now_.started[at] < before_[at].parts &&
            chance(percent_)) {
          lane.left = number(1, 3);
          now_.firsts |= 1U << l;
          if (now_.started[at]++ == 0) now_.leader[at] = l;
        }
      }
      set_field(bench_->buffer_i, l, 2, static_cast<unsigned>(lane.buffer));
      if (lane.left != 0 && --lane.left == 0) {
        now_.lasts |= 1U << l;
        ++now_.finished[static_cast<std::size_t>(lane.buffer)];
      }
    }
  }
  void send_packets() {
    for (int p = 0; p < kOutputs; ++p) {
      const int b = number(0, kBuffers - 1);
      const auto at = static_cast<std::size_t>(b);
      const int asked = (before_[at].generation + (chance(80) ? 0 : number(1, 7))) % 8;
      set_field(bench_->send_buffer_i, p, 2, static_cast<unsigned>(b));
      set_field(bench_->send_generation_i, p, kGenerationWidth, static_cast<unsigned>(asked));
      if (before_[at].complete && asked == before_[at].generation &&
          before_[at].sent + now_.sent[at] < before_[at].uses && chance(percent_)) {
        now_.sends |= 1U << p;
        ++now_.sent[at];
      }
    }
  }

  void check_parts() {
    unsigned last_part = 0;
    for (std::size_t b = 0; b < kBuffers; ++b) {
      together += now_.started[b] > 1;
      sends_together += now_.sent[b] > 1;
      if (now_.started[b] != 0 && before_[b].started + now_.started[b] == before_[b].parts)
        last_part |= 1U << now_.leader[b];
    }
    last_parts += last_part != 0;
    REQUIRE(bench_->grant_is_first_o == now_.anew);
    REQUIRE((bench_->last_part_o & now_.firsts) == last_part);
  }
  void check_reads() {
    for (int l = 0; l < kLanes; ++l) {
      const auto at = static_cast<std::size_t>(get_field(bench_->grant_buffer_i, l, 2));
      REQUIRE(static_cast<int>(get_field(bench_->grant_generation_o, l, kGenerationWidth)) ==
              before_[at].generation);
    }
    for (int p = 0; p < kOutputs; ++p) {
      const auto at = static_cast<std::size_t>(get_field(bench_->send_buffer_i, p, 2));
      const auto asked = static_cast<int>(get_field(bench_->send_generation_i, p, kGenerationWidth));
      REQUIRE(get_field(bench_->send_complete_o, p, 1) ==
              (before_[at].complete && asked == before_[at].generation));
    }
    REQUIRE(bench_->occupancy_o ==
            std::count_if(before_.begin(), before_.end(), [](const Buffer& b) { return b.granted; }));
  }

  void finish() {
    for (std::size_t b = 0; b < kBuffers; ++b) {
      Buffer& now = after_[b];
      now.started += now_.started[b];
      now.finished += now_.finished[b];
      now.sent += now_.sent[b];
      const bool completes = now_.finished[b] != 0 && now.finished == now.parts;
      now.complete = now.complete || completes;
      if ((completes && now.uses == 0) || (now_.sent[b] != 0 && now.sent == now.uses)) {
        ++lives;
        unsent += now.uses == 0;
        const int next = (now.generation + 1) % 8;
        now = {};
        now.generation = next;
      }
    }
    before_ = after_;
  }

  int percent_;
  std::mt19937 random_;
  Bench bench_;
  std::array<Buffer, kBuffers> before_, after_;  // this cycle
  std::array<Lane, kLanes> lanes_;
  Events now_;
};

TEST_CASE("buffers live through their generations", "[rtl][buffer_table][random]") {
  const int percent = GENERATE(20, 60, 95);
  CAPTURE(percent);
  BufferLives table(percent);
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    CAPTURE(cycle);
    table.cycle();
  }
  REQUIRE(table.lives > 300);
  REQUIRE(table.unsent > 10);
  REQUIRE(table.last_parts > 100);
  REQUIRE(table.together > 10);
  REQUIRE(table.sends_together > 10);
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
  SECTION("two parts at once where one is left") {
    set_field(bench->buffer_i, 1, 2, 1);
    bench->grant_i = 1;
    bench.tick();
    bench->grant_i = 0;
    bench->first_i = 1;
    REQUIRE_NOTHROW(bench.tick());
    bench->first_i = 3;
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

// packet_buffers whose lanes write at random, often into the same place.
class Meetings {
 public:
  explicit Meetings(int percent) : percent_(percent), random_(static_cast<unsigned>(percent)) {
    quiet(bench_);
    bench_.reset();
    for (int l = 0; l < kLanes; ++l) {  // registers start at random: every buffer starts anew
      set_field(bench_->clear_buffer_i, l, 2, static_cast<unsigned>(l));
    }
    bench_->clear_i = 7;
    bench_.tick();
  }

  int met = 0, with_stored = 0, stored = 0;

  void cycle(int number) {
    quiet(bench_);
    operation_ = number / 100 % 5;
    bench_->operation_i = static_cast<CData>(operation_);
    choose_writes();
    const unsigned clears = choose_clears();
    choose_reads();
    bench_.settle();
    check_reads();
    auto next = held_;
    for (int l = 0; l < kLanes; ++l) {
      const Write& w = writes_[static_cast<std::size_t>(l)];
      if (!w.valid) continue;
      plain_[w.buffer][w.index] = w.flit;  // of several the highest lane's, here; never asked for in a node
      const std::uint64_t result = result_of(w);
      REQUIRE(get_field(bench_->result_o, l, 64) == result);
      next[w.buffer][w.index] = result;
    }
    for (int l = 0; l < kLanes; ++l) {
      if ((clears >> l & 1) != 0) next[get_field(bench_->clear_buffer_i, l, 2)] = {};
    }
    held_ = next;
    bench_.tick();
  }

 private:
  struct Write {
    bool valid = false, combines = false;
    std::size_t buffer = 0, index = 0;
    std::uint64_t flit = 0;
    [[nodiscard]] bool is_at_place_of(const Write& other) const {
      return buffer == other.buffer && index == other.index;
    }
  };

  bool chance(int p) { return static_cast<int>(random_() % 100) < p; }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void choose_writes() {
    const int crowded = chance(50) ? below(kBuffers) : -1;  // where several lanes meet
    const int crowded_index = below(kFlits);
    writes_ = {};
    unsigned valid = 0, combining = 0;
    for (int l = 0; l < kLanes; ++l) {
      Write& w = writes_[static_cast<std::size_t>(l)];
      w.buffer = static_cast<std::size_t>(crowded >= 0 ? crowded : below(kBuffers));
      w.index = static_cast<std::size_t>(crowded >= 0 && chance(80) ? crowded_index : below(kFlits));
      w.combines = chance(80);
      w.flit = random_();
      if (w.index == 0) w.flit = (w.flit >> 32) << 32 | (0xabcd'0000U + w.buffer);  // the name of the result
      w.valid = chance(percent_);
      for (int k = 0; k < l && w.valid; ++k) {  // what is stored is alone in its place
        const Write& other = writes_[static_cast<std::size_t>(k)];
        if (other.valid && other.is_at_place_of(w) && !(other.combines && w.combines)) w.valid = false;
      }
      valid |= w.valid ? 1U << l : 0;
      combining |= w.combines ? 1U << l : 0;
      set_field(bench_->write_buffer_i, l, 2, w.buffer);
      set_field(bench_->write_index_i, l, 2, w.index);
      set_field(bench_->write_flit_i, l, 64, w.flit);
    }
    bench_->write_i = static_cast<CData>(valid);
    bench_->combine_i = static_cast<CData>(combining);
  }
  // Lanes that clear a buffer; none is written in the same cycle.
  unsigned choose_clears() {
    unsigned clears = 0;
    for (int l = 0; l < kLanes; ++l) {
      const int b = below(kBuffers);
      set_field(bench_->clear_buffer_i, l, 2, static_cast<unsigned>(b));
      const bool is_written = std::ranges::any_of(
          writes_, [b](const Write& w) { return w.valid && w.buffer == static_cast<std::size_t>(b); });
      if (!is_written && chance(15)) clears |= 1U << l;
    }
    bench_->clear_i = static_cast<CData>(clears);
    return clears;
  }
  void choose_reads() {
    for (int p = 0; p < kOutputs; ++p) {
      auto& [buffer, index] = reads_[static_cast<std::size_t>(p)];
      buffer = static_cast<std::size_t>(below(kBuffers));
      index = static_cast<std::size_t>(below(kFlits));
      set_field(bench_->read_buffer_i, p, 2, buffer);
      set_field(bench_->read_index_i, p, 2, index);
    }
  }
  void check_reads() {
    for (int p = 0; p < kOutputs; ++p) {
      const auto [buffer, index] = reads_[static_cast<std::size_t>(p)];
      if (held_[buffer][index]) REQUIRE(get_field(bench_->read_flit_o, p, 64) == *held_[buffer][index]);
      if (plain_[buffer][index] != 0)
        REQUIRE(get_field(bench_->plain_read_flit_o, p, 64) == plain_[buffer][index]);
    }
  }
  // What the place of a write holds after this cycle.
  std::uint64_t result_of(const Write& w) {
    if (!w.combines) {
      ++stored;
      return w.flit;
    }
    std::optional<std::uint64_t> total = held_[w.buffer][w.index];
    with_stored += total.has_value();
    int here = 0;
    for (const Write& other : writes_) {
      if (!other.valid || !other.combines || !other.is_at_place_of(w)) continue;
      total = total ? combined_flits(operation_, *total, other.flit) : other.flit;
      ++here;
    }
    met += here > 1;
    return w.index == 0 ? (*total >> 32) << 32 | (w.flit & 0xffff'ffff) : *total;
  }

  int percent_, operation_ = 0;
  std::mt19937_64 random_;
  Bench bench_;
  std::array<std::array<std::optional<std::uint64_t>, kFlits>, kBuffers> held_;  // by combine units
  std::array<std::array<std::uint64_t, kFlits>, kBuffers> plain_{};
  std::array<Write, kLanes> writes_;
  std::array<std::pair<std::size_t, std::size_t>, kOutputs> reads_;
};

TEST_CASE("packets are combined where they meet", "[rtl][packet_buffers][random]") {
  const int percent = GENERATE(30, 90);
  CAPTURE(percent);
  Meetings buffers(percent);
  for (int cycle = 0; cycle < 8000; ++cycle) {
    CAPTURE(cycle);
    buffers.cycle(cycle);
  }
  REQUIRE(buffers.met > 500);
  REQUIRE(buffers.with_stored > 500);
  REQUIRE(buffers.stored > 100);
}

}  // namespace
}  // namespace safnet::testbench
