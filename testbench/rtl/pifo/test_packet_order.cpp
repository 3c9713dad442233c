// packet_order against an ordered multiset with the documented key: rank, transit before local, cycle of
// arrival, what is moved before arrivals, input. Where the parameters allow it, sorted_order, listed_order
// and fifo_queue get the same pushes and pops and must show the same head in every cycle.
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "Vrtl_order_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_order_bench>;
constexpr std::size_t kMaxInputs = 5;
constexpr int kKinds = 4, kPlaceWidth = 8, kRankWidth = 12;
constexpr int kParameterSets = 14;  // of rtl_order_bench.sv

struct Packet {
  int rank = 0;
  bool local = false;
  int arrival = 0;
  bool arrived = true;  // false: it has been moved in cycle `arrival`
  int input = 0;
  int slot = 0;
  friend bool operator<(const Packet& a, const Packet& b) {
    return std::tie(a.rank, a.local, a.arrival, a.arrived, a.input) <
           std::tie(b.rank, b.local, b.arrival, b.arrived, b.input);
  }
};

enum class Pattern {
  kAny,     // every input pushes when it likes, any rank
  kEqual,   // one rank for all
  kTwo,     // the first rank and the last
  kBursts,  // all inputs push in one cycle, then none for a while
  kTurns,   // one input fills its places, then another, at one rank
  kWaits    // packets of the last rank wait for thousands of cycles while those of the first pass
};

struct Settings {
  int parameter_set = 0;
  Pattern pattern = Pattern::kAny;
  int push_percent = 50;
  int pop_percent = 50;
};

struct Seen {
  int popped = 0, moved = 0, full_cycles = 0, most_pushes = 0, longest_wait = 0;
};

void quiet(Bench& bench) {
  bench->push_i = 0;
  bench->pop_i = 0;
  bench->again_i = 0;
}

/// The number of the place that is an input's `slot`.
int place_of(Bench& bench, int input, int slot) {
  int bank = 2;
  while (bank < bench->depth_o) bank *= 2;
  return input * bank + slot;
}

/// All orders of the set show this head, or none.
void require_head(Bench& bench, const Packet* head) {
  for (int kind = 0; kind < kKinds; ++kind) {
    if ((bench->kinds_o >> kind & 1) == 0) continue;
    CAPTURE(kind);
    REQUIRE(get_field(bench->head_valid_o, kind, 1) == (head == nullptr ? 0U : 1U));
    if (head == nullptr) continue;
    REQUIRE(static_cast<int>(get_field(bench->head_place_o, kind, kPlaceWidth)) ==
            place_of(bench, head->input, head->slot));
    REQUIRE(static_cast<int>(get_field(bench->head_rank_o, kind, kRankWidth)) == head->rank);
  }
}

void push(Bench& bench, const Packet& packet) {
  set_field(bench->push_i, packet.input, 1, 1);
  set_field(bench->push_place_i, packet.input, kPlaceWidth,
            static_cast<std::uint64_t>(place_of(bench, packet.input, packet.slot)));
  set_field(bench->push_rank_i, packet.input, kRankWidth, static_cast<std::uint64_t>(packet.rank));
}

class OrderRun {
 public:
  explicit OrderRun(const Settings& settings)
      : settings_(settings),
        random_(static_cast<unsigned>(settings.parameter_set * 100'000 + settings.push_percent * 1000 +
                                      settings.pop_percent * 10) +
                static_cast<unsigned>(settings.pattern)) {
    quiet(bench_);
    bench_->case_i = static_cast<CData>(settings.parameter_set);
    bench_.reset();
    bench_.settle();
    inputs_ = bench_->inputs_o;
    for (int input = 0; input < inputs_; ++input) {
      free_[static_cast<std::size_t>(input)].resize(static_cast<std::size_t>(depth_of(input)));
      for (int slot = 0; slot < depth_of(input); ++slot)
        free_slots(input)[static_cast<std::size_t>(slot)] = slot;
    }
  }

  Seen run() {
    const int cycles = settings_.pattern == Pattern::kWaits ? 9000 : 3000;
    for (int cycle = 1; cycle <= cycles + 200; ++cycle) {
      CAPTURE(cycle);
      quiet(bench_);
      bench_.settle();
      require_head(bench_, waiting_.empty() ? nullptr : &*waiting_.begin());
      const std::vector<Packet> pushed = pushes(cycle, cycle > cycles);
      pop_or_move(cycle, cycle > cycles);
      waiting_.insert(pushed.begin(), pushed.end());
      seen_.most_pushes = std::max(seen_.most_pushes, static_cast<int>(pushed.size()));
      seen_.full_cycles += std::ranges::all_of(free_, [](const auto& slots) { return slots.empty(); });
      bench_.tick();
    }
    REQUIRE(waiting_.empty());
    return seen_;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int percent) { return below(100) < percent; }
  int depth_of(int input) { return input == inputs_ - 1 ? bench_->host_depth_o : bench_->depth_o; }
  std::vector<int>& free_slots(int input) { return free_[static_cast<std::size_t>(input)]; }
  int last_rank() { return bench_->ranks_o - 1; }

  // In each 3000 cycles packets of the last rank come first and wait until the last 200.
  static int phase(int cycle) { return cycle % 3000; }
  static bool last_rank_comes(int cycle) { return phase(cycle) < 40; }
  static bool last_rank_leaves(int cycle) { return phase(cycle) >= 2800; }

  int any_rank(int cycle) {
    switch (settings_.pattern) {
      case Pattern::kAny:
      case Pattern::kBursts:
        return below(bench_->ranks_o);
      case Pattern::kTwo:
        return chance(50) ? 0 : last_rank();
      case Pattern::kWaits:
        return last_rank_comes(cycle) ? last_rank() : 0;
      case Pattern::kEqual:
      case Pattern::kTurns:
        break;
    }
    return last_rank();
  }

  bool comes(int input, int cycle) {
    const std::size_t room = free_slots(input).size();
    if (room == 0) return false;
    switch (settings_.pattern) {
      case Pattern::kBursts:
        return cycle % 7 == 0;
      case Pattern::kTurns:
        return input == turn_;
      case Pattern::kWaits:
        // A place of each input is left for those that pass.
        return (!last_rank_comes(cycle) || room > 1) && chance(settings_.push_percent);
      case Pattern::kAny:
      case Pattern::kEqual:
      case Pattern::kTwo:
        break;
    }
    return chance(settings_.push_percent);
  }

  std::vector<Packet> pushes(int cycle, bool drain) {
    std::vector<Packet> pushed;
    if (drain) return pushed;
    if (free_slots(turn_).empty() || chance(10)) turn_ = below(inputs_);
    for (int input = 0; input < inputs_; ++input) {
      if (!comes(input, cycle)) continue;
      Packet packet{any_rank(cycle), input == inputs_ - 1, cycle, true, input, 0};
      auto& slots = free_slots(input);
      std::swap(slots.back(), slots[static_cast<std::size_t>(below(static_cast<int>(slots.size())))]);
      packet.slot = slots.back();
      slots.pop_back();
      push(bench_, packet);
      pushed.push_back(packet);
    }
    return pushed;
  }

  void pop_or_move(int cycle, bool drain) {
    if (waiting_.empty()) return;
    Packet head = *waiting_.begin();
    if (!drain) {
      const bool stays = settings_.pattern == Pattern::kWaits && head.rank == last_rank() &&
                         last_rank() > 0 && !last_rank_leaves(cycle);
      if (stays || !chance(settings_.pop_percent)) return;
    }
    waiting_.erase(waiting_.begin());
    if (bench_->has_again_o != 0 && !drain && chance(40)) {
      const int rank = any_rank(cycle);
      bench_->again_i = 1;
      bench_->again_rank_i = static_cast<SData>(rank);
      waiting_.insert(Packet{rank, false, cycle, false, head.input, head.slot});
      ++seen_.moved;
      return;
    }
    bench_->pop_i = 1;
    free_slots(head.input).push_back(head.slot);
    seen_.longest_wait = std::max(seen_.longest_wait, cycle - head.arrival);
    ++seen_.popped;
  }

  Settings settings_;
  std::mt19937 random_;
  Bench bench_;
  int inputs_ = 0, turn_ = 0;
  Seen seen_;
  std::multiset<Packet> waiting_;
  std::array<std::vector<int>, kMaxInputs> free_;  // slots of each input without a packet
};

TEST_CASE("packets leave in the documented order, however the order is kept", "[rtl][packet_order][random]") {
  Settings settings;
  settings.parameter_set = GENERATE(range(0, kParameterSets));
  settings.pattern =
      GENERATE(Pattern::kAny, Pattern::kEqual, Pattern::kTwo, Pattern::kBursts, Pattern::kTurns);
  settings.push_percent = GENERATE(15, 100);
  settings.pop_percent = GENERATE(30, 100);
  CAPTURE(settings.parameter_set, static_cast<int>(settings.pattern), settings.push_percent,
          settings.pop_percent);
  const Seen seen = OrderRun(settings).run();
  REQUIRE(seen.popped > 100);
  const bool often = settings.push_percent == 100 && settings.pattern != Pattern::kTurns;
  if (often || settings.pattern == Pattern::kBursts) REQUIRE(seen.most_pushes > 1);
  if (often && settings.pop_percent == 30 && settings.pattern != Pattern::kBursts) {
    REQUIRE(seen.full_cycles > 0);
  }
  if (settings.parameter_set >= 10) REQUIRE(seen.moved > 100);
}

TEST_CASE("packets of a high rank wait for thousands of cycles while others pass",
          "[rtl][packet_order][random]") {
  Settings settings;
  settings.parameter_set = GENERATE(range(0, kParameterSets));
  settings.pattern = Pattern::kWaits;
  settings.push_percent = GENERATE(15, 60);
  settings.pop_percent = 100;
  CAPTURE(settings.parameter_set, settings.push_percent);
  const Seen seen = OrderRun(settings).run();
  REQUIRE(seen.popped > 1000);
  // Sets with one place for each input have none to spare for a packet that waits, and those with one rank
  // nobody who overtakes.
  Bench bench;
  bench->case_i = static_cast<CData>(settings.parameter_set);
  bench.settle();
  const bool has_room = bench->depth_o > 1 || bench->host_depth_o > 1;
  if (bench->ranks_o > 1 && has_room && bench->has_again_o == 0) REQUIRE(seen.longest_wait > 2500);
}

TEST_CASE("all inputs push in one cycle at one rank: lowest input first, the host last",
          "[rtl][packet_order]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;  // five inputs of depth 3
  bench.reset();
  bench.settle();
  std::array<int, kMaxInputs> pushed{};
  const auto push_to = [&](const std::vector<int>& inputs, int rank) {
    for (const int input : inputs) {
      push(bench, {rank, input == 4, 0, true, input, pushed[static_cast<std::size_t>(input)]++});
    }
    bench.tick();
    quiet(bench);
  };
  push_to({4}, 2);        // the host's packet is there first and still leaves last
  push_to({3}, 2);        // input 3 is earlier than inputs 0 to 2
  push_to({0, 1, 2}, 2);  // in one cycle
  push_to({2}, 1);        // a smaller rank overtakes all
  push_to({0, 1, 2, 3, 4}, 3);
  const std::vector<Packet> expected{
      {1, false, 0, true, 2, 1}, {2, false, 0, true, 3, 0}, {2, false, 0, true, 0, 0},
      {2, false, 0, true, 1, 0}, {2, false, 0, true, 2, 0}, {2, true, 0, true, 4, 0},
      {3, false, 0, true, 0, 1}, {3, false, 0, true, 1, 1}, {3, false, 0, true, 2, 2},
      {3, false, 0, true, 3, 1}, {3, true, 0, true, 4, 1}};
  for (const Packet& head : expected) {
    bench.settle();
    require_head(bench, &head);
    bench->pop_i = 1;
    bench.tick();
    quiet(bench);
  }
  bench.settle();
  require_head(bench, nullptr);
}

TEST_CASE("popping or moving nothing, both at once and ranks out of range are errors",
          "[rtl][packet_order][assertion]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  CAPTURE(parameter_set);
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  SECTION("pop") {
    bench->pop_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("move") {
    bench->again_i = 1;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("both") {
    push(bench, {0, false, 0, true, 0, 0});
    bench.tick();
    quiet(bench);
    bench->pop_i = bench->again_i = 1;
    bench->again_rank_i = 0;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("rank") {
    if (bench->ranks_o != 200) return;  // in a field of 8 bits
    push(bench, {199, false, 0, true, 0, 0});
    REQUIRE_NOTHROW(bench.tick());
    push(bench, {200, false, 0, true, 0, 1});
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
