// pifo_row - three pifo_nodes in a row, driven cycle by cycle: what tests of the node have in common.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "Vrtl_node_bench.h"
#include "testbench/rtl/late_counts.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench::pifo_row {

inline constexpr int kNodes = 3, kRadix = 3, kFlitWidth = 32, kOccupancyWidth = 6, kHostDepth = 8;
inline constexpr int kNext = 0, kPrevious = 1, kOutside = 2;                          // ports
inline constexpr unsigned kNoPort = 0, kToNext = 1, kToPrevious = 2, kToOutside = 4;  // masks

// Parameter sets of rtl_node_bench.sv.
inline constexpr int kFree1 = 0;            // Flits 1, latency 0, depth 3
inline constexpr int kLockstep4 = 1;        // Flits 4, latency 1, slots of 5 cycles, depth 2
inline constexpr int kFree4Depth1 = 2;      // Flits 4, latency 1
inline constexpr int kFree1Depth1 = 3;      // Flits 1, latency 0
inline constexpr int kOnePortGrants = 4;    // Flits 4, latency 1
inline constexpr int kOnePortLockstep = 5;  // Flits 4, latency 1, grants
inline constexpr int kOnePort = 6;          // Flits 4, latency 0, no grants
inline constexpr int kOnePortSend = 7;      // Flits 2, latency 0
// 8: Flits 1, latency 0, depth 2
inline constexpr int kDealt = 9;  // Flits 1, latency 0, depth 4, links dealt
inline constexpr int kRestRanks =
    10;  // Flits 1, latency 0, depth 4, one-port-send with ranks for what is left
inline constexpr int kParameterSets = 11;

struct Packet {
  unsigned source = 0, label = 0, tag = 0;
  int length = 1;
  friend bool operator==(const Packet&, const Packet&) = default;

  [[nodiscard]] std::uint32_t flit(int index) const {
    const std::uint32_t mixed = ((source << 16 | tag) * 8 + static_cast<unsigned>(index) + 1) * 0x9e37'79b9U;
    if (index > 0) return mixed;
    return label | source << 4 | tag << 8 | static_cast<unsigned>(length) << 24 | (mixed >> 27 << 27);
  }
};

/// A flit on an output port, or the last flit of a packet at a host.
struct Sent {
  int cycle, node, port;
  std::uint32_t flit;
};
struct Delivery {
  int cycle, node, port;  // cycle: in which the last flit arrived
  Packet packet;
};
/// A flit that the test sends to a port that leads out of the bench.
struct Outside {
  int cycle, node, port;
  std::uint32_t flit;
};

class Row {
 public:
  explicit Row(int parameter_set) {
    Vrtl_node_bench& dut = bench_.dut();
    dut.case_i = static_cast<CData>(parameter_set);
    dut.start_i = 0;
    dut.rx_valid_i = dut.rx_credit_i = dut.rx_request_i = dut.rx_grant_i = 0;
    dut.fault_drop_i = dut.fault_corrupt_i = 0;
    dut.table_valid_i = 0;
    dut.table_rest_i = dut.table_rest_rank_i = 0;
    dut.branch_first_i = 0x1ff;  // every port is a branch of its own
    dut.inject_valid_i = 0;
    bench_.reset();
    bench_.settle();
    flits = dut.flits_o;
    latency = dut.latency_o;
    slot_cycles = dut.slot_cycles_o;
    depth = dut.queue_depth_o;
    port_model = dut.port_model_o;
    grant_cycles = dut.grant_cycles_o;
    length_mask_ = flits == 1 ? 1 : flits == 2 ? 3 : 7;
  }
  int flits = 0, latency = 0, slot_cycles = 0, depth = 0, port_model = 0, grant_cycles = 0;
  std::vector<Sent> sent;
  std::vector<Delivery> deliveries;
  std::vector<Outside> from_outside;
  bool outside_returns_credits = true;

  Vrtl_node_bench& dut() { return bench_.dut(); }
  RtlBench<Vrtl_node_bench>& bench() { return bench_; }

  void write_table(int node, unsigned label, unsigned mask, bool deliver, unsigned rank = 0,
                   unsigned order = 0b100100) {  // ports 0, 1, 2
    dut().table_valid_i = static_cast<CData>(1 << node);
    dut().table_label_i = static_cast<CData>(label);
    dut().table_mask_i = static_cast<CData>(mask);
    dut().table_deliver_i = deliver;
    dut().table_rank_i = static_cast<CData>(rank);
    dut().table_order_i = static_cast<CData>(order);
    bench_.tick();
    dut().table_valid_i = 0;
  }
  void add(int node, const Packet& packet, unsigned rank = 0) {
    for (int k = 0; k < packet.length; ++k) {
      hosts_[static_cast<std::size_t>(node)].push_back({packet.flit(k), rank});
    }
  }
  /// Hosts inject as much as the queues hold.
  void fill() {
    for (int k = 0; k < 8 * flits + 4; ++k) clock();
  }
  void start(const CountsBefore& before = {}) {
    preset_counts(bench_, before);
    time_before_ = before.time;
    dut().start_i = 1;
    clock();
    dut().start_i = 0;
  }
  [[nodiscard]] int cycle() { return static_cast<int>(dut().cycle_o - time_before_); }
  /// Flits that the host has not been able to inject yet.
  [[nodiscard]] int waiting_at_host(int node) const {
    return static_cast<int>(hosts_[static_cast<std::size_t>(node)].size());
  }

  /// One cycle; its number is cycle() before the call.
  void clock() {
    Vrtl_node_bench& d = dut();
    const int now = cycle();
    for (int n = 0; n < kNodes; ++n) {
      auto& host = hosts_[static_cast<std::size_t>(n)];
      set_field(d.inject_valid_i, n, 1, host.empty() ? 0 : 1);
      if (host.empty()) continue;
      set_field(d.inject_flit_i, n, kFlitWidth, host.front().flit);
      set_field(d.inject_rank_i, n, 2, host.front().rank);
    }
    d.rx_valid_i = 0;
    for (const Outside& o : from_outside) {
      if (o.cycle != now || now == 0) continue;
      set_field(d.rx_valid_i, o.node * kRadix + o.port, 1, 1);
      set_field(d.rx_flit_i, o.node * kRadix + o.port, kFlitWidth, o.flit);
    }
    d.rx_credit_i = static_cast<SData>(outside_credits_);
    outside_credits_ = 0;
    bench_.settle();
    for (int n = 0; n < kNodes; ++n) {
      const bool moved = get_field(d.inject_valid_i, n, 1) == 1 && get_field(d.inject_ready_o, n, 1) == 1;
      if (moved) hosts_[static_cast<std::size_t>(n)].pop_front();
      for (int p = 0; p < kRadix; ++p) record(now, n, p);
    }
    bench_.tick();
  }
  void run_until_idle(int limit = 20'000) {
    int quiet = 0;
    while (quiet < 2 * latency + 4) {
      clock();
      bool busy = dut().idle_o != 7 || outside_credits_ != 0;
      for (const auto& host : hosts_) busy |= !host.empty();
      for (const Outside& o : from_outside) busy |= o.cycle >= cycle();
      quiet = busy ? 0 : quiet + 1;
      REQUIRE(cycle() < limit);
    }
  }
  void run_to_cycle(int last) {
    while (cycle() <= last) clock();
  }

  [[nodiscard]] std::vector<int> cycles_sent(int node, int port) const {
    std::vector<int> cycles;
    for (const Sent& s : sent) {
      if (s.node == node && s.port == port) cycles.push_back(s.cycle);
    }
    return cycles;
  }
  template <class Port>
  [[nodiscard]] int counter(const Port& port, int index, int width = 32) const {
    return static_cast<int>(get_field(port, index, width));
  }

 private:
  struct HostFlit {
    std::uint32_t flit;
    unsigned rank;
  };
  void record(int now, int node, int port) {
    Vrtl_node_bench& d = dut();
    const auto wire = static_cast<std::size_t>(node * kRadix + port);
    const int index = node * kRadix + port;
    if (get_field(d.tx_valid_o, index, 1) == 1) {
      const auto flit = static_cast<std::uint32_t>(get_field(d.tx_flit_o, index, kFlitWidth));
      sent.push_back({now, node, port, flit});
      if (leads_outside(node, port) && outside_returns_credits) {  // one credit a packet
        if (left_[wire] == 0) left_[wire] = static_cast<int>(flit >> 24) & length_mask_;
        if (--left_[wire] == 0) outside_credits_ |= 1U << index;
      }
    }
    if (get_field(d.deliver_valid_o, index, 1) == 1) {
      const auto flit = static_cast<std::uint32_t>(get_field(d.deliver_flit_o, index, kFlitWidth));
      auto& packet = arriving_[wire];
      packet.push_back(flit);
      if (get_field(d.deliver_last_o, index, 1) == 1) {
        Packet p;
        p.label = packet[0] & 15;
        p.source = packet[0] >> 4 & 15;
        p.tag = packet[0] >> 8 & 0xffff;
        p.length = static_cast<int>(packet.size());
        for (std::size_t k = 0; k < packet.size(); ++k) {
          if (check_payload) REQUIRE(packet[k] == p.flit(static_cast<int>(k)));
        }
        deliveries.push_back({now - 1, node, port, p});  // deliveries are registered
        packet.clear();
      }
    }
  }
  static bool leads_outside(int node, int port) {
    return port == kOutside || (port == kNext && node == kNodes - 1) || (port == kPrevious && node == 0);
  }

 public:
  bool check_payload = true;

 private:
  RtlBench<Vrtl_node_bench> bench_;
  std::array<std::deque<HostFlit>, kNodes> hosts_;
  std::array<std::vector<std::uint32_t>, kNodes * kRadix> arriving_;
  std::array<int, kNodes * kRadix> left_{};
  unsigned outside_credits_ = 0;
  std::uint32_t time_before_ = 0;
  int length_mask_ = 1;
};

/// Label d: to the host of node d, from wherever.
inline void write_routes(Row& row) {
  for (int node = 0; node < kNodes; ++node) {
    for (int to = 0; to < kNodes; ++to) {
      const unsigned mask = node < to ? kToNext : node > to ? kToPrevious : kNoPort;
      row.write_table(node, static_cast<unsigned>(to), mask, node == to);
    }
  }
}

}  // namespace safnet::testbench::pifo_row
