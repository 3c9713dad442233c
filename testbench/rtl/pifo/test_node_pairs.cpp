// Two nodes of two ports and all that they count, as ports of the node: the same from 0 and from high counts.
#include <array>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "Vrtl_pair_bench.h"
#include "testbench/rtl/late_counts.hpp"

namespace safnet::testbench {
namespace {

constexpr int kNodes = 2, kRadix = 2, kFlitWidth = 32;

// Label 2 p + v: to the host of node v, over the link of port p.
constexpr unsigned label_to(int node, int port) { return static_cast<unsigned>(2 * port + node); }

class Pair {
 public:
  explicit Pair(bool is_fifo) {
    Vrtl_pair_bench& dut = bench_.dut();
    dut.is_fifo_i = is_fifo;
    dut.start_i = dut.table_valid_i = dut.inject_valid_i = 0;
    dut.fault_drop_i = dut.fault_corrupt_i = 0;
    bench_.reset();
    for (int node = 0; node < kNodes; ++node) {
      for (int port = 0; port < kRadix; ++port) {
        for (int to = 0; to < kNodes; ++to) write_table(node, label_to(to, port), to == node ? -1 : port);
      }
    }
  }

  void add(int node, std::uint32_t flit) { hosts_.at(static_cast<std::size_t>(node)).push_back(flit); }
  void start(const CountsBefore& before) {
    preset_counts(bench_, before);
    bench_->start_i = 1;
    clock();
    bench_->start_i = 0;
  }
  void clock() {
    Vrtl_pair_bench& d = bench_.dut();
    for (int n = 0; n < kNodes; ++n) {
      const auto& host = hosts_.at(static_cast<std::size_t>(n));
      set_field(d.inject_valid_i, n, 1, host.empty() ? 0 : 1);
      if (!host.empty()) set_field(d.inject_flit_i, n, kFlitWidth, host.front());
    }
    bench_.settle();
    ++clocks_;
    for (int n = 0; n < kNodes; ++n) {
      auto& host = hosts_.at(static_cast<std::size_t>(n));
      if (!host.empty() && get_field(d.inject_ready_o, n, 1) == 1) host.pop_front();
    }
    for (int w = 0; w < kNodes * kRadix; ++w) {
      if (get_field(d.tx_valid_o, w, 1) == 1) sent.emplace_back(clocks_, w, flit_of(d.tx_flit_o, w));
      if (get_field(d.deliver_valid_o, w, 1) == 1) got[w].push_back(flit_of(d.deliver_flit_o, w));
    }
    bench_.tick();
  }
  Counts counts() { return counts_of(bench_.dut(), kNodes, kRadix); }
  void reset() {
    bench_->inject_valid_i = 0;
    bench_.reset();
    bench_.settle();
  }

  std::vector<std::tuple<int, int, std::uint32_t>> sent;  // clock, output port, flit
  std::map<int, std::vector<std::uint32_t>> got;          // by input port

 private:
  template <class Port>
  static std::uint32_t flit_of(const Port& port, int wire) {
    return static_cast<std::uint32_t>(get_field(port, wire, kFlitWidth));
  }
  // port -1: here
  void write_table(int node, unsigned label, int port) {
    bench_->table_valid_i = static_cast<CData>(1 << node);
    bench_->table_label_i = static_cast<CData>(label);
    bench_->table_mask_i = static_cast<CData>(port < 0 ? 0 : 1 << port);
    bench_->table_deliver_i = port < 0;
    bench_.tick();
    bench_->table_valid_i = 0;
  }

  RtlBench<Vrtl_pair_bench> bench_;
  std::array<std::deque<std::uint32_t>, kNodes> hosts_;
  int clocks_ = 0;
};

TEST_CASE("nodes of two ports count late what they count early", "[rtl][late]") {
  const bool is_fifo = GENERATE(false, true);
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  CAPTURE(is_fifo, before.packets);
  std::map<int, std::vector<std::uint32_t>> expected;
  const auto run = [&](const CountsBefore& from) {
    Pair pair(is_fifo);
    std::mt19937 random(3);
    expected.clear();
    for (int k = 0; k < 60; ++k) {
      const auto node = static_cast<int>(random() % kNodes), port = static_cast<int>(random() % kRadix);
      // Source, tag and payload are of no interest to a node; the length is 1.
      const std::uint32_t flit =
          label_to(1 - node, port) | 1U << 24 | (static_cast<std::uint32_t>(random()) & 0xfeff'fff0U);
      pair.add(node, flit);
      expected[(1 - node) * kRadix + port].push_back(flit);
    }
    pair.start(from);
    for (int k = 0; k < 120; ++k) pair.clock();
    REQUIRE(pair.got == expected);
    const Counts counts = pair.counts();
    pair.reset();
    require_no_counts(pair.counts());
    return std::pair{counts, pair.sent};
  };
  const auto [early, sent] = run({});
  // Packets sent through and received at each port, and deliveries at each node.
  const auto received = [&](int port) { return static_cast<std::uint32_t>(expected[port].size()); };
  const std::vector<std::uint32_t> counted = {received(2),
                                              received(3),
                                              received(0),
                                              received(1),
                                              received(0),
                                              received(1),
                                              received(2),
                                              received(3),
                                              received(0) + received(1),
                                              received(2) + received(3)};
  for (std::size_t k = 0; k < counted.size(); ++k) REQUIRE(early.packets.at(k) == counted[k]);
  const auto [late, late_sent] = run(before);
  REQUIRE(late_sent == sent);
  require_same_counts(early, late, before);
}

}  // namespace
}  // namespace safnet::testbench
