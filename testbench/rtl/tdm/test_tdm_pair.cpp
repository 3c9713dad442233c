// Two tdm_nodes of two ports that send each other's packets back, and all that they count, as ports of the
// node: the same from 0 and from high counts.
#include <array>
#include <random>
#include <tuple>
#include <vector>

#include "Vrtl_tdm_pair_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/late_counts.hpp"

namespace safnet::testbench {
namespace {

constexpr int kNodes = 2, kRadix = 2, kLanes = 3, kFlitWidth = 32;
constexpr int kBufferWidth = 2, kGenerationWidth = 2, kCountWidth = 2, kNameWidth = 10;
constexpr int kReceiveWidth =
    kBufferWidth + kGenerationWidth + 2 * kCountWidth + rtl::tdm_pkg::kActions + kNameWidth;
constexpr int kSendWidth = kBufferWidth + kGenerationWidth + 1 + rtl::tdm_pkg::kSlotWidth;
constexpr int kOut = 0, kBack = 1;  // ports over which packets go out and come back

// What a host gives on one stream, word by word.
struct Stream {
  std::vector<std::uint64_t> words;
  std::size_t next = 0;

  [[nodiscard]] bool has_more() const { return next < words.size(); }
  void offer(auto& valid, auto& data, int index, int width) const {
    set_field(valid, index, 1, has_more() ? 1 : 0);
    if (has_more()) set_field(data, index, width, words[next]);
  }
  void take(const auto& ready, int index) {
    if (has_more() && get_field(ready, index, 1) != 0) ++next;
  }
};

/// Instructions as a tdm_node reads them, the first field in the highest bits.
std::uint64_t receive_word(std::uint32_t flit, unsigned action_bit, std::uint32_t k) {
  const std::uint64_t name = flit & ((1U << kNameWidth) - 1);
  const std::uint64_t once = std::uint64_t{1} << kCountWidth | 1;  // a part, and a use
  return ((name << rtl::tdm_pkg::kActions | 1U << action_bit) << (2 * kCountWidth) | once)
             << (kGenerationWidth + kBufferWidth) |
         (k / 4 % 4) << kBufferWidth | k % 4;
}
std::uint64_t send_word(std::uint32_t slot, bool own, std::uint32_t k) {
  return ((std::uint64_t{slot} << 1 | (own ? 1 : 0)) << kGenerationWidth | k / 4 % 4) << kBufferWidth | k % 4;
}

class TdmPair {
 public:
  /// Packet k of a node leaves in slot 2 k + 2, and is sent back from the other's buffer three slots later.
  TdmPair(const std::array<std::vector<std::uint32_t>, kNodes>& packets, const CountsBefore& before) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      const auto &own = packets.at(n), &other = packets.at(1 - n);
      for (std::uint32_t k = 0; k < own.size(); ++k) {
        const std::uint32_t slot = before.time + 2 * k + 2;
        receives_.at(kLanes * n + kOut)
            .words.push_back(receive_word(other.at(k), rtl::tdm_pkg::kStoreBit, k));
        receives_.at(kLanes * n + kBack)
            .words.push_back(receive_word(own.at(k), rtl::tdm_pkg::kDeliverBit, 0));
        sends_.at(kRadix * n + kOut).words.push_back(send_word(slot, true, 0));
        sends_.at(kRadix * n + kBack).words.push_back(send_word(slot + 3, false, k));
        own_.at(kLanes * n + kOut).words.push_back(own.at(k));
      }
    }
    Vrtl_tdm_pair_bench& dut = bench_.dut();
    dut.start_i = dut.operation_i = 0;
    dut.fault_drop_i = dut.fault_corrupt_i = 0;
    dut.receive_valid_i = dut.receive_more_i = dut.send_valid_i = dut.send_more_i = dut.own_valid_i = 0;
    dut.rx_latency_i = dut.credit_latency_i = 0;
    dut.rx_interval_i = dut.tx_interval_i = 0x0101'0101;
    bench_.reset();
    for (int k = 0; k < 12; ++k) clock();  // programs fill, and what the links may carry crosses them
    preset_counts(bench_, before);
    dut.start_i = 1;
    clock();
    dut.start_i = 0;
  }

  void clock() {
    Vrtl_tdm_pair_bench& d = bench_.dut();
    for (int l = 0; l < kNodes * kLanes; ++l) {
      const auto at = static_cast<std::size_t>(l);
      receives_[at].offer(d.receive_valid_i, d.receive_i, l, kReceiveWidth);
      set_field(d.receive_more_i, l, 1, receives_[at].has_more() ? 1 : 0);
      own_[at].offer(d.own_valid_i, d.own_flit_i, l, kFlitWidth);
    }
    for (int w = 0; w < kNodes * kRadix; ++w) {
      const auto at = static_cast<std::size_t>(w);
      sends_[at].offer(d.send_valid_i, d.send_i, w, kSendWidth);
      set_field(d.send_more_i, w, 1, sends_[at].has_more() ? 1 : 0);
    }
    bench_.settle();
    ++clocks_;
    for (int l = 0; l < kNodes * kLanes; ++l) {
      receives_[static_cast<std::size_t>(l)].take(d.receive_ready_o, l);
      own_[static_cast<std::size_t>(l)].take(d.own_ready_o, l);
      if (get_field(d.deliver_valid_o, l, 1) != 0)
        got.at(static_cast<std::size_t>(l / kLanes)).push_back(flit_of(d.deliver_flit_o, l));
    }
    for (int w = 0; w < kNodes * kRadix; ++w) {
      sends_[static_cast<std::size_t>(w)].take(d.send_ready_o, w);
      if (get_field(d.tx_valid_o, w, 1) != 0) sent.emplace_back(clocks_, w, flit_of(d.tx_flit_o, w));
    }
    late = late || d.late_o != 0;
    bench_.tick();
  }
  Counts counts() { return counts_of(bench_.dut(), kNodes, kRadix); }
  void reset() {
    bench_.reset();
    bench_.settle();
  }

  std::array<std::vector<std::uint32_t>, kNodes> got;
  std::vector<std::tuple<int, int, std::uint32_t>> sent;  // clock, output port, flit
  bool late = false;

 private:
  template <class Port>
  static std::uint32_t flit_of(const Port& port, int index) {
    return static_cast<std::uint32_t>(get_field(port, index, kFlitWidth));
  }

  RtlBench<Vrtl_tdm_pair_bench> bench_;
  std::array<Stream, kNodes * kLanes> receives_, own_;
  std::array<Stream, kNodes * kRadix> sends_;
  int clocks_ = 0;
};

TEST_CASE("tdm_nodes of two ports count late what they count early", "[rtl][tdm_node][late]") {
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  CAPTURE(before.packets);
  constexpr std::uint32_t kPackets = 40;
  std::mt19937 random(5);
  std::array<std::vector<std::uint32_t>, kNodes> packets;
  for (auto& list : packets) {
    // Name and payload are random; the length, above the name, is 1.
    for (std::uint32_t k = 0; k < kPackets; ++k)
      list.push_back(static_cast<std::uint32_t>(random()) | 1U << kNameWidth);
  }
  const auto run = [&](const CountsBefore& from) {
    TdmPair pair(packets, from);
    for (std::uint32_t k = 0; k < 2 * kPackets + 12; ++k) pair.clock();
    REQUIRE(pair.got == packets);
    REQUIRE(!pair.late);
    const Counts counts = pair.counts();
    pair.reset();
    require_no_counts(pair.counts());
    return std::pair{counts, pair.sent};
  };
  const auto [early, sent] = run({});
  // Through each port as many come as go, and each host has its own again; nothing else is counted.
  for (std::size_t k = 0; k < early.packets.size(); ++k)
    REQUIRE(early.packets[k] == (k < 2 * kNodes * kRadix + kNodes ? kPackets : 0));
  const auto [late, late_sent] = run(before);
  REQUIRE(late_sent == sent);
  require_same_counts(early, late, before);
}

}  // namespace
}  // namespace safnet::testbench
