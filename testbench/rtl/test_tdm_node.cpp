// Three tdm_nodes in a row: the exact cycle tables of rtl/tdm/README.md, what every send waits for,
// multicast, combining of parts that meet at any offset, port models, the counters, and what happens when
// something goes wrong.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "Vrtl_tdm_bench.h"
#include "rtl_constants.hpp"
#include "sim/tdm/tdm_feeder.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_tdm_bench>;
constexpr int kNodes = 3, kRadix = 3, kLanes = kRadix + 1, kHost = kRadix;
constexpr int kNext = 0, kPrevious = 1, kOutside = 2;  // ports
constexpr int kBufferWidth = 2, kGenerationWidth = 4, kCountWidth = 3, kNameWidth = 8, kWindow = 2;
constexpr int kReceiveWidth = kBufferWidth + kGenerationWidth + 2 * kCountWidth + 3 + kNameWidth;
constexpr int kSendWidth = kBufferWidth + kGenerationWidth + 1 + 32;

// Parameter sets of rtl_tdm_bench.sv.
constexpr int kFree1 = 0;        // Flits 1, latency 0
constexpr int kFree4 = 1;        // Flits 4, latency 1
constexpr int kOnePort = 2;      // Flits 1, latency 0, without combine units
constexpr int kLockstep4 = 3;    // Flits 4, latency 1, slots of 5 cycles, without combine units
constexpr int kOnePortSend = 4;  // Flits 3, latency 0

// The ports of one node of the row, for its feeder.
struct Ports {
  Vrtl_tdm_bench& dut;
  int node;
  [[nodiscard]] int lane(std::uint32_t l) const { return node * kLanes + static_cast<int>(l); }
  [[nodiscard]] int port(std::uint32_t p) const { return node * kRadix + static_cast<int>(p); }
  [[nodiscard]] bool receive_ready(std::uint32_t l) const {
    return get_field(dut.receive_ready_o, lane(l), 1) != 0;
  }
  [[nodiscard]] bool send_ready(std::uint32_t p) const {
    return get_field(dut.send_ready_o, port(p), 1) != 0;
  }
  [[nodiscard]] bool own_ready(std::uint32_t l) const { return get_field(dut.own_ready_o, lane(l), 1) != 0; }
  void receive(std::uint32_t l, const TdmReceive* what, bool more) const {
    set_field(dut.receive_more_i, lane(l), 1, more);
    set_field(dut.receive_valid_i, lane(l), 1, what != nullptr);
    if (what == nullptr) return;
    std::uint64_t bits = what->name;
    bits = bits << 3 | what->actions;
    bits = bits << kCountWidth | what->uses;
    bits = bits << kCountWidth | what->parts;
    bits = bits << kGenerationWidth | what->generation;
    bits = bits << kBufferWidth | what->buffer;
    set_field(dut.receive_i, lane(l), kReceiveWidth, bits);
  }
  void send(std::uint32_t p, const TdmSend* what, bool more) const {
    set_field(dut.send_more_i, port(p), 1, more);
    set_field(dut.send_valid_i, port(p), 1, what != nullptr);
    if (what == nullptr) return;
    std::uint64_t bits = what->slot;
    bits = bits << 1 | (what->own ? 1 : 0);
    bits = bits << kGenerationWidth | (what->generation & 15);
    bits = bits << kBufferWidth | what->buffer;
    set_field(dut.send_i, port(p), kSendWidth, bits);
  }
  void own(std::uint32_t l, const std::uint32_t* words) const {
    set_field(dut.own_valid_i, lane(l), 1, words != nullptr);
    if (words != nullptr) set_field(dut.own_flit_i, lane(l), 64, words[0] | std::uint64_t{words[1]} << 32);
  }
};

TdmSend own_send(std::uint32_t slot, std::uint32_t name, int flits = 1) {
  TdmSend send;
  send.slot = slot;
  send.name = name;
  send.flits = static_cast<std::uint8_t>(flits);
  send.own = true;
  return send;
}
TdmSend send_buffer(std::uint32_t slot, int buffer, std::uint32_t generation) {
  TdmSend send;
  send.slot = slot;
  send.buffer = static_cast<std::uint16_t>(buffer);
  send.generation = generation;
  return send;
}
TdmReceive receive(std::uint32_t name, int actions, int buffer = 0, std::uint32_t generation = 0,
                   int uses = 1, int parts = 1) {
  TdmReceive result;
  result.name = name;
  result.actions = static_cast<std::uint8_t>(actions);
  result.buffer = static_cast<std::uint16_t>(buffer);
  result.generation = generation;
  result.uses = static_cast<std::uint8_t>(uses);
  result.parts = static_cast<std::uint8_t>(parts);
  return result;
}

std::uint64_t flit_of(std::uint32_t name, int flits, int index) {
  std::uint32_t words[2];
  tdm_flit(name, static_cast<std::uint32_t>(flits), static_cast<std::uint32_t>(index), 0, kNameWidth, words);
  return words[0] | std::uint64_t{words[1]} << 32;
}

// A packet that starts to leave, or that a host has got. A delivery's cycle is that of its last flit's
// arrival.
struct Seen {
  int cycle, node, port;
  std::uint32_t name;
  std::vector<std::uint64_t> flits;
};
/// A packet that the test sends to a port that leads out of the bench.
struct Outside {
  int cycle, node, port;
  std::uint32_t name;
  int flits;
};

class Row {
 public:
  explicit Row(int parameter_set) {
    Vrtl_tdm_bench& d = bench_.dut();
    d.case_i = static_cast<CData>(parameter_set);
    d.start_i = 0;
    d.operation_i = 0;
    d.rx_valid_i = d.rx_credit_i = 0;
    d.fault_drop_i = d.fault_corrupt_i = 0;
    d.receive_valid_i = d.receive_more_i = 0;
    d.send_valid_i = d.send_more_i = 0;
    d.own_valid_i = 0;
    bench_.reset();
    bench_.settle();
    flits = d.flits_o;
    latency = d.latency_o;
    slot_cycles = d.slot_cycles_o;
    for (TdmNodeProgram& program : programs) {
      program.sends.resize(kRadix);
      program.receives.resize(kRadix);
    }
  }
  int flits = 0, latency = 0, slot_cycles = 0;
  std::array<TdmNodeProgram, kNodes> programs;
  TimetableProgram host;  ///< what all hosts have in common
  std::vector<Outside> from_outside;
  /// Credits that a port that leads outside gets in addition, at the end of a cycle: (cycle, node, port).
  std::set<std::tuple<int, int, int>> outside_credits;
  bool outside_grants = true;  ///< a window's worth from the start, and one for each packet

  std::vector<Seen> sent, delivered;
  std::set<std::tuple<int, int, int>> credits;  ///< (cycle, node, port) of tx_credit_o
  std::vector<std::tuple<int, int, int>> late, waits_for_packet, waits_for_credit;  ///< (cycle, node, port)
  std::vector<std::tuple<int, int, int>> waits_for_buffer;                          ///< (cycle, node, lane)

  Vrtl_tdm_bench& dut() { return bench_.dut(); }
  Bench& bench() { return bench_; }
  std::vector<TdmSend>& sends(int node, int port) { return at(node).sends[static_cast<std::size_t>(port)]; }
  std::vector<TdmReceive>& receives(int node, int port) {
    return at(node).receives[static_cast<std::size_t>(port)];
  }
  std::vector<TdmLoad>& loads(int node) { return at(node).loads; }
  [[nodiscard]] int cycle() { return static_cast<int>(dut().cycle_o); }

  /// Programs fill, credits cross the links; then cycle 1 begins.
  void start() {
    for (int n = 0; n < kNodes; ++n)
      feeders_[static_cast<std::size_t>(n)].load(
          {{std::shared_ptr<void>(), &at(n)}, host.operation, host.feed_interval}, kRadix);
    if (outside_grants) {
      for (int n = 0; n < kNodes; ++n) {
        for (int p = 0; p < kRadix; ++p) {
          if (leads_outside(n, p)) owed_[static_cast<std::size_t>(n * kRadix + p)] = kWindow;
        }
      }
    }
    for (int k = 0; k < 12 + 2 * latency; ++k) clock();
    REQUIRE(sent.empty());  // nothing leaves before the start
    dut().start_i = 1;
    clock();
    dut().start_i = 0;
  }
  void run_to_cycle(int last) {
    while (cycle() <= last) clock();
  }
  void run_until_idle(int limit = 5000) {
    int quiet = 0;
    while (quiet < 2 * latency + 4) {
      clock();
      bool busy = dut().idle_o != 7;
      for (const auto& feeder : feeders_) busy |= feeder.has_more();
      for (const Outside& o : from_outside) busy |= o.cycle + o.flits + latency >= cycle();
      quiet = busy ? 0 : quiet + 1;
      REQUIRE(cycle() < limit);
    }
  }
  [[nodiscard]] std::vector<int> cycles_sent(int node, int port) const {
    std::vector<int> result;
    for (const Seen& s : sent) {
      if (s.node == node && s.port == port) result.push_back(s.cycle);
    }
    return result;
  }
  [[nodiscard]] std::vector<std::uint32_t> names_delivered(int node) const {
    std::vector<std::uint32_t> result;
    for (const Seen& s : delivered) {
      if (s.node == node) result.push_back(s.name);
    }
    return result;
  }
  template <class Port>
  [[nodiscard]] int counter(const Port& port, int index, int width = 32) const {
    return static_cast<int>(get_field(port, index, width));
  }
  /// Every packet seen holds the flits of its name.
  void require_intact() const {
    for (const auto* list : {&sent, &delivered}) {
      for (const Seen& s : *list) {
        for (std::size_t k = 0; k < s.flits.size(); ++k) {
          CAPTURE(s.cycle, s.node, s.port, s.name, k);
          REQUIRE(s.flits[k] == flit_of(s.name, static_cast<int>(s.flits.size()), static_cast<int>(k)));
        }
      }
    }
  }

  void clock() {
    Vrtl_tdm_bench& d = dut();
    const int now = cycle();
    const NetworkTime time{d.cycle_o, d.step_o};
    for (int n = 0; n < kNodes; ++n) {
      Ports ports{d, n};
      feeders_[static_cast<std::size_t>(n)].offer(ports, time, kNameWidth);
    }
    d.rx_valid_i = 0;
    for (const Outside& o : from_outside) {
      const int index = now - o.cycle;
      if (now == 0 || index < 0 || index >= o.flits) continue;
      set_field(d.rx_valid_i, o.node * kRadix + o.port, 1, 1);
      set_field(d.rx_flit_i, o.node * kRadix + o.port, 64, flit_of(o.name, o.flits, index));
    }
    d.rx_credit_i = 0;
    for (int n = 0; n < kNodes; ++n) {
      for (int p = 0; p < kRadix; ++p) {
        int& owed = owed_[static_cast<std::size_t>(n * kRadix + p)];
        if (owed == 0 && outside_credits.count({now, n, p}) == 0) continue;
        set_field(d.rx_credit_i, n * kRadix + p, 1, 1);
        owed -= owed > 0;
      }
    }
    bench_.settle();
    for (int n = 0; n < kNodes; ++n) record(now, n);
    bench_.tick();
  }

 private:
  TdmNodeProgram& at(int node) { return programs[static_cast<std::size_t>(node)]; }
  static bool leads_outside(int node, int port) {
    return port == kOutside || (port == kNext && node == kNodes - 1) || (port == kPrevious && node == 0);
  }
  void record(int now, int n) {
    Vrtl_tdm_bench& d = dut();
    for (int p = 0; p < kRadix; ++p) {
      const int index = n * kRadix + p;
      const auto wire = static_cast<std::size_t>(index);
      if (get_field(d.tx_credit_o, index, 1) != 0) credits.insert({now, n, p});
      if (get_field(d.late_o, index, 1) != 0) late.emplace_back(now, n, p);
      if (get_field(d.wait_packet_o, index, 1) != 0) waits_for_packet.emplace_back(now, n, p);
      if (get_field(d.wait_credit_o, index, 1) != 0) waits_for_credit.emplace_back(now, n, p);
      if (get_field(d.tx_valid_o, index, 1) == 0) {
        REQUIRE(left_[wire] == 0);  // flits are back to back
        continue;
      }
      const std::uint64_t flit = get_field(d.tx_flit_o, index, 64);
      if (left_[wire] == 0) {
        left_[wire] = length_of(flit);
        leaving_[wire] = sent.size();
        sent.push_back({now, n, p, static_cast<std::uint32_t>(flit & 0xff), {}});
        if (leads_outside(n, p) && outside_grants) ++owed_[wire];
      }
      sent[leaving_[wire]].flits.push_back(flit);
      --left_[wire];
    }
    for (int l = 0; l < kLanes; ++l) {
      const int index = n * kLanes + l;
      if (get_field(d.wait_buffer_o, index, 1) != 0) waits_for_buffer.emplace_back(now, n, l);
      if (get_field(d.deliver_valid_o, index, 1) == 0) continue;
      auto& packet = arriving_[static_cast<std::size_t>(index)];
      packet.push_back(get_field(d.deliver_flit_o, index, 64));
      if (get_field(d.deliver_last_o, index, 1) == 0) continue;
      delivered.push_back({now - 1, n, l, static_cast<std::uint32_t>(packet[0] & 0xff), packet});
      packet.clear();
    }
  }
  [[nodiscard]] int length_of(std::uint64_t header) const {
    return static_cast<int>(header >> kNameWidth & (flits == 1 ? 1 : flits < 4 ? 3 : 7));
  }
  Bench bench_;
  std::array<TdmFeeder, kNodes> feeders_;
  std::array<int, kNodes * kRadix> owed_{};
  std::array<int, kNodes * kRadix> left_{};
  std::array<std::size_t, kNodes * kRadix> leaving_{};
  std::array<std::vector<std::uint64_t>, kNodes * kLanes> arriving_;
};

using At = std::tuple<int, int, int>;
using Ats = std::vector<At>;

// Packets a, b, c from the host of node 0 to that of node 2; c comes into the buffer that a was in.
void plan_row(Row& row, std::uint32_t slot_of_c) {
  row.sends(0, kNext) = {own_send(1, 10), own_send(2, 11), own_send(slot_of_c, 12)};
  row.receives(1, kPrevious) = {receive(10, kTdmStore, 0, 0), receive(11, kTdmStore, 1, 0),
                                receive(12, kTdmStore, 0, 1)};
  row.sends(1, kNext) = {send_buffer(2, 0, 0), send_buffer(3, 1, 0), send_buffer(slot_of_c + 1, 0, 1)};
  row.receives(2, kPrevious) = {receive(10, kTdmDeliver), receive(11, kTdmDeliver), receive(12, kTdmDeliver)};
}

TEST_CASE("cycle table: three packets, two hops, one flit, latency 0", "[rtl][tdm_node][cycle_table]") {
  Row row(kFree1);
  plan_row(row, 5);
  row.start();
  REQUIRE(row.cycle() == 1);
  // cycle   node 0    node 1                              node 2
  //   1     sends a   receives a into buffer 0
  //   2     sends b   sends a, receives b into buffer 1   receives a
  //   3               sends b; buffer 0 is granted to c   receives b, a is at the host
  //   4               the credit leaves                   b is at the host
  //   5     sends c   receives c into buffer 0
  //   6               sends c                             receives c
  row.run_until_idle();
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{1, 2, 5});
  REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{2, 3, 6});
  REQUIRE(row.late.empty());
  REQUIRE(row.credits.count({3, 1, kPrevious}) == 0);
  REQUIRE(row.credits.count({4, 1, kPrevious}) == 1);
  REQUIRE(row.waits_for_buffer.back() == At{2, 1, kPrevious});
  REQUIRE(row.delivered.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    REQUIRE(row.delivered[k].cycle == std::array{2, 3, 6}[k]);
    REQUIRE(row.delivered[k].name == 10 + k);
    REQUIRE(row.delivered[k].port == kPrevious);
  }
  row.require_intact();
  REQUIRE(row.counter(row.dut().delivered_o, 2) == 3);
  REQUIRE(row.counter(row.dut().last_delivery_cycle_o, 2) == 6);
  REQUIRE(row.counter(row.dut().last_delivery_step_o, 2) == 6);
  REQUIRE(row.counter(row.dut().delay_sum_o, 2, 64) == 2 + 3 + 6);
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 1, 8) == 2);
  REQUIRE(row.counter(row.dut().occupancy_o, 1, 8) == 0);
  REQUIRE(row.counter(row.dut().sent_o, 1 * kRadix + kNext) == 3);
  REQUIRE(row.counter(row.dut().received_o, 1 * kRadix + kPrevious) == 3);
  REQUIRE(row.counter(row.dut().dry_o, 0) == 0);
  REQUIRE(row.counter(row.dut().mismatches_o, 1) == 0);
}

TEST_CASE("a buffer's next packet starts 3 + latency cycles after the last send of the one before",
          "[rtl][tdm_node][cycle_table]") {
  SECTION("one flit, latency 0: planned a cycle too early, it is a cycle late") {
    Row row(kFree1);
    plan_row(row, 4);
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{1, 2, 5});
    REQUIRE(row.late == Ats{{4, 0, kNext}, {5, 1, kNext}});
    REQUIRE(row.waits_for_credit == Ats{{4, 0, kNext}});
    REQUIRE(row.waits_for_packet == Ats{{5, 1, kNext}});
    row.require_intact();
  }
  SECTION("four flits, latency 1") {
    Row row(kFree4);
    row.sends(0, kNext) = {own_send(1, 10, 4), own_send(5, 11, 4)};
    row.receives(1, kPrevious) = {receive(10, kTdmStore, 3, 0), receive(11, kTdmStore, 3, 1)};
    row.sends(1, kNext) = {send_buffer(6, 3, 0), send_buffer(15, 3, 1)};
    row.receives(2, kPrevious) = {receive(10, kTdmDeliver), receive(11, kTdmDeliver)};
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{1, 10});
    REQUIRE(row.cycles_sent(1, kNext) ==
            std::vector<int>{6, 15});  // the first is still leaving when its buffer fills
    REQUIRE(row.delivered.back().cycle == 19);
    row.require_intact();
  }
}

TEST_CASE("nothing is sent before its slot", "[rtl][tdm_node]") {
  SECTION("free running") {
    Row row(kFree1);
    row.sends(0, kOutside) = {own_send(4, 1), own_send(5, 2), own_send(9, 3)};
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{4, 5, 9});
    REQUIRE(row.late.empty());
  }
  SECTION("lockstep: in the first cycle of a slot, or of a later one") {
    Row row(kLockstep4);
    row.sends(1, kOutside) = {own_send(2, 1, 4), own_send(3, 2, 1), own_send(3, 3, 2), own_send(6, 4, 3)};
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(1, kOutside) == std::vector<int>{6, 11, 16, 26});
    REQUIRE(row.late == Ats{});  // the third became due within slot 3, and started in the next
    row.require_intact();
  }
}

TEST_CASE("nothing is sent before it is complete", "[rtl][tdm_node]") {
  Row row(kFree4);
  row.sends(0, kNext) = {own_send(1, 10, 4)};
  row.receives(1, kPrevious) = {receive(10, kTdmStore | kTdmDeliver, 0, 0)};
  row.sends(1, kNext) = {send_buffer(3, 0, 0)};  // the packet is there after cycle 5
  row.receives(2, kPrevious) = {receive(10, kTdmDeliver)};
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{6});
  REQUIRE(row.late == Ats{{3, 1, kNext}, {4, 1, kNext}, {5, 1, kNext}});
  REQUIRE(row.waits_for_packet == row.late);
  REQUIRE(row.waits_for_credit.empty());
  REQUIRE(row.names_delivered(1) == std::vector<std::uint32_t>{10});
  REQUIRE(row.delivered.front().cycle == 5);
  row.require_intact();
}

TEST_CASE("nothing is sent without a credit", "[rtl][tdm_node]") {
  Row row(kFree1);
  row.outside_grants = false;
  row.outside_credits = {{5, 0, kOutside}, {6, 0, kOutside}};
  row.sends(0, kOutside) = {own_send(2, 1), own_send(3, 2), own_send(4, 3)};
  row.start();
  row.run_to_cycle(12);
  REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{6, 7});
  REQUIRE(std::count(row.waits_for_credit.begin(), row.waits_for_credit.end(), At{5, 0, kOutside}) == 1);
  REQUIRE(row.waits_for_credit.back() == At{12, 0, kOutside});
  REQUIRE(row.waits_for_packet.empty());
  REQUIRE(get_field(row.dut().idle_o, 0, 1) == 0);  // the third still waits
}

TEST_CASE("a node grants a window of packets ahead, and no more", "[rtl][tdm_node]") {
  Row row(kFree1);
  for (std::uint32_t k = 0; k < 6; ++k) row.receives(0, kOutside).push_back(receive(k, kTdmDeliver));
  for (int k = 0; k < 6; ++k)
    row.from_outside.push_back({10 + 4 * k, 0, kOutside, static_cast<std::uint32_t>(k), 1});
  row.start();
  REQUIRE(row.credits.size() == 1);  // two, but both in a cycle of number 0
  row.run_until_idle();
  // One packet makes room for one more.
  const std::set<At> expected{
      {0, 0, kOutside}, {12, 0, kOutside}, {16, 0, kOutside}, {20, 0, kOutside}, {24, 0, kOutside}};
  REQUIRE(row.credits == expected);
  REQUIRE(row.names_delivered(0) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("the host's packets fill a link without a gap", "[rtl][tdm_node]") {
  const int parameter_set = GENERATE(kFree1, kFree4);
  Row row(parameter_set);
  std::vector<int> cycles;
  std::uint32_t slot = 1;
  for (std::uint32_t k = 0; k < 10; ++k) {
    const int length = row.flits == 1 ? 1 : 4;
    row.sends(1, kOutside).push_back(own_send(slot, k, length));
    cycles.push_back(static_cast<int>(slot));
    slot += static_cast<std::uint32_t>(length);
  }
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(1, kOutside) == cycles);
  REQUIRE(row.late.empty());
  row.require_intact();
}

TEST_CASE("multicast from one buffer, which is free only after the last send", "[rtl][tdm_node]") {
  Row row(kFree1);
  row.sends(0, kNext) = {own_send(1, 10), own_send(2, 11)};
  row.receives(1, kPrevious) = {receive(10, kTdmStore | kTdmDeliver, 2, 0, 4),
                                receive(11, kTdmStore, 2, 1, 1)};
  row.sends(1, kNext) = {send_buffer(2, 2, 0), send_buffer(8, 2, 0)};
  row.sends(1, kPrevious) = {send_buffer(2, 2, 0)};  // two at once
  row.sends(1, kOutside) = {send_buffer(5, 2, 0), send_buffer(6, 2, 1)};
  row.receives(2, kPrevious) = {receive(10, kTdmDeliver), receive(10, kTdmDeliver)};
  row.receives(0, kNext) = {receive(10, kTdmDeliver)};
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{2, 8});
  REQUIRE(row.cycles_sent(1, kPrevious) == std::vector<int>{2});
  REQUIRE(row.cycles_sent(0, kNext) ==
          std::vector<int>{1, 11});  // 3 cycles after the last send from the buffer
  REQUIRE(row.cycles_sent(1, kOutside) == std::vector<int>{5, 12});
  REQUIRE(row.waits_for_buffer.back() == At{8, 1, kPrevious});
  REQUIRE(row.names_delivered(0) == std::vector<std::uint32_t>{10});
  REQUIRE(row.names_delivered(1) == std::vector<std::uint32_t>{10});
  REQUIRE(row.names_delivered(2) == std::vector<std::uint32_t>{10, 10});
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 1, 8) == 1);
  row.require_intact();
}

TEST_CASE("buffers go from generation to generation past the end of their count", "[rtl][tdm_node]") {
  Row row(kFree1);
  constexpr std::uint32_t kPackets = 40;  // 20 in each of two buffers; generations have four bits
  for (std::uint32_t k = 0; k < kPackets; ++k) {
    row.sends(0, kNext).push_back(own_send(1, k));  // all at once: as fast as it goes
    row.receives(1, kPrevious).push_back(receive(k, kTdmStore, static_cast<int>(k % 2), k / 2 % 16));
    row.sends(1, kNext).push_back(send_buffer(1, static_cast<int>(k % 2), k / 2 % 16));
    row.receives(2, kPrevious).push_back(receive(k, kTdmDeliver));
  }
  row.start();
  row.run_until_idle();
  REQUIRE(row.delivered.size() == kPackets);
  for (std::uint32_t k = 0; k < kPackets; ++k) REQUIRE(row.delivered[k].name == k);
  REQUIRE(row.cycles_sent(0, kNext).back() == 78);  // each buffer once in 4 cycles
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 1, 8) == 2);
  row.require_intact();
}

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

TEST_CASE("parts are combined, however far apart they come", "[rtl][tdm_node][combine]") {
  const int parameter_set = GENERATE(kFree1, kFree4, kOnePortSend);
  const int operation = GENERATE(range(0, 5));
  std::mt19937 random(static_cast<unsigned>(parameter_set * 10 + operation));
  int together = 0, host_last = 0;
  for (int round = 0; round < 25; ++round) {
    CAPTURE(parameter_set, operation, round);
    Row row(parameter_set);
    row.dut().operation_i = static_cast<CData>(operation);
    // Parts 1 and 2 from outside, 3 from node 1, 4 from the host of node 0 itself; the result is packet 9.
    const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(row.flits));
    const int spread = 1 + static_cast<int>(random() % 8);
    std::array<int, 4> begins{};  // when the parts' first flits reach the node
    for (int& b : begins) b = 8 + static_cast<int>(random() % static_cast<unsigned>(spread));
    if (round == 0) begins = {9, 10, 8, 11};
    if (round == 1) begins = {9, 9, 9, 9};
    const TdmReceive part = receive(9, kTdmCombine | kTdmDeliver, 1, 0, 2, 4);
    row.receives(0, kPrevious) = {part};
    row.receives(0, kOutside) = {part};
    row.receives(0, kNext) = {part};
    row.from_outside = {{begins[0] - row.latency, 0, kPrevious, 1, length},
                        {begins[1] - row.latency, 0, kOutside, 2, length}};
    row.sends(1, kPrevious) = {own_send(static_cast<std::uint32_t>(begins[2] - row.latency), 3, length)};
    TdmLoad load;
    load.receive = part;
    load.slot = static_cast<std::uint32_t>(begins[3]);
    load.part = 4;
    load.flits = static_cast<std::uint8_t>(length);
    row.loads(0) = {load};
    row.sends(0, kOutside) = {send_buffer(1, 1, 0)};
    row.sends(0, kNext) = {send_buffer(40, 1, 0)};
    row.receives(1, kPrevious) = {receive(9, kTdmDeliver)};
    row.start();
    row.run_until_idle();

    const int last = *std::max_element(begins.begin(), begins.end());
    together += std::count(begins.begin(), begins.end(), last) > 1;
    std::vector<std::uint64_t> expected;
    for (int k = 0; k < length; ++k) {
      std::uint32_t low = 0, high = 0;
      for (std::uint32_t name = 1; name <= 4; ++name) {
        const std::uint64_t flit = flit_of(name, length, k);
        const auto l = static_cast<std::uint32_t>(flit), h = static_cast<std::uint32_t>(flit >> 32);
        low = name == 1 ? l : combined(operation, low, l);
        high = name == 1 ? h : combined(operation, high, h);
      }
      if (k == 0) low = tdm_header(9, static_cast<std::uint32_t>(length), kNameWidth);
      expected.push_back(low | std::uint64_t{high} << 32);
    }
    // The host gets it once, as the last part comes, through the lane of one that came last.
    std::vector<Seen> at_host;
    for (const Seen& s : row.delivered) {
      if (s.node == 0) at_host.push_back(s);
    }
    REQUIRE(at_host.size() == 1);
    REQUIRE(at_host[0].cycle == last + length - 1);
    REQUIRE(at_host[0].flits == expected);
    const std::array<int, kLanes> begins_by_lane{begins[2], begins[0], begins[1], begins[3]};
    REQUIRE(begins_by_lane[static_cast<std::size_t>(at_host[0].port)] == last);
    host_last += at_host[0].port == kHost;
    // It leaves in the cycle after that, and once more later.
    REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{last + length});
    REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{40});
    for (const Seen& s : row.sent) {
      if (s.node == 0) REQUIRE(s.flits == expected);
    }
    REQUIRE(row.names_delivered(1) == std::vector<std::uint32_t>{9});
    REQUIRE(row.counter(row.dut().occupancy_o, 0, 8) == 0);
    REQUIRE(row.counter(row.dut().mismatches_o, 0) == 0);
  }
  REQUIRE(together > 2);
  REQUIRE(host_last > 0);
}

TEST_CASE("what is combined for the host alone frees its buffer", "[rtl][tdm_node][combine]") {
  Row row(kFree1);
  for (std::uint32_t g = 0; g < 3; ++g) {
    row.receives(0, kPrevious).push_back(receive(20 + g, kTdmCombine | kTdmDeliver, 0, g, 0, 2));
    row.receives(0, kOutside).push_back(receive(20 + g, kTdmCombine | kTdmDeliver, 0, g, 0, 2));
    row.from_outside.push_back({5 + 6 * static_cast<int>(g), 0, kPrevious, 2 * g, 1});
    row.from_outside.push_back({6 + 6 * static_cast<int>(g), 0, kOutside, 2 * g + 1, 1});
  }
  row.start();
  row.run_until_idle();
  REQUIRE(row.names_delivered(0) == std::vector<std::uint32_t>{20, 21, 22});
  for (std::uint32_t g = 0; g < 3; ++g)  // nothing is left of the generation before
    REQUIRE(row.delivered[g].flits[0] >> 32 ==
            std::uint32_t(tdm_word(2 * g, 0, 0) + tdm_word(2 * g + 1, 0, 0)));
  REQUIRE(row.counter(row.dut().occupancy_o, 0, 8) == 0);
}

TEST_CASE("a one-port node sends one packet at a time, the lowest port first",
          "[rtl][tdm_node][port_model]") {
  SECTION("one-port") {
    Row row(kOnePort);
    row.sends(1, kNext) = {own_send(2, 1)};
    row.sends(1, kPrevious) = {own_send(2, 2)};
    row.sends(1, kOutside) = {own_send(2, 3)};
    row.receives(2, kPrevious) = {receive(1, kTdmDeliver)};
    row.receives(0, kNext) = {receive(2, kTdmDeliver)};
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{2});
    REQUIRE(row.cycles_sent(1, kPrevious) == std::vector<int>{3});
    REQUIRE(row.cycles_sent(1, kOutside) == std::vector<int>{4});
    REQUIRE(row.late == Ats{{2, 1, kPrevious}, {2, 1, kOutside}, {3, 1, kOutside}});
    REQUIRE(row.waits_for_packet.empty());
    REQUIRE(row.waits_for_credit.empty());
  }
  SECTION("one-port-send: the others wait for the packet's last flit") {
    Row row(kOnePortSend);
    row.sends(1, kOutside) = {own_send(1, 1, 3), own_send(2, 3, 2)};
    row.sends(1, kNext) = {own_send(2, 2, 2)};
    row.receives(2, kPrevious) = {receive(2, kTdmDeliver)};
    row.start();
    row.run_until_idle();
    REQUIRE(row.cycles_sent(1, kOutside) == std::vector<int>{1, 6});
    REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{4});
    // Late too while the packet before is still leaving through the same port.
    REQUIRE(row.late == Ats{{2, 1, kNext},
                            {2, 1, kOutside},
                            {3, 1, kNext},
                            {3, 1, kOutside},
                            {4, 1, kOutside},
                            {5, 1, kOutside}});
    row.require_intact();
  }
  SECTION("two that arrive at once are both accepted, and counted") {
    Row row(kOnePort);
    row.receives(1, kOutside) = {receive(1, kTdmDeliver)};
    row.receives(1, kPrevious) = {receive(2, kTdmDeliver)};
    row.sends(0, kNext) = {own_send(4, 2)};
    row.from_outside = {{4, 1, kOutside, 1, 1}};
    row.start();
    row.run_until_idle();
    REQUIRE(row.names_delivered(1).size() == 2);
    REQUIRE(row.counter(row.dut().violations_o, 1) == 1);
    REQUIRE(row.counter(row.dut().first_violation_cycle_o, 1) == 4);
  }
}

TEST_CASE("a host that feeds too slowly is noticed, and no packet is lost", "[rtl][tdm_node]") {
  Row row(kFree1);
  row.host.feed_interval = 4;
  for (std::uint32_t k = 0; k < 12; ++k) {
    row.sends(0, kNext).push_back(own_send(k + 1, k));
    row.receives(1, kPrevious).push_back(receive(k, kTdmStore, static_cast<int>(k % 4), k / 4));
    row.sends(1, kNext).push_back(send_buffer(k + 2, static_cast<int>(k % 4), k / 4));
    row.receives(2, kPrevious).push_back(receive(k, kTdmDeliver));
  }
  row.start();
  row.run_until_idle();
  // Three instructions are there at the start and one comes in cycles 4, 8, ... The third waits for a credit:
  // the window is of two packets.
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{1, 2, 4, 5, 9, 13, 17, 21, 25, 29, 33, 37});
  REQUIRE(row.counter(row.dut().dry_o, 0) == 8 * 3);  // three of every four until the last comes
  REQUIRE(row.counter(row.dut().first_dry_cycle_o, 0) == 6);
  REQUIRE(row.counter(row.dut().dry_o, 2) > 0);  // a node whose only programs are those of its lanes
  REQUIRE(row.names_delivered(2).size() == 12);
  row.require_intact();
}

TEST_CASE("a packet that is not the one programmed is counted and keeps its name", "[rtl][tdm_node]") {
  Row row(kFree4);
  row.receives(0, kOutside) = {receive(1, kTdmDeliver), receive(2, kTdmDeliver), receive(3, kTdmDeliver)};
  row.from_outside = {{5, 0, kOutside, 1, 4}, {10, 0, kOutside, 7, 2}, {15, 0, kOutside, 3, 1}};
  row.start();
  row.run_until_idle();
  REQUIRE(row.counter(row.dut().mismatches_o, 0) == 1);
  REQUIRE(row.counter(row.dut().first_mismatch_cycle_o, 0) == 11);  // latency 1
  REQUIRE(row.names_delivered(0) == std::vector<std::uint32_t>{1, 7, 3});
  row.require_intact();
}

TEST_CASE("late runs send and deliver the right packets", "[rtl][tdm_node][random]") {
  // Everything is planned for slot 1, with more packets than buffers, and hosts of random speed: the order is
  // kept by generations alone.
  const int parameter_set = GENERATE(kFree1, kFree4, kOnePort, kLockstep4, kOnePortSend);
  const int seed = GENERATE(range(0, 6));
  CAPTURE(parameter_set, seed);
  std::mt19937 generator(static_cast<unsigned>(parameter_set * 100 + seed));
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  Row row(parameter_set);
  row.host.feed_interval = 1 + random() % 3;
  const int buffers = 1 + static_cast<int>(random() % 3);
  const std::uint32_t packets = 30;
  std::size_t at_1 = 0, at_2 = 0;
  std::vector<std::uint32_t> generation(static_cast<std::size_t>(buffers));
  for (std::uint32_t k = 0; k < packets; ++k) {
    const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(row.flits));
    const unsigned way = random() % 4;  // for host 1, for host 2, for both, and out of node 1 as well
    TdmSend send = own_send(1 + random() % 3 * k, k, length);
    row.sends(0, kNext).push_back(send);
    const bool here = way != 1, beyond = way != 0;
    at_1 += here;
    at_2 += beyond;
    if (!beyond) {
      row.receives(1, kPrevious).push_back(receive(k, kTdmDeliver));
      continue;
    }
    const int b = static_cast<int>(random() % static_cast<unsigned>(buffers));
    const std::uint32_t g = generation[static_cast<std::size_t>(b)]++ % 16;
    row.receives(1, kPrevious)
        .push_back(receive(k, kTdmStore | (here ? kTdmDeliver : 0), b, g, way == 3 ? 2 : 1));
    row.sends(1, kNext).push_back(send_buffer(1 + random() % 2 * k, b, g));
    if (way == 3) row.sends(1, kOutside).push_back(send_buffer(1 + random() % 2 * k, b, g));
    row.receives(2, kPrevious).push_back(receive(k, kTdmDeliver));
  }
  row.start();
  row.run_until_idle();
  REQUIRE(row.names_delivered(1).size() == at_1);
  REQUIRE(row.names_delivered(2).size() == at_2);
  for (const int node : {1, 2}) {
    const auto names = row.names_delivered(node);
    REQUIRE(std::is_sorted(names.begin(), names.end()));
    REQUIRE(row.counter(row.dut().mismatches_o, node) == 0);
  }
  REQUIRE(!row.late.empty());
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 1, 8) <= buffers);
  row.require_intact();
}

TEST_CASE("a lost packet leaves the run stuck, not wrong", "[rtl][tdm_node][fault]") {
  SECTION("the only one") {
    Row row(kFree4);
    row.sends(0, kNext) = {own_send(1, 10, 3)};
    row.receives(1, kPrevious) = {receive(10, kTdmStore, 0, 0)};
    row.sends(1, kNext) = {send_buffer(6, 0, 0)};
    row.receives(2, kPrevious) = {receive(10, kTdmDeliver)};
    set_field(row.dut().fault_drop_i, 1 * kRadix + kPrevious, 1, 1);
    row.start();
    row.run_to_cycle(100);
    REQUIRE(row.cycles_sent(1, kNext).empty());
    REQUIRE(row.delivered.empty());
    REQUIRE(row.waits_for_packet.back() == At{100, 1, kNext});
    REQUIRE(get_field(row.dut().idle_o, 1, 1) == 0);
    REQUIRE(row.counter(row.dut().received_o, 1 * kRadix + kPrevious) == 0);
  }
  SECTION("the first of two: the second comes in its place, and is noticed") {
    Row row(kFree1);
    row.sends(0, kNext) = {own_send(1, 10), own_send(2, 11)};
    row.receives(1, kPrevious) = {receive(10, kTdmStore, 0, 0), receive(11, kTdmStore, 1, 0)};
    row.sends(1, kNext) = {send_buffer(2, 0, 0), send_buffer(3, 1, 0)};
    row.receives(2, kPrevious) = {receive(10, kTdmDeliver), receive(11, kTdmDeliver)};
    set_field(row.dut().fault_drop_i, 1 * kRadix + kPrevious, 1, 1);
    row.start();
    row.run_to_cycle(1);
    set_field(row.dut().fault_drop_i, 1 * kRadix + kPrevious, 1, 0);
    row.run_to_cycle(60);
    REQUIRE(row.counter(row.dut().mismatches_o, 1) == 1);
    REQUIRE(row.counter(row.dut().mismatches_o, 2) == 1);
    REQUIRE(row.names_delivered(2) == std::vector<std::uint32_t>{11});
    REQUIRE(row.waits_for_packet.back() == At{60, 1, kNext});
    row.require_intact();
  }
  SECTION("a flit of several: an assertion") {
    Row row(kFree4);
    row.sends(0, kNext) = {own_send(1, 10, 4)};
    row.receives(1, kPrevious) = {receive(10, kTdmStore, 0, 0)};
    row.start();
    row.run_to_cycle(1);
    set_field(row.dut().fault_drop_i, 1 * kRadix + kPrevious, 1, 1);
    REQUIRE_THROWS_AS(row.run_to_cycle(10), BenchError);
  }
}

TEST_CASE("the node refuses what breaks its protocol", "[rtl][tdm_node][assertion]") {
  SECTION("a packet that was not granted") {
    Row row(kFree1);
    row.from_outside = {{3, 0, kOutside, 1, 1}};
    row.start();
    REQUIRE_THROWS_AS(row.run_to_cycle(5), BenchError);
  }
  SECTION("a packet longer than a buffer") {
    Row row(kFree4);
    row.receives(0, kOutside) = {receive(1, kTdmStore, 0, 0)};
    row.from_outside = {{3, 0, kOutside, 1, 5}};
    row.start();
    REQUIRE_THROWS_AS(row.run_to_cycle(10), BenchError);
  }
  SECTION("more credits than a window") {
    Row row(kFree1);
    row.outside_credits = {{2, 0, kOutside}};
    row.start();
    REQUIRE_THROWS_AS(row.run_to_cycle(5), BenchError);
  }
  SECTION("combining without combine units") {
    Row row(kOnePort);
    row.receives(0, kOutside) = {receive(9, kTdmCombine, 0, 0, 1, 2)};
    row.from_outside = {{3, 0, kOutside, 1, 1}};
    row.start();
    REQUIRE_THROWS_AS(row.run_to_cycle(5), BenchError);
  }
  SECTION("a host that pauses within its packet") {
    Row row(kFree4);
    row.sends(0, kOutside) = {own_send(8, 1, 4)};
    row.start();
    row.run_to_cycle(8);
    const auto starve = [&] {
      for (int k = 0; k < 4; ++k) {
        row.dut().own_valid_i = 0;
        row.bench().tick();
      }
    };
    REQUIRE_THROWS_AS(starve(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
