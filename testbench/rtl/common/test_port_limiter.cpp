// The port models: who may send in a cycle, what counts as a violation, and the grant protocol under
// contention.
#include <array>
#include <deque>
#include <random>
#include <vector>

#include "Vrtl_limiter_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_limiter_bench>;
constexpr int kRadix = 3;

void quiet(Bench& bench) {
  bench->slot_open_i = 0;
  bench->want_i = 0;
  bench->sending_i = 0;
  bench->receiving_i = 0;
  bench->group_slot_open_i = 0;
  bench->sender_want_i = 0;
  bench->sender_sending_i = 0;
  bench->receiver_receiving_i = 0;
  bench->receiver_received_i = 0;
}

TEST_CASE("without grants each model lets through what it says", "[rtl][port_limiter]") {
  Bench bench;
  quiet(bench);
  bench.reset();
  for (unsigned want = 0; want < 8; ++want) {
    for (unsigned receiving = 0; receiving < 8; ++receiving) {
      for (const bool open : {false, true}) {
        for (const bool sending : {false, true}) {
          CAPTURE(want, receiving, open, sending);
          bench->want_i = static_cast<CData>(want);
          bench->receiving_i = static_cast<CData>(receiving);
          bench->slot_open_i = open;
          bench->sending_i = sending;
          bench.settle();
          const unsigned lowest = (want & 1) != 0 ? 1U : (want & 2) != 0 ? 2U : want & 4;
          const bool two_arrive = receiving == 3 || receiving >= 5;
          for (int model = 0; model < 6; ++model) {  // built for grants from 3 on
            const unsigned expected = !open ? 0 : model % 3 == 0 ? want : sending ? 0 : lowest;
            REQUIRE(get_field(bench->accept_o, model, kRadix) == expected);
            REQUIRE(get_field(bench->start_o, model, kRadix) == expected);
          }
          REQUIRE(bench->violation_o == (two_arrive ? 0b010'010 : 0));  // only one-port minds
          REQUIRE_NOTHROW(bench.tick());  // a violation is counted, not an error
        }
      }
    }
  }
}

/// One group with the packets that its senders send: flits on their way and arrivals at the receiver.
class Group {
 public:
  Group(Bench& bench, int group) : bench_(bench), group_(group) {
    bench_.settle();
    grant_cycles_ = static_cast<int>(get_field(bench_->grant_cycles_o, group_, 8));
    slot_cycles_ = static_cast<int>(get_field(bench_->slot_cycles_o, group_, 8));
    latency_ = (grant_cycles_ - 2) / 2;
  }
  [[nodiscard]] int grant_cycles() const { return grant_cycles_; }
  [[nodiscard]] int slot_cycles() const { return slot_cycles_; }
  [[nodiscard]] int latency() const { return latency_; }
  [[nodiscard]] int cycle() const { return cycle_; }

  struct Cycle {
    unsigned accept = 0, start = 0, request = 0, grant = 0, waiting = 0;
  };

  /// One cycle in which the senders of `want` have a packet of `length` flits.
  Cycle clock(unsigned want, int length) {
    ++cycle_;
    set_field(bench_->group_slot_open_i, group_, 1, slot_cycles_ == 1 || cycle_ % slot_cycles_ == 1);
    set_field(bench_->sender_want_i, group_, kRadix, want);
    unsigned sending = 0;
    for (unsigned s = 0; s < kRadix; ++s) sending |= left_[s] > 0 ? 1U << s : 0U;
    set_field(bench_->sender_sending_i, group_, kRadix, sending);
    set_field(bench_->receiver_receiving_i, group_, kRadix, 0);
    set_field(bench_->receiver_received_i, group_, kRadix, 0);
    bench_.settle();
    Cycle now;
    now.accept = field(bench_->sender_accept_o);
    now.start = field(bench_->sender_start_o);
    now.request = field(bench_->request_o);
    now.grant = field(bench_->grant_o);
    now.waiting = field(bench_->sender_waiting_o);
    unsigned flits = sending | now.start, last = 0;
    for (unsigned s = 0; s < kRadix; ++s) {
      if ((now.start >> s & 1) != 0) left_[s] = length;
      if ((flits >> s & 1) != 0 && --left_[s] == 0) last |= 1U << s;
    }
    on_links_.push_back({flits, last});
    unsigned arriving = 0, complete = 0;
    if (static_cast<int>(on_links_.size()) > latency_) {
      arriving = on_links_.front().flits;
      complete = on_links_.front().last;
      on_links_.pop_front();
    }
    REQUIRE((arriving & (arriving - 1)) == 0);  // never two at once
    set_field(bench_->receiver_receiving_i, group_, kRadix, arriving);
    set_field(bench_->receiver_received_i, group_, kRadix, complete);
    bench_.settle();
    REQUIRE(get_field(bench_->receiver_violation_o, group_, 1) == 0);
    bench_.tick();
    return now;
  }
  [[nodiscard]] bool idle() {
    bench_.settle();
    return get_field(bench_->receiver_idle_o, group_, 1) == 1 && field(bench_->sender_idle_o) == 7;
  }

 private:
  struct Flits {
    unsigned flits = 0, last = 0;
  };
  template <class Port>
  unsigned field(const Port& port) const {
    return static_cast<unsigned>(get_field(port, group_, kRadix));
  }
  Bench& bench_;
  int group_, cycle_ = 0, grant_cycles_ = 0, slot_cycles_ = 0, latency_ = 0;
  std::array<int, kRadix> left_{};
  std::deque<Flits> on_links_;
};

TEST_CASE("a packet starts GrantCycles after it asks", "[rtl][port_limiter][grant]") {
  const int group_number = GENERATE(range(0, 4));
  const unsigned sender = GENERATE(0U, 1U, 2U);
  const int length = GENERATE(1, 3);
  CAPTURE(group_number, sender, length);
  Bench bench;
  quiet(bench);
  bench.reset();
  Group group(bench, group_number);
  REQUIRE(group.grant_cycles() == 2 * group.latency() + 2);
  const unsigned bit = 1U << sender;
  const auto first = group.clock(bit, length);  // cycle 1 opens a slot
  REQUIRE(first.accept == bit);
  REQUIRE(first.request == bit);
  REQUIRE(first.start == 0);
  for (int k = 1; k < group.grant_cycles(); ++k) {
    const auto now = group.clock(0, length);
    CAPTURE(k);
    REQUIRE(now.accept == 0);
    REQUIRE(now.start == 0);
    REQUIRE(now.waiting == bit);
    REQUIRE(now.grant == (k == group.latency() + 1 ? bit : 0));  // asked, one link, one register
  }
  REQUIRE(group.clock(0, length).start == bit);
  for (int k = 0; k < length + group.latency() + 1; ++k) REQUIRE(group.clock(0, length).start == 0);
  REQUIRE(group.idle());
}

TEST_CASE("three senders are served in rotation, one packet at a time", "[rtl][port_limiter][grant]") {
  const int group_number = GENERATE(range(0, 4));
  const int length = GENERATE(1, 2, 3);
  CAPTURE(group_number, length);
  Bench bench;
  quiet(bench);
  bench.reset();
  Group group(bench, group_number);
  std::vector<unsigned> order;
  std::vector<int> starts;
  while (order.size() < 12 && group.cycle() < 400) {
    const auto now = group.clock(7, length);
    if (group.slot_cycles() >
        1) {  // all ask at the start of a slot, for as long as a grant may take to come back
      const int phase = (group.cycle() - 1) % group.slot_cycles();
      REQUIRE(now.request == (phase < group.grant_cycles() ? 7 : 0));
    }
    if (now.start == 0) continue;
    REQUIRE((now.start & (now.start - 1)) == 0);
    order.push_back(now.start);
    starts.push_back(group.cycle());
  }
  REQUIRE(order.size() == 12);
  for (std::size_t k = 0; k < order.size(); ++k) REQUIRE(order[k] == 1U << (k % 3));
  REQUIRE(starts[0] == 1 + group.grant_cycles());
  for (std::size_t k = 1; k < starts.size(); ++k) {
    // Free: the last flit arrives at start + length - 1 + latency, the receiver is free in the next cycle and
    // chooses; a register, the link and a register later the next packet starts. Lockstep: one packet in a
    // slot.
    const int period =
        group.slot_cycles() == 1 ? length + group.latency() + 2 + group.latency() : group.slot_cycles();
    REQUIRE(starts[k] - starts[k - 1] == period);
  }
}

TEST_CASE("random demands: nobody waits for more than the others' turns",
          "[rtl][port_limiter][grant][random]") {
  const int group_number = GENERATE(range(0, 4));
  const int percent = GENERATE(5, 30, 90);
  const auto seed = GENERATE(1U, 2U);
  CAPTURE(group_number, percent, seed);
  std::mt19937 random(seed);
  Bench bench;
  quiet(bench);
  bench.reset();
  Group group(bench, group_number);
  std::array<int, kRadix> packets{}, overtaken{}, sent{};
  unsigned committed = 0;
  for (int k = 0; k < 4000; ++k) {
    const bool drain = k >= 3500;
    unsigned want = 0;
    for (unsigned s = 0; s < kRadix; ++s) {
      if (!drain && packets[s] < 3 && static_cast<int>(random() % 100) < percent) ++packets[s];
      if (packets[s] > 0) want |= 1U << s;
    }
    const auto now = group.clock(want, 1 + static_cast<int>(random() % 3));
    REQUIRE((now.accept & committed) == 0);
    REQUIRE((now.accept & ~want) == 0);
    REQUIRE((now.start & ~committed) == 0);
    for (unsigned s = 0; s < kRadix; ++s) {
      if ((now.accept >> s & 1) != 0) {
        --packets[s];
        overtaken[s] = 0;
      }
      if ((now.start >> s & 1) != 0) ++sent[s];
      // its own grant may be on its way while earlier ones still start
      if ((committed >> s & 1) != 0 && now.start != 0 && (now.start >> s & 1) == 0) {
        REQUIRE(++overtaken[s] <= kRadix);
      }
    }
    committed = (committed | now.accept) & ~now.start;
  }
  REQUIRE(committed == 0);
  for (unsigned s = 0; s < kRadix; ++s) {
    REQUIRE(packets[s] == 0);
    REQUIRE(sent[s] > 20);
  }
  REQUIRE(group.idle());
}

TEST_CASE("with grants a packet that nobody asked for is an error", "[rtl][port_limiter][assertion]") {
  Bench bench;
  quiet(bench);
  bench.reset();
  set_field(bench->receiver_receiving_i, 0, kRadix, 2);
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

TEST_CASE("two packets that leave a one-port node at once are an error", "[rtl][port_limiter][assertion]") {
  Bench bench;
  quiet(bench);
  bench.reset();
  Group group(bench, 0);
  group.clock(1, 1);
  group.clock(0, 1);
  bench->sender_want_i = 0;
  bench->sender_sending_i =
      1;  // a packet that the limiter never let go is leaving when the granted one starts
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

}  // namespace
}  // namespace safnet::testbench
