// tdm_row - three tdm_nodes in a row (rtl_tdm_bench.sv), their hosts, and what is seen of them.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <vector>

#include "Vrtl_tdm_bench.h"
#include "sim/tdm/tdm_feeder.hpp"
#include "testbench/rtl/late_counts.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {

inline constexpr int kNodes = 3, kRadix = 3, kLoopbacks = 1, kHost = kRadix;
inline constexpr int kLanes = kRadix + 1 + kLoopbacks, kOutputs = kRadix + kLoopbacks,
                     kOwnStreams = kRadix + 1;
inline constexpr int kNext = 0, kPrevious = 1, kOutside = 2;  // ports
inline constexpr int kBufferWidth = 2, kGenerationWidth = 4, kCountWidth = 3, kNameWidth = 8, kWindow = 2;
inline constexpr int kReceiveWidth = kBufferWidth + kGenerationWidth + 2 * kCountWidth + 3 + kNameWidth;
inline constexpr int kSendWidth = kBufferWidth + kGenerationWidth + 1 + 32;

// Parameter sets of rtl_tdm_bench.sv.
inline constexpr int kFree1 = 0;        // Flits 1, latency 0
inline constexpr int kFree4 = 1;        // Flits 4, latency 1
inline constexpr int kOnePort = 2;      // Flits 1, latency 0, without combine units
inline constexpr int kLockstep4 = 3;    // Flits 4, latency 1, slots of 5 cycles, without combine units
inline constexpr int kOnePortSend = 4;  // Flits 3, latency 0
inline constexpr int kUnequal4 = 5;     // Flits 4, links of their own latencies and widths

// The ports of one node of the row, for its feeder.
struct Ports {
  Vrtl_tdm_bench& dut;
  int node;
  [[nodiscard]] int lane(std::uint32_t l) const { return node * kLanes + static_cast<int>(l); }
  [[nodiscard]] int output(std::uint32_t p) const { return node * kOutputs + static_cast<int>(p); }
  [[nodiscard]] int own_stream(std::uint32_t s) const { return node * kOwnStreams + static_cast<int>(s); }
  [[nodiscard]] bool receive_ready(std::uint32_t l) const {
    return get_field(dut.receive_ready_o, lane(l), 1) != 0;
  }
  [[nodiscard]] bool send_ready(std::uint32_t p) const {
    return get_field(dut.send_ready_o, output(p), 1) != 0;
  }
  [[nodiscard]] bool own_ready(std::uint32_t l) const {
    return get_field(dut.own_ready_o, own_stream(l), 1) != 0;
  }
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
    set_field(dut.send_more_i, output(p), 1, more);
    set_field(dut.send_valid_i, output(p), 1, what != nullptr);
    if (what == nullptr) return;
    std::uint64_t bits = what->slot;
    bits = bits << 1 | (what->own ? 1 : 0);
    bits = bits << kGenerationWidth | (what->generation & 15);
    bits = bits << kBufferWidth | what->buffer;
    set_field(dut.send_i, output(p), kSendWidth, bits);
  }
  void own(std::uint32_t l, const std::uint32_t* words) const {
    set_field(dut.own_valid_i, own_stream(l), 1, words != nullptr);
    if (words != nullptr)
      set_field(dut.own_flit_i, own_stream(l), 64, words[0] | std::uint64_t{words[1]} << 32);
  }
};

inline TdmSend own_send(std::uint32_t slot, std::uint32_t name, int flits = 1) {
  TdmSend send;
  send.slot = slot;
  send.name = name;
  send.flits = static_cast<std::uint8_t>(flits);
  send.own = true;
  return send;
}
inline TdmSend send_buffer(std::uint32_t slot, int buffer, std::uint32_t generation) {
  TdmSend send;
  send.slot = slot;
  send.buffer = static_cast<std::uint16_t>(buffer);
  send.generation = generation;
  return send;
}
inline TdmReceive receive(std::uint32_t name, int actions, int buffer = 0, std::uint32_t generation = 0,
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

inline std::uint64_t flit_of(std::uint32_t name, int flits, int index) {
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
    for (int port = 0; port < kNodes * kRadix; ++port) {
      set_field(d.rx_latency_i, port, 16, 0);
      set_field(d.credit_latency_i, port, 16, 0);
      set_field(d.rx_interval_i, port, 8, 1);
      set_field(d.tx_interval_i, port, 8, 1);
    }
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
  RtlBench<Vrtl_tdm_bench>& bench() { return bench_; }
  std::vector<TdmSend>& sends(int node, int port) { return at(node).sends[static_cast<std::size_t>(port)]; }
  std::vector<TdmReceive>& receives(int node, int port) {
    return at(node).receives[static_cast<std::size_t>(port)];
  }
  std::vector<TdmLoad>& loads(int node) { return at(node).loads; }
  [[nodiscard]] int cycle() { return static_cast<int>(dut().cycle_o - time_before_); }

  /// Programs fill, credits cross the links; then cycle 1 begins. What is sent in slot s of a program is sent
  /// in slot before.time + s of the network.
  void start(const CountsBefore& before = {}) {
    REQUIRE(before.time % static_cast<std::uint32_t>(host.feed_interval) == 0);  // hosts feed in such cycles
    for (TdmNodeProgram& program : programs) {
      for (std::vector<TdmSend>& sends : program.sends) {
        for (TdmSend& send : sends) send.slot += before.time;
      }
    }
    for (int n = 0; n < kNodes; ++n)
      feeders_[static_cast<std::size_t>(n)].load(
          {{std::shared_ptr<void>(), &at(n)}, host.operation, host.feed_interval}, kRadix, kLoopbacks);
    if (outside_grants) {
      for (int n = 0; n < kNodes; ++n) {
        for (int p = 0; p < kRadix; ++p) {
          if (leads_outside(n, p)) owed_[static_cast<std::size_t>(n * kRadix + p)] = kWindow;
        }
      }
    }
    for (int k = 0; k < 12 + 2 * latency; ++k) clock();
    REQUIRE(sent.empty());  // nothing leaves before the start
    preset_counts(bench_, before);
    time_before_ = before.time;
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
  RtlBench<Vrtl_tdm_bench> bench_;
  std::array<TdmFeeder, kNodes> feeders_;
  std::uint32_t time_before_ = 0;
  std::array<int, kNodes * kRadix> owed_{};
  std::array<int, kNodes * kRadix> left_{};
  std::array<std::size_t, kNodes * kRadix> leaving_{};
  std::array<std::vector<std::uint64_t>, kNodes * kLanes> arriving_;
};

using At = std::tuple<int, int, int>;
using Ats = std::vector<At>;

}  // namespace safnet::testbench
