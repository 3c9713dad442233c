// Four fifo_nodes, each linked with every other: the cycle table of rtl/fifo/README.md, queues in order of
// arrival, and random traffic with every packet accounted for. That a fifo_node takes the same cycles as a
// pifo_node with one rank is tested with the program, in testbench/program/test_plain_routers.py.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "Vrtl_fifo_bench.h"
#include "testbench/rtl/late_counts.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kNodes = 4, kRadix = 3, kFlitWidth = 32;

// Parameter sets of rtl_fifo_bench.sv.
constexpr int kFree1 = 0;        // Flits 1, latency 0, depth 3
constexpr int kLockstep4 = 1;    // Flits 4, latency 1, slots of 5 cycles, depth 2
constexpr int kFree1Depth1 = 2;  // Flits 1, latency 0, depth 1
constexpr int kGrants = 3;       // Flits 4, latency 1, one-port with grants
constexpr int kOnePortSend = 4;  // Flits 1, latency 0, depth 4
constexpr int kParameterSets = 5;

// The port that leads from one node to another.
int port_to(int from, int to) { return (to - from + kNodes - 1) % kNodes; }
unsigned mask_to(int from, int to) { return 1U << port_to(from, to); }

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

struct Delivery {
  int cycle, node;  // cycle: in which the last flit arrived
  Packet packet;
};

class Network {
 public:
  explicit Network(int parameter_set) {
    Vrtl_fifo_bench& d = bench_.dut();
    d.case_i = static_cast<CData>(parameter_set);
    d.start_i = 0;
    d.table_valid_i = 0;
    d.inject_valid_i = 0;
    d.fault_drop_i = d.fault_corrupt_i = 0;
    bench_.reset();
    bench_.settle();
    flits = d.flits_o;
    port_model = d.port_model_o;
    grant_cycles = d.grant_cycles_o;
  }
  int flits = 0, port_model = 0, grant_cycles = 0;
  std::vector<Delivery> deliveries;
  std::map<std::pair<int, int>, std::vector<int>> sent;  // cycles in which a flit left, by node and port

  Vrtl_fifo_bench& dut() { return bench_.dut(); }
  void write_table(int node, unsigned label, unsigned mask, bool deliver) {
    dut().table_valid_i = static_cast<CData>(1 << node);
    dut().table_label_i = static_cast<CData>(label);
    dut().table_mask_i = static_cast<CData>(mask);
    dut().table_deliver_i = deliver;
    bench_.tick();
    dut().table_valid_i = 0;
  }
  void add(int node, const Packet& packet) {
    for (int k = 0; k < packet.length; ++k)
      hosts_.at(static_cast<std::size_t>(node)).push_back(packet.flit(k));
  }
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
  RtlBench<Vrtl_fifo_bench>& bench() { return bench_; }
  int cycle() { return static_cast<int>(dut().cycle_o - time_before_); }

  /// One cycle; its number is cycle() before the call.
  void clock() {
    Vrtl_fifo_bench& d = dut();
    const int now = cycle();
    for (int n = 0; n < kNodes; ++n) {
      const auto& host = hosts_[static_cast<std::size_t>(n)];
      set_field(d.inject_valid_i, n, 1, host.empty() ? 0 : 1);
      if (!host.empty()) set_field(d.inject_flit_i, n, kFlitWidth, host.front());
    }
    bench_.settle();
    for (int n = 0; n < kNodes; ++n) {
      const bool moved = get_field(d.inject_valid_i, n, 1) == 1 && get_field(d.inject_ready_o, n, 1) == 1;
      if (moved) hosts_[static_cast<std::size_t>(n)].pop_front();
      for (int p = 0; p < kRadix; ++p) record(now, n, p);
    }
    bench_.tick();
  }
  void run_until_idle() {
    for (int quiet = 0; quiet < 8;) {
      clock();
      const bool busy =
          dut().idle_o != 15 || std::ranges::any_of(hosts_, [](const auto& h) { return !h.empty(); });
      quiet = busy ? 0 : quiet + 1;
      REQUIRE(cycle() < 20'000);
    }
  }
  int counter(const auto& port, int node, int width = 32) {
    return static_cast<int>(get_field(port, node, width));
  }

 private:
  void record(int now, int node, int port) {
    Vrtl_fifo_bench& d = dut();
    const int index = node * kRadix + port;
    if (get_field(d.tx_valid_o, index, 1) == 1) sent[{node, port}].push_back(now);
    if (get_field(d.deliver_valid_o, index, 1) == 0) return;
    auto& words = arriving_.at(static_cast<std::size_t>(index));
    words.push_back(static_cast<std::uint32_t>(get_field(d.deliver_flit_o, index, kFlitWidth)));
    if (get_field(d.deliver_last_o, index, 1) == 0) return;
    Packet packet{words[0] >> 4 & 15, words[0] & 15, words[0] >> 8 & 0xffff, static_cast<int>(words.size())};
    for (int k = 0; k < packet.length; ++k) REQUIRE(words[static_cast<std::size_t>(k)] == packet.flit(k));
    deliveries.push_back({now - 1, node, packet});
    words.clear();
  }

  RtlBench<Vrtl_fifo_bench> bench_;
  std::uint32_t time_before_ = 0;
  std::array<std::deque<std::uint32_t>, kNodes> hosts_;
  std::array<std::vector<std::uint32_t>, kNodes * kRadix> arriving_;
};

// Label 0: from node 0 over node 1 to the host of node 2.
void write_row(Network& network) {
  network.write_table(0, 0, mask_to(0, 1), false);
  network.write_table(1, 0, mask_to(1, 2), false);
  network.write_table(2, 0, 0, true);
}

TEST_CASE("fifo_node: the cycle table of its page", "[rtl][fifo]") {
  Network network(kFree1);
  write_row(network);
  network.add(0, {0, 0, 1});
  network.add(0, {0, 0, 2});
  network.fill();
  network.start();
  std::vector<int> last_delivery;  // as node 2 says in each cycle
  for (int cycle = 1; cycle <= 4; ++cycle) {
    REQUIRE(network.cycle() == cycle);
    last_delivery.push_back(network.counter(network.dut().last_delivery_cycle_o, 2));
    network.clock();
  }
  network.run_until_idle();
  CHECK(network.sent[{0, port_to(0, 1)}] == std::vector{1, 2});
  CHECK(network.sent[{1, port_to(1, 2)}] == std::vector{2, 3});
  CHECK(last_delivery == std::vector{0, 0, 2, 3});
  REQUIRE(network.deliveries.size() == 2);
  CHECK(network.deliveries[0].packet.tag == 1);
  CHECK(network.deliveries[0].cycle == 2);
  CHECK(network.deliveries[1].cycle == 3);
}

TEST_CASE("fifo_node: packets of several flits in lockstep", "[rtl][fifo]") {
  Network network(kLockstep4);
  write_row(network);
  for (const auto& [tag, length] : {std::pair{1U, 4}, {2U, 1}, {3U, 3}}) network.add(0, {0, 0, tag, length});
  network.fill();
  network.start();
  network.run_until_idle();
  CHECK(network.sent[{0, port_to(0, 1)}] == std::vector{1, 2, 3, 4, 6, 11, 12, 13});
  CHECK(network.sent[{1, port_to(1, 2)}] == std::vector{6, 7, 8, 9, 11, 16, 17, 18});
  REQUIRE(network.deliveries.size() == 3);
  CHECK(network.deliveries[0].cycle == 10);
  CHECK(network.deliveries[1].cycle == 12);
  CHECK(network.deliveries[2].cycle == 19);
  CHECK(network.counter(network.dut().last_delivery_step_o, 2) == 4);
}

TEST_CASE("fifo_node: the order of arrival, of equal ones the lower input first, the host's own last",
          "[rtl][fifo]") {
  for (const int set : {kFree1, kOnePortSend}) {
    Network network(set);
    // All go to node 0 over node 1; node 1 hears from 2, 3 and 0 on its inputs 0, 1 and 2.
    for (const int from : {1, 2, 3}) network.write_table(from, 0, mask_to(from, from == 1 ? 0 : 1), false);
    network.write_table(0, 0, 0, true);
    for (const unsigned source : {3U, 2U, 1U}) {
      for (const unsigned tag : {1U, 2U}) network.add(static_cast<int>(source), {source, 0, tag});
    }
    network.fill();
    network.start();
    network.run_until_idle();
    std::vector<std::pair<unsigned, unsigned>> order;
    for (const Delivery& d : network.deliveries) order.emplace_back(d.packet.source, d.packet.tag);
    // In cycle 1 nothing has arrived yet, so the host's first goes.
    CHECK(order ==
          std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {1, 2}});
  }
}

TEST_CASE("fifo_node: a full queue says what it waits for", "[rtl][fifo]") {
  Network network(kFree1Depth1);
  write_row(network);
  for (unsigned tag = 0; tag < 4; ++tag) network.add(0, {0, 0, tag});
  network.fill();
  network.start();
  bool waited = false;
  for (int k = 0; k < 12; ++k) {
    network.clock();
    waited |= get_field(network.dut().wait_credit_o, port_to(0, 1), 1) == 1;
  }
  network.run_until_idle();
  CHECK(waited);
  CHECK(network.deliveries.size() == 4);
  // A place is used once in 3 cycles: a cycle on the way, one for the credit's register, one for the counter.
  CHECK(network.sent[{0, port_to(0, 1)}] == std::vector{1, 4, 7, 10});
}

TEST_CASE("fifo_node: a granted packet that is lost leaves its receiver waiting", "[rtl][fifo]") {
  Network network(kGrants);
  write_row(network);
  network.add(0, {0, 0, 1});
  network.add(0, {0, 0, 2});
  network.fill();
  network.dut().fault_drop_i = static_cast<SData>(1 << (1 * kRadix + port_to(1, 0)));
  network.start();
  for (int k = 0; k < 100; ++k) network.clock();
  CHECK(network.deliveries.empty());
  CHECK(network.dut().idle_o != 15);
}

TEST_CASE("fifo_node: with grants the next packet waits for no credit before this one has left",
          "[rtl][fifo]") {
  Network network(kGrants);
  write_row(network);
  network.write_table(0, 1, mask_to(0, 3), false);
  network.write_table(3, 1, 0, true);
  // Node 2 grants the first packet, which is lost on the way, and no other: two stay in node 1, which has
  // room for no more.
  network.dut().fault_drop_i = static_cast<SData>(1 << (2 * kRadix + port_to(2, 1)));
  for (unsigned tag = 1; tag <= 3; ++tag) network.add(0, {0, 0, tag});
  network.add(0, {0, 1, 4});
  network.add(0, {0, 0, 5});
  network.fill();
  network.start();
  const auto& to_3 = network.sent[{0, port_to(0, 3)}];
  for (int k = 0; k < 200; ++k) {
    const bool waits = get_field(network.dut().wait_credit_o, port_to(0, 1), 1) == 1;
    const std::size_t before = to_3.size();
    network.clock();
    CHECK(!(waits && to_3.size() > before));
  }
  CHECK(to_3.size() == 1);
  CHECK(network.deliveries.size() == 1);
  CHECK(get_field(network.dut().wait_credit_o, port_to(0, 1), 1) == 1);
}

TEST_CASE("fifo_node: random traffic, every flow in order and nothing lost", "[rtl][fifo]") {
  const int set = GENERATE(range(0, kParameterSets));
  for (unsigned seed = 1; seed <= 4; ++seed) {
    INFO("parameter set " << set << ", seed " << seed);
    Network network(set);
    std::mt19937 random(seed);
    const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    // Labels 0 to 3: straight to that node; 4 to 7: around the ring to it; 8 to 11: from that node to all
    // others.
    for (int node = 0; node < kNodes; ++node) {
      for (int to = 0; to < kNodes; ++to) {
        network.write_table(node, static_cast<unsigned>(to), node == to ? 0 : mask_to(node, to), node == to);
        const int next = (node + 1) % kNodes;
        network.write_table(node, static_cast<unsigned>(4 + to), node == to ? 0 : mask_to(node, next),
                            node == to);
        network.write_table(node, static_cast<unsigned>(8 + to), node == to ? 7 : 0, node != to);
      }
    }
    using Flow = std::tuple<int, unsigned, unsigned>;  // destination, source, label
    std::map<Flow, std::vector<Packet>> expected, got;
    const bool has_multicast = network.port_model != 1 || network.grant_cycles != 0;
    for (unsigned k = 0; k < 160; ++k) {
      const unsigned source = below(4), way = below(has_multicast ? 3 : 2);
      // A ring with full queues would be a circle of packets that wait for each other.
      const bool around = way == 1 && k % 5 == 0;
      const unsigned to = (source + 1 + below(3)) % 4;
      const unsigned label = way == 2 ? 8 + source : around ? 4 + to : to;
      const Packet packet{source, label, k,
                          static_cast<int>(1 + below(static_cast<unsigned>(network.flits)))};
      network.add(static_cast<int>(source), packet);
      for (unsigned n = 0; n < 4; ++n) {
        if (way == 2 ? n != source : n == to)
          expected[{static_cast<int>(n), source, label}].push_back(packet);
      }
    }
    if (seed % 2 == 0) network.fill();
    network.start();
    network.run_until_idle();
    for (const Delivery& d : network.deliveries)
      got[{d.node, d.packet.source, d.packet.label}].push_back(d.packet);
    REQUIRE(got == expected);
    for (int node = 0; node < kNodes; ++node) {
      REQUIRE(network.counter(network.dut().occupancy_o, node, 8) == 0);
      if (network.port_model == 0) REQUIRE(network.counter(network.dut().violations_o, node) == 0);
    }
  }
}

TEST_CASE("fifo_node: network time and counters go on beyond 2^31", "[rtl][fifo][late]") {
  const int set = GENERATE(kFree1, kLockstep4, kGrants);
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  CAPTURE(set, before.packets);
  const auto run = [&](const CountsBefore& from) {
    Network network(set);
    write_row(network);
    network.write_table(3, 1, mask_to(3, 1), false);
    network.write_table(1, 1, 0, true);
    for (unsigned tag = 0; tag < 40; ++tag) {
      network.add(0, {0, 0, tag, 1 + static_cast<int>(tag) % network.flits});
      network.add(3, {3, 1, tag});
    }
    network.fill();
    network.start(from);
    network.run_until_idle();
    const Counts counts = counts_of(network.dut(), kNodes, kRadix);
    network.bench().reset();
    network.bench().settle();
    require_no_counts(counts_of(network.dut(), kNodes, kRadix));
    return std::pair{counts, network.sent};
  };
  const auto [early, sent] = run({});
  REQUIRE(early.delivered == std::vector<std::uint64_t>{0, 40, 40, 0});
  const auto [late, late_sent] = run(before);
  REQUIRE(late_sent == sent);
  require_same_counts(early, late, before);
}

}  // namespace
}  // namespace safnet::testbench
