// One node's part in the scan before a partial exchange, for random trees and values: what it sends to whom
// in which cycle, what it tells its host, and that the router hears nothing before and everything after.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <random>

#include "Vrtl_exchange_scan_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kRadix = 4, kFlitWidth = 64, kRankWidth = 8, kLengthShift = 22;
constexpr unsigned kFirstScanLabel = 4;  // of eight
constexpr unsigned kAllPorts = (1U << kRadix) - 1;
constexpr int kSumWidth = rtl::exchange_pkg::kSumWidth;

using Dut = Vrtl_exchange_scan_bench;

// A value as it crosses a link: the highest bit makes the number of ones odd.
std::uint64_t checked(std::uint64_t value) {
  return value | (std::popcount(value) % 2 == 0 ? std::uint64_t{1} << 63 : 0);
}

// What comes in, or leaves: by cycle and port. Cycle 0 is the one before the scan's first.
using Values = std::map<std::pair<int, int>, std::uint64_t>;

/// The node's place in the tree of its row or column, when its neighbours speak, and what it must do then.
struct Tree {
  unsigned towards = 0, away = 0;  // ports
  Values in, out;
  std::uint64_t sum = 0;
  int done = 0;  // the cycle in which the sum is known

  /// Neighbours away from the root send values, later the one towards it sends the sum of all.
  void plan(std::mt19937& random, bool is_active) {
    std::uint64_t part = is_active ? 1 : 0;
    int reports = 1;
    for (int p = 0; p < kRadix; ++p) {
      if ((away >> p & 1U) == 0) continue;
      const int cycle = 1 + static_cast<int>(random() % 9);
      const std::uint64_t value = random() & 0xffff;
      in[{cycle, p}] = value;
      part = (part + value) & 0xffff;
      reports = std::max(reports, cycle + 1);
    }
    done = reports;
    sum = part;
    if (towards != 0) {
      const int port = std::countr_zero(towards);
      out[{reports, port}] = part;
      const int answer = reports + 1 + static_cast<int>(random() % 5);
      in[{answer, port}] = sum = random() & 0xffff;
      done = answer + 1;
    }
    for (int p = 0; p < kRadix; ++p) {
      if ((away >> p & 1U) != 0) out[{done, p}] = sum;
    }
  }
};

class Scan {
 public:
  /// is_described: the host describes the trees after the reset. Otherwise it did so before, in a run that is
  /// over.
  explicit Scan(unsigned seed, bool is_described = true) : random_(seed), is_active_(random_() % 2 != 0) {
    Dut& dut = bench_.dut();
    dut.slot_open_next_i = dut.table_valid_i = dut.rx_valid_i = 0;
    dut.inject_valid_i = dut.inject_ready_i = 0;
    dut.router_tx_valid_i = dut.router_deliver_valid_i = dut.router_deliver_last_i = 0;
    dut.cycle_i = 0;
    bench_.reset();
    for (int p = 0; p < kRadix; ++p) {
      Tree* tree = std::array<Tree*, 3>{&row_, &column_, nullptr}.at(random_() % 3);
      if (tree == nullptr) continue;
      (tree->towards == 0 && random_() % 2 == 0 ? tree->towards : tree->away) |= 1U << p;
    }
    write_table(kFirstScanLabel + rtl::exchange_pkg::kLabelRowTowards, row_.towards, is_active_);
    write_table(kFirstScanLabel + rtl::exchange_pkg::kLabelRowAway, row_.away, !is_active_);
    write_table(kFirstScanLabel + rtl::exchange_pkg::kLabelColumnTowards, column_.towards, !is_active_);
    write_table(kFirstScanLabel + rtl::exchange_pkg::kLabelColumnAway, column_.away, !is_active_);
    for (unsigned label = 0; label < kFirstScanLabel; ++label)  // those of the exchange change nothing
      write_table(label, random_() & kAllPorts, random_() % 2 != 0);
    if (!is_described) {
      bench_.reset();
      row_ = column_ = Tree{};
      is_active_ = false;
    }
    row_.plan(random_, is_active_);
    column_.plan(random_, is_active_);
  }

  void scan() {
    Dut& dut = bench_.dut();
    const int known = std::max(row_.done, column_.done);
    for (int cycle = 0; cycle <= known + 3; ++cycle) {
      CAPTURE(cycle);
      dut.cycle_i = static_cast<IData>(cycle);
      dut.slot_open_next_i = cycle == 0;
      for (int p = 0; p < kRadix; ++p) come_in(cycle, p, cycle < known);
      bench_.settle();
      REQUIRE(dut.router_slot_open_next_o == 0);
      REQUIRE(dut.router_rx_valid_o == 0);
      for (int p = 0; p < kRadix; ++p) require_sent(cycle, p);
      REQUIRE(dut.deliver_valid_o == (cycle == known ? 1 : 0));
      REQUIRE(dut.deliver_last_o == dut.deliver_valid_o);
      if (cycle == known) REQUIRE(get_field(dut.deliver_flit_o, 0, kFlitWidth) == told());
      // In the cycle in which the last sum is known the node still passes it on, away from the root.
      REQUIRE(dut.idle_o == (cycle > known ? 1 : 0));
      bench_.tick();
    }
  }

  /// The node's router runs; the class is in the headers that the host injects.
  void exchange() {
    Dut& dut = bench_.dut();
    unsigned left = 0;  // flits of the host's packet
    for (int k = 0; k < 40; ++k) {
      dut.cycle_i = static_cast<IData>(random_() % 0xffff'fffeU + 1);
      dut.slot_open_next_i = random_() % 2;
      dut.rx_valid_i = random_() & kAllPorts;
      dut.router_tx_valid_i = random_() & kAllPorts;
      dut.router_deliver_valid_i = random_() & kAllPorts;
      dut.router_deliver_last_i = static_cast<CData>(dut.router_deliver_valid_i & random_());
      for (int w = 0; w < kRadix * kFlitWidth / 32; ++w) {
        const auto word = static_cast<std::size_t>(w);
        dut.rx_flit_i.at(word) = static_cast<IData>(random_());
        dut.router_tx_flit_i.at(word) = static_cast<IData>(random_());
        dut.router_deliver_flit_i.at(word) = static_cast<IData>(random_());
      }
      const bool is_header = left == 0;
      const std::uint64_t flit = injected(is_header);
      dut.inject_flit_i = flit;
      dut.inject_ranks_i = static_cast<SData>(random_());
      dut.inject_valid_i = random_() % 4 != 0;
      dut.inject_ready_i = random_() % 4 != 0;
      bench_.settle();
      require_passed_on();
      const bool is_stamped = is_header && dut.inject_valid_i != 0 && is_class_one();
      REQUIRE(dut.router_inject_flit_o == (flit | (is_stamped ? 1U : 0U)));
      const int rank = is_class_one() ? dut.inject_ranks_i >> kRankWidth : dut.inject_ranks_i & 0xff;
      REQUIRE(dut.router_inject_rank_o == rank);
      if (dut.inject_valid_i != 0 && dut.inject_ready_i != 0)
        left = (is_header ? static_cast<unsigned>(flit >> kLengthShift & 3U) : left) - 1;
      bench_.tick();
    }
  }

 private:
  [[nodiscard]] bool is_class_one() const { return row_.sum > column_.sum; }
  [[nodiscard]] std::uint64_t told() const {
    return (is_class_one() ? std::uint64_t{1} << (2 * kSumWidth) : 0) | column_.sum << kSumWidth | row_.sum;
  }
  void write_table(unsigned label, unsigned mask, bool deliver) {
    bench_->table_valid_i = 1;
    bench_->table_label_i = static_cast<CData>(label);
    bench_->table_mask_i = static_cast<CData>(mask);
    bench_->table_deliver_i = deliver;
    bench_.tick();
    bench_->table_valid_i = 0;
  }
  // A value that is due, or sometimes a damaged flit, of which nobody takes notice.
  void come_in(int cycle, int port, bool may_be_damaged) {
    std::optional<std::uint64_t> flit;
    for (const Tree* tree : {&row_, &column_}) {
      if (const auto found = tree->in.find({cycle, port}); found != tree->in.end())
        flit = checked(found->second);
    }
    if (!flit && may_be_damaged && random_() % 3 == 0)
      flit = checked(random_() & 0xffff) ^ std::uint64_t{1} << random_() % 64;
    set_field(bench_->rx_valid_i, port, 1, flit ? 1 : 0);
    set_field(bench_->rx_flit_i, port, kFlitWidth, flit.value_or(0));
  }
  void require_sent(int cycle, int port) {
    CAPTURE(port);
    std::optional<std::uint64_t> expected;
    for (const Tree* tree : {&row_, &column_}) {
      if (const auto found = tree->out.find({cycle, port}); found != tree->out.end())
        expected = checked(found->second);
    }
    REQUIRE(get_field(bench_->tx_valid_o, port, 1) == (expected ? 1 : 0));
    if (expected) REQUIRE(get_field(bench_->tx_flit_o, port, kFlitWidth) == *expected);
  }
  // Any flit; of a header bit 0 is 0 and the length 1 to 3.
  std::uint64_t injected(bool is_header) {
    const std::uint64_t any = std::uint64_t{random_()} << 32 | random_();
    if (!is_header) return any;
    const std::uint64_t length = 1 + random_() % 3;
    return (any & ~(std::uint64_t{3} << kLengthShift) & ~std::uint64_t{1}) | length << kLengthShift;
  }
  void require_passed_on() {
    Dut& dut = bench_.dut();
    REQUIRE(dut.router_slot_open_next_o == dut.slot_open_next_i);
    REQUIRE(dut.router_rx_valid_o == dut.rx_valid_i);
    REQUIRE(dut.tx_valid_o == dut.router_tx_valid_i);
    REQUIRE(dut.deliver_valid_o == dut.router_deliver_valid_i);
    REQUIRE(dut.deliver_last_o == dut.router_deliver_last_i);
    for (int p = 0; p < kRadix; ++p) {
      const auto flit = [p](const auto& port) { return get_field(port, p, kFlitWidth); };
      REQUIRE(flit(dut.router_rx_flit_o) == flit(dut.rx_flit_i));
      REQUIRE(flit(dut.tx_flit_o) == flit(dut.router_tx_flit_i));
      REQUIRE(flit(dut.deliver_flit_o) == flit(dut.router_deliver_flit_i));
    }
  }

  std::mt19937 random_;
  bool is_active_;
  RtlBench<Dut> bench_;
  Tree row_, column_;
};

TEST_CASE("exchange_scan: sums of a row and a column, then nothing in the router's way",
          "[rtl][exchange_scan]") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Scan scan(seed);
    scan.scan();
    scan.exchange();
  }
}

TEST_CASE("exchange_scan: after a reset nothing is left of the trees and of what the host sent",
          "[rtl][exchange_scan]") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Scan scan(seed, false);
    scan.scan();
    scan.exchange();
  }
}

}  // namespace
}  // namespace safnet::testbench
