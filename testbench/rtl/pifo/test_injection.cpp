// A pifo_node whose host injects through one, two or four ports: which outputs a port feeds, that a port
// which is two packets deep keeps its output busy, and that a port waits for no other.
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "Vrtl_injection_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kRadix = 4, kFlitWidth = 32, kRankWidth = 2;
constexpr int kFourPorts = 0, kFourPorts3Flits = 1, kTwoPorts3Flits = 2, kTwoPorts = 3, kOnePort = 4;

/// A flit on an output.
struct Sent {
  int cycle;
  std::uint32_t flit;
};

class Node {
 public:
  explicit Node(int parameter_set) {
    bench_->case_i = static_cast<CData>(parameter_set);
    bench_->table_valid_i = 0;
    bench_->inject_valid_i = bench_->rx_credit_i = 0;
    bench_->inject_rank_i = 0;
    bench_.reset();
    bench_.settle();
    flits = bench_->flits_o;
    ports = bench_->inject_ports_o;
    host_depth = bench_->host_depth_o;
    // Label m is for the outputs m.
    for (int mask = 0; mask < 1 << kRadix; ++mask) {
      bench_->table_valid_i = 1;
      bench_->table_label_i = bench_->table_mask_i = static_cast<CData>(mask);
      bench_.tick();
    }
    bench_->table_valid_i = 0;
  }
  int flits = 0, ports = 0, host_depth = 0;
  int cycle = 0;
  bool returns_credits = true;
  std::vector<Sent> sent[kRadix];

  /// Flit `index` of packet `tag` for the outputs `mask`.
  [[nodiscard]] std::uint32_t flit(int mask, int tag, int index) const {
    if (index > 0) return 0xabc0'0000U + static_cast<unsigned>(tag * 8 + index);
    return static_cast<std::uint32_t>(mask) | static_cast<std::uint32_t>(tag) << 8 |
           static_cast<std::uint32_t>(flits) << 16;
  }
  void offer(int port, int mask, int tag, int rank = 0) {
    for (int index = 0; index < flits; ++index) waiting_[port].push_back({flit(mask, tag, index), rank});
  }
  [[nodiscard]] std::size_t waiting(int port) const { return waiting_[port].size(); }

  /// One cycle: each port takes the next flit that was offered to it, if it is ready.
  void clock() {
    bench_.settle();
    bench_->inject_valid_i = 0;
    for (int port = 0; port < kRadix; ++port) {
      std::vector<Offered>& queue = waiting_[port];
      if (queue.empty() || (bench_->inject_ready_o >> port & 1) == 0) continue;
      bench_->inject_valid_i |= static_cast<CData>(1 << port);
      set_field(bench_->inject_flit_i, port, kFlitWidth, queue.front().flit);
      set_field(bench_->inject_rank_i, port, kRankWidth, static_cast<unsigned>(queue.front().rank));
      queue.erase(queue.begin());
    }
    bench_->rx_credit_i = static_cast<CData>(credits_);
    credits_ = 0;
    bench_.settle();
    for (int output = 0; output < kRadix; ++output) {
      if ((bench_->tx_valid_o >> output & 1) == 0) continue;
      sent[output].push_back(
          {cycle, static_cast<std::uint32_t>(get_field(bench_->tx_flit_o, output, kFlitWidth))});
      const bool last = sent[output].size() % static_cast<std::size_t>(flits) == 0;
      if (last && returns_credits) credits_ |= 1 << output;
    }
    bench_.tick();
    ++cycle;
  }
  void run(int cycles) {
    for (int k = 0; k < cycles; ++k) clock();
  }
  [[nodiscard]] bool idle() {
    bench_.settle();
    return bench_->idle_o != 0;
  }
  void return_credit(int output) { credits_ |= 1 << output; }

 private:
  struct Offered {
    std::uint32_t flit;
    int rank;
  };
  RtlBench<Vrtl_injection_bench> bench_;
  std::vector<Offered> waiting_[kRadix];
  int credits_ = 0;
};

}  // namespace

TEST_CASE("a port for each output keeps its output busy from the cycle after the first packet",
          "[rtl][injection]") {
  const int parameter_set = GENERATE(kFourPorts, kFourPorts3Flits);
  Node node(parameter_set);
  const int packets = 20;
  for (int port = 0; port < kRadix; ++port) {
    // The label says nothing: the port alone decides where its packets go.
    for (int tag = 0; tag < packets; ++tag) node.offer(port, 0b1111, tag);
  }
  node.run(packets * node.flits + 4);
  for (const std::vector<Sent>& output : node.sent) {
    REQUIRE(output.size() == static_cast<std::size_t>(packets * node.flits));
    for (int k = 0; k < packets * node.flits; ++k) {
      CAPTURE(k);
      const Sent& sent = output[static_cast<std::size_t>(k)];
      CHECK(sent.cycle == node.flits + k);
      CHECK(sent.flit == node.flit(0b1111, k / node.flits, k % node.flits));
    }
  }
  CHECK(node.idle());
}

TEST_CASE("a port that feeds several outputs sends each packet to those of them that its label names",
          "[rtl][injection]") {
  const int parameter_set = GENERATE(kTwoPorts3Flits, kTwoPorts, kOnePort);
  for (int mask = 1; mask < 1 << kRadix; ++mask) {
    Node node(parameter_set);
    const int port = node.ports - 1;
    CAPTURE(mask, port);
    int fed = 0;
    for (int output = 0; output < kRadix; ++output) fed |= output % node.ports == port ? 1 << output : 0;
    if ((mask & fed) == 0) continue;
    node.offer(port, mask, 7);
    node.run(node.flits + node.flits + 2);
    for (int output = 0; output < kRadix; ++output) {
      CAPTURE(output);
      const bool expected = (mask & fed & 1 << output) != 0;
      CHECK(node.sent[output].size() == (expected ? static_cast<std::size_t>(node.flits) : 0));
      if (expected) CHECK(node.sent[output][0].cycle == node.flits);
    }
    CHECK(node.idle());
  }
}

TEST_CASE("a port takes as many packets as it is deep, and waits for no other port", "[rtl][injection]") {
  const int parameter_set = GENERATE(kFourPorts, kFourPorts3Flits);
  Node node(parameter_set);
  node.returns_credits = false;
  const std::size_t packet = static_cast<std::size_t>(node.flits);
  for (int tag = 0; tag < 10; ++tag) {
    for (int port = 0; port < kRadix; ++port) node.offer(port, 1 << port, tag);
  }
  node.run(12 * node.flits);
  // Two packets of each port have left for the two places at the end of its link, two wait in the node.
  for (int port = 0; port < kRadix; ++port) {
    CHECK(node.sent[port].size() == 2 * packet);
    CHECK(node.waiting(port) == (10 - 2 - static_cast<std::size_t>(node.host_depth)) * packet);
  }
  node.return_credit(2);
  node.run(4 * node.flits);
  for (int port = 0; port < kRadix; ++port) {
    const std::size_t moved = port == 2 ? 1 : 0;
    CHECK(node.sent[port].size() == (2 + moved) * packet);
    CHECK(node.waiting(port) == (10 - 2 - moved - static_cast<std::size_t>(node.host_depth)) * packet);
  }
}

TEST_CASE("packets of one port leave in order of rank", "[rtl][injection]") {
  const int parameter_set = GENERATE(kFourPorts, kFourPorts3Flits, kTwoPorts, kOnePort);
  Node node(parameter_set);
  node.returns_credits = false;
  for (int tag = 0; tag < 2; ++tag) node.offer(0, 1, tag);  // they take the credits
  node.run(4 * node.flits);
  node.offer(0, 1, 2, 3);
  node.offer(0, 1, 3, 1);
  node.run(4 * node.flits);
  node.returns_credits = true;
  node.return_credit(0);
  node.run(6 * node.flits);
  REQUIRE(node.sent[0].size() == static_cast<std::size_t>(4 * node.flits));
  CHECK(node.sent[0][static_cast<std::size_t>(2 * node.flits)].flit == node.flit(1, 3, 0));
  CHECK(node.sent[0][static_cast<std::size_t>(3 * node.flits)].flit == node.flit(1, 2, 0));
}

TEST_CASE("every packet leaves through each of its outputs once, whatever the ports", "[rtl][injection]") {
  const int parameter_set = GENERATE(kFourPorts, kFourPorts3Flits, kTwoPorts3Flits, kTwoPorts, kOnePort);
  Node node(parameter_set);
  std::mt19937 random(static_cast<unsigned>(parameter_set));
  std::map<int, int> expected[kRadix];  // copies by tag
  for (int tag = 0; tag < 200; ++tag) {
    const int port = static_cast<int>(random() % static_cast<unsigned>(node.ports));
    int fed = 0;
    for (int output = 0; output < kRadix; ++output) fed |= output % node.ports == port ? 1 << output : 0;
    const int mask = node.ports == kRadix ? fed : static_cast<int>(random() % 16) & fed;
    if (mask == 0) continue;
    node.offer(port, mask, tag, static_cast<int>(random() % 4));
    for (int output = 0; output < kRadix; ++output) {
      if ((mask & 1 << output) != 0) ++expected[output][tag];
    }
  }
  for (int cycle = 0; cycle < 2000 && (cycle < 5 || !node.idle()); ++cycle) node.clock();
  for (int output = 0; output < kRadix; ++output) {
    std::map<int, int> got;
    for (std::size_t k = 0; k < node.sent[output].size(); k += static_cast<std::size_t>(node.flits))
      ++got[static_cast<int>(node.sent[output][k].flit >> 8 & 0xff)];
    CHECK(got == expected[output]);
  }
}

}  // namespace safnet::testbench
