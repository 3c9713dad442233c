// Three nodes in a row: the exact cycle table of rtl/pifo/README.md, order of ties, protocol assertions,
// faults, and random traffic with every packet accounted for.
#include <map>
#include <random>
#include <vector>

#include "testbench/rtl/pifo/pifo_row.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using namespace pifo_row;

TEST_CASE("cycle table: two packets, two hops, one flit, latency 0", "[rtl][pifo_node][cycle_table]") {
  Row row(kFree1);
  write_routes(row);
  const Packet a{0, 2, 1, 1}, b{0, 2, 2, 1};
  row.add(0, a);
  row.add(0, b);
  row.fill();
  REQUIRE(row.sent.empty());  // nothing moves before the start
  REQUIRE(row.cycle() == 0);
  row.start();
  // cycle      node 0      node 1      node 2
  //   1        sends a     receives a
  //   2        sends b     sends a     receives a
  //   3                    sends b     receives b, a is at the host
  //   4                                b is at the host
  const auto valid = [&](int node) { return get_field(row.dut().tx_valid_o, node * kRadix + kNext, 1) == 1; };
  const auto flit = [&](int node) {
    return get_field(row.dut().tx_flit_o, node * kRadix + kNext, kFlitWidth);
  };
  const auto at_host = [&] { return get_field(row.dut().deliver_valid_o, 2 * kRadix + kPrevious, 1) == 1; };
  const auto host_flit = [&] {
    return get_field(row.dut().deliver_flit_o, 2 * kRadix + kPrevious, kFlitWidth);
  };

  REQUIRE(row.cycle() == 1);
  REQUIRE((valid(0) && flit(0) == a.flit(0)));
  REQUIRE(!valid(1));
  row.clock();
  REQUIRE(row.cycle() == 2);
  REQUIRE((valid(0) && flit(0) == b.flit(0)));
  REQUIRE((valid(1) && flit(1) == a.flit(0)));
  REQUIRE(!at_host());
  row.clock();
  REQUIRE(row.cycle() == 3);
  REQUIRE(!valid(0));
  REQUIRE((valid(1) && flit(1) == b.flit(0)));
  REQUIRE((at_host() && host_flit() == a.flit(0)));
  REQUIRE(row.counter(row.dut().delivered_o, 2) == 1);
  REQUIRE(row.counter(row.dut().last_delivery_cycle_o, 2) == 2);  // hops
  row.clock();
  REQUIRE(row.cycle() == 4);
  REQUIRE(row.dut().tx_valid_o == 0);
  REQUIRE((at_host() && host_flit() == b.flit(0)));
  row.run_until_idle();
  REQUIRE(row.counter(row.dut().delivered_o, 2) == 2);
  REQUIRE(row.counter(row.dut().last_delivery_cycle_o, 2) == 3);
  REQUIRE(row.counter(row.dut().last_delivery_step_o, 2) == 3);
  REQUIRE(get_field(row.dut().delay_sum_o, 2, 64) == 2 + 3);
  REQUIRE(row.counter(row.dut().sent_o, 0 * kRadix + kNext) == 2);
  REQUIRE(row.counter(row.dut().received_o, 1 * kRadix + kPrevious) == 2);
  REQUIRE(row.counter(row.dut().sent_o, 1 * kRadix + kNext) == 2);
  REQUIRE(row.counter(row.dut().received_o, 2 * kRadix + kPrevious) == 2);
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 0, kOccupancyWidth) == 2);
  REQUIRE(row.counter(row.dut().peak_transit_o, 0, kOccupancyWidth) == 0);
  REQUIRE(row.counter(row.dut().peak_transit_o, 1, kOccupancyWidth) == 1);
}

TEST_CASE("cycle table: four flits, latency 1, slots of five cycles", "[rtl][pifo_node][cycle_table]") {
  Row row(kLockstep4);
  write_routes(row);
  row.add(0, {0, 2, 1, 4});
  row.add(0, {0, 2, 2, 1});  // a short packet still takes a slot
  row.add(0, {0, 2, 3, 3});
  row.fill();
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{1, 2, 3, 4, 6, 11, 12, 13});
  REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{6, 7, 8, 9, 11, 16, 17, 18});
  REQUIRE(row.deliveries.size() == 3);
  REQUIRE(row.deliveries[0].cycle == 10);
  REQUIRE(row.deliveries[1].cycle == 12);
  REQUIRE(row.deliveries[2].cycle == 19);
  REQUIRE(row.counter(row.dut().last_delivery_step_o, 2) == 4);
  REQUIRE(get_field(row.dut().delay_sum_o, 2, 64) == 2 + 3 + 4);
}

TEST_CASE("an idle row takes hops x (grant + length + latency) cycles, or slots", "[rtl][pifo_node]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  const int from = GENERATE(0, 1, 2);
  const int to = GENERATE(0, 1, 2);
  if (from == to) return;
  const int hops = std::abs(from - to);
  CAPTURE(parameter_set, from, to);
  for (int length = 1; length <= Row(parameter_set).flits; ++length) {
    CAPTURE(length);
    Row row(parameter_set);
    write_routes(row);
    row.add(from, {static_cast<unsigned>(from), static_cast<unsigned>(to), 7, length});
    row.fill();
    row.start();
    row.run_until_idle();
    const int hop = row.grant_cycles + length + row.latency;
    const int expected = row.slot_cycles == 1 ? hops * hop : (hops - 1) * row.slot_cycles + hop;
    const int step = row.slot_cycles == 1 ? expected : hops;
    REQUIRE(row.deliveries.size() == 1);
    REQUIRE(row.deliveries[0].node == to);
    REQUIRE(row.deliveries[0].cycle == expected);
    REQUIRE(row.counter(row.dut().last_delivery_cycle_o, to) == expected);
    REQUIRE(row.counter(row.dut().last_delivery_step_o, to) == step);
    for (int n = 0; n < kNodes; ++n) {
      REQUIRE(row.counter(row.dut().violations_o, n) == 0);
      REQUIRE(row.counter(row.dut().delivered_o, n) == (n == to ? 1 : 0));
    }
  }
}

TEST_CASE("ties: rank, then transit before local, then arrival, then the lower port",
          "[rtl][pifo_node][order]") {
  const bool urgent_from_outside = GENERATE(false, true);
  CAPTURE(urgent_from_outside);
  Row row(kFree1);
  // All of them leave node 1 through the port to the outside.
  const unsigned from_node_0 = 3, from_node_2 = 4, from_outside = 5, local = 6;
  row.write_table(0, from_node_0, kToNext, false);
  row.write_table(2, from_node_2, kToPrevious, false);
  row.write_table(1, from_node_0, kToOutside, false, 1);
  row.write_table(1, from_node_2, kToOutside, false, 1);
  row.write_table(1, from_outside, kToOutside, false, urgent_from_outside ? 0 : 1);
  row.write_table(1, local, kToOutside, false, 1);
  const Packet a{0, from_node_0, 1, 1}, b{2, from_node_2, 2, 1}, c{9, from_outside, 3, 1};
  const Packet early{1, local, 4, 1}, late{1, local, 5, 1};
  row.add(0, a);
  row.add(2, b);
  row.add(1, early, 1);
  row.add(1, late, 1);
  row.from_outside.push_back({1, 1, kOutside, c.flit(0)});
  row.fill();
  row.start();
  row.run_until_idle();
  std::vector<std::uint32_t> order;
  for (const Sent& s : row.sent) {
    if (s.node == 1) order.push_back(s.flit);
  }
  REQUIRE(row.cycles_sent(1, kOutside) == std::vector<int>{1, 2, 3, 4, 5});
  const std::vector<std::uint32_t> equal{early.flit(0), b.flit(0), a.flit(0), c.flit(0), late.flit(0)};
  const std::vector<std::uint32_t> ranked{early.flit(0), c.flit(0), b.flit(0), a.flit(0), late.flit(0)};
  REQUIRE(order == (urgent_from_outside ? ranked : equal));
}

TEST_CASE("ties: an earlier arrival leaves before a lower port", "[rtl][pifo_node][order]") {
  Row row(kFree1);
  const unsigned label = 5;
  row.write_table(1, label, kToOutside, false, 1);
  row.write_table(2, label, kToPrevious, false, 1);
  const Packet x{9, label, 1, 1}, y{9, label, 2, 1}, z{2, label, 3, 1};
  row.add(2, z, 1);  // reaches port 0 of node 1 in cycle 1
  row.from_outside = {{1, 1, kOutside, x.flit(0)}, {2, 1, kOutside, y.flit(0)}};
  row.fill();
  row.start();
  row.run_until_idle();
  std::vector<std::uint32_t> order;
  for (const Sent& s : row.sent) {
    if (s.node == 1) order.push_back(s.flit);
  }
  REQUIRE(order == std::vector<std::uint32_t>{z.flit(0), x.flit(0), y.flit(0)});
}

/// Cycle, node and port of what a node sent.
std::vector<std::pair<int, unsigned>> ports_and_tags(const Row& row, int node) {
  std::vector<std::pair<int, unsigned>> result;
  for (const Sent& s : row.sent) {
    if (s.node == node) result.emplace_back(s.port, s.flit >> 8 & 0xffff);
  }
  return result;
}

TEST_CASE("the packets of a branch are dealt to its links as they arrive", "[rtl][pifo_node][dealt]") {
  Row row(kDealt);
  row.dut().branch_first_i = 0b101'101'101;  // of node 1: ports 0 and 1 are one branch
  const unsigned across = 5, everywhere = 6;
  row.write_table(0, across, kToOutside, true);
  row.write_table(0, everywhere, kNoPort, true);
  row.write_table(1, across, kToNext, false);
  row.write_table(1, everywhere, kToNext | kToOutside, false);
  row.write_table(2, across, kNoPort, true);
  row.write_table(2, everywhere, kNoPort, true);
  row.add(1, {1, everywhere, 1, 1});
  row.add(1, {1, across, 2, 1});
  row.add(1, {1, across, 3, 1});
  row.from_outside = {{1, 1, kOutside, Packet{9, across, 4, 1}.flit(0)}};
  row.fill();
  row.start();
  row.run_until_idle();
  // The host's three are dealt before the start, so that the fourth is the second link's.
  using Sends = std::vector<std::pair<int, unsigned>>;
  REQUIRE(ports_and_tags(row, 1) ==
          Sends{{kNext, 1}, {kPrevious, 2}, {kOutside, 1}, {kNext, 3}, {kPrevious, 4}});
}

TEST_CASE("what is left of a packet goes on with its own rank, before what arrives in that cycle",
          "[rtl][pifo_node][rest_rank]") {
  Row row(kRestRanks);
  const unsigned spread = 5, urgent = 6, late = 7, keeps = 8;
  row.dut().table_rest_i = 1;
  row.dut().table_rest_rank_i = 2;
  row.write_table(1, spread, 7, false, 1);
  row.dut().table_rest_i = 0;
  row.write_table(1, urgent, kToOutside, false, 1);
  row.write_table(1, late, kToOutside, false, 2);
  row.write_table(1, keeps, kToOutside | kToNext, false, 2);
  for (const int node : {0, 2}) {
    for (const unsigned label : {spread, urgent, late, keeps}) row.write_table(node, label, kNoPort, true);
  }
  row.add(1, {1, spread, 1, 1}, 1);
  row.add(1, {1, urgent, 2, 1}, 1);
  row.add(1, {1, keeps, 3, 1}, 2);
  // Arrives in cycle 1, in which the first copy of packet 1 leaves.
  row.from_outside = {{1, 1, kOutside, Packet{9, late, 4, 1}.flit(0)}};
  row.fill();
  row.start();
  row.run_until_idle();
  using Sends = std::vector<std::pair<int, unsigned>>;
  REQUIRE(ports_and_tags(row, 1) == Sends{{kNext, 1},
                                          {kOutside, 2},
                                          {kPrevious, 1},
                                          {kOutside, 1},
                                          {kOutside, 4},
                                          {kNext, 3},
                                          {kOutside, 3}});
}

TEST_CASE("peaks of a queue: with and without the packet that starts", "[rtl][pifo_node][peaks]") {
  const int parameter_set = GENERATE(kFree1, kLockstep4);
  CAPTURE(parameter_set);
  Row row(parameter_set);
  write_routes(row);
  const unsigned out = 3, also_out = 4;
  row.write_table(0, out, kToNext, false);
  row.write_table(2, also_out, kToPrevious, false);
  row.write_table(1, out, kToOutside, false);
  row.write_table(1, also_out, kToOutside, false);
  for (unsigned k = 0; k < 2; ++k) {
    row.add(0, {0, out, k, row.flits});
    row.add(2, {2, also_out, k, row.flits});
  }
  row.add(1, {1, 2, 9, row.flits});
  row.fill();
  row.start();
  row.run_until_idle();
  // In slots 1 and 2 two packets come to node 1's port to the outside; one leaves it in every slot from 2 on.
  const auto stored = [&](int node, int port) {
    return row.counter(row.dut().peak_stored_o, node * kRadix + port, kOccupancyWidth);
  };
  const auto waiting = [&](int node, int port) {
    return row.counter(row.dut().peak_waiting_o, node * kRadix + port, kOccupancyWidth);
  };
  REQUIRE(stored(0, kNext) == 2);
  REQUIRE(waiting(0, kNext) == 1);
  REQUIRE(stored(1, kNext) == 1);
  REQUIRE(waiting(1, kNext) == 0);
  REQUIRE(stored(1, kOutside) == 3);
  REQUIRE(waiting(1, kOutside) == 2);
  REQUIRE(stored(1, kPrevious) == 0);
  REQUIRE(waiting(1, kPrevious) == 0);
  REQUIRE(stored(2, kPrevious) == 2);
}

TEST_CASE("nothing that a node tells its neighbours follows an input before the clock", "[rtl][pifo_node]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  CAPTURE(parameter_set);
  Row row(parameter_set);
  write_routes(row);
  row.write_table(1, 3, kToOutside, false);
  for (unsigned k = 0; k < 6; ++k) {
    row.add(0, {0, 2, k, row.flits});
    row.add(1, {1, 0, k, 1});
    row.add(2, {2, 1, k, row.flits});
  }
  row.fill();
  row.start();
  std::mt19937 random(1);
  auto& d = row.dut();
  const auto outputs = [&] {
    std::vector<std::uint64_t> values{d.tx_valid_o, d.tx_credit_o, d.tx_request_o, d.tx_grant_o};
    for (int i = 0; i < kNodes * kRadix; ++i) values.push_back(get_field(d.tx_flit_o, i, kFlitWidth));
    for (int i = 0; i < kNodes; ++i) values.push_back(get_field(d.inject_ready_o, i, 1));
    return values;
  };
  for (int k = 0; k < 60; ++k) {
    CAPTURE(k);
    const auto before = outputs();
    for (int tries = 0; tries < 4; ++tries) {
      const auto ports = [&] { return static_cast<SData>(random() & 0x1ff); };
      d.rx_valid_i = ports();
      d.rx_credit_i = ports();
      d.rx_request_i = ports();
      d.rx_grant_i = ports();
      d.fault_drop_i = ports();
      d.fault_corrupt_i = ports();
      d.inject_valid_i = static_cast<CData>(random() & 7);
      d.table_valid_i = static_cast<CData>(random() & 7);
      d.start_i = static_cast<CData>(random() & 1);
      for (int i = 0; i < kNodes * kRadix; ++i) set_field(d.rx_flit_i, i, kFlitWidth, random());
      for (int i = 0; i < kNodes; ++i) set_field(d.inject_flit_i, i, kFlitWidth, random());
      row.bench().settle();
      REQUIRE(outputs() == before);
    }
    d.rx_valid_i = d.rx_credit_i = d.rx_request_i = d.rx_grant_i = d.fault_drop_i = d.fault_corrupt_i = 0;
    d.table_valid_i = d.start_i = 0;
    row.clock();
  }
  row.run_until_idle();
  REQUIRE(row.deliveries.size() == 18);  // and all of that did no harm
}

TEST_CASE("faults on a link are seen by the receiver", "[rtl][pifo_node][fault]") {
  const bool drop = GENERATE(false, true);
  Row row(kFree1);
  write_routes(row);
  row.check_payload = false;
  const Packet packet{0, 1, 3, 1};
  row.add(0, packet);
  row.fill();
  const auto link = static_cast<SData>(1 << (1 * kRadix + kPrevious));
  (drop ? row.dut().fault_drop_i : row.dut().fault_corrupt_i) = link;
  row.start();
  row.run_to_cycle(10);
  REQUIRE(row.sent.size() == 1);
  REQUIRE(row.deliveries.size() == (drop ? 0 : 1));
  REQUIRE(row.counter(row.dut().received_o, 1 * kRadix + kPrevious) == (drop ? 0 : 1));
  if (!drop) {
    const auto flit = get_field(row.dut().deliver_flit_o, 1 * kRadix + kPrevious, kFlitWidth);
    REQUIRE(flit == (packet.flit(0) ^ 0x8000'0000U));
  }
}

TEST_CASE("protocol errors of a neighbour are caught by assertions", "[rtl][pifo_node][assertion]") {
  const auto run = [](Row& row) { row.run_to_cycle(40); };
  SECTION("more packets than credits") {
    Row row(kFree1);
    row.write_table(1, 3, kToNext, false);
    row.write_table(2, 3, kToOutside, false);
    row.outside_returns_credits = false;
    const auto send = [&](int packets) {
      for (int k = 0; k < packets; ++k) {
        row.from_outside.push_back({1 + k, 1, kOutside, Packet{9, 3, static_cast<unsigned>(k), 1}.flit(0)});
      }
    };
    SECTION("as many as there is room for") {
      send(3 * row.depth);  // nodes 1 and 2 and what leaves node 2 with its first credits
      row.start();
      REQUIRE_NOTHROW(run(row));
    }
    SECTION("too many") {
      send(3 * row.depth + 1);
      row.start();
      REQUIRE_THROWS_AS(run(row), BenchError);
    }
  }
  SECTION("a gap between the flits of a packet") {
    Row row(kLockstep4);
    row.write_table(1, 3, kToNext, false);
    const Packet packet{9, 3, 1, 2};
    row.from_outside = {{1, 1, kOutside, packet.flit(0)}, {3, 1, kOutside, packet.flit(1)}};
    row.start();
    REQUIRE_THROWS_AS(run(row), BenchError);
  }
  SECTION("length 0") {
    Row row(kLockstep4);
    row.write_table(1, 3, kToNext, false);
    row.from_outside = {{1, 1, kOutside, Packet{9, 3, 1, 0}.flit(0)}};
    row.start();
    REQUIRE_THROWS_AS(run(row), BenchError);
  }
  SECTION("a packet longer than the longest") {
    Row row(kLockstep4);
    row.write_table(1, 3, kToNext, false);
    row.from_outside = {{1, 1, kOutside, Packet{9, 3, 1, 5}.flit(0)}};
    row.start();
    REQUIRE_THROWS_AS(run(row), BenchError);
  }
  SECTION("a label that leads nowhere") {
    Row row(kFree1);
    row.write_table(1, 3, kNoPort, false);
    row.from_outside = {{1, 1, kOutside, Packet{9, 3, 1, 1}.flit(0)}};
    row.start();
    REQUIRE_THROWS_AS(run(row), BenchError);
  }
  SECTION("a packet without a grant") {
    Row row(kOnePortGrants);
    row.write_table(1, 3, kToNext, false);
    row.from_outside = {{1, 1, kOutside, Packet{9, 3, 1, 1}.flit(0)}};
    row.start();
    REQUIRE_THROWS_AS(run(row), BenchError);
  }
}

using Flow = std::tuple<int, unsigned, unsigned>;  // destination, source, label
using Flows = std::map<Flow, std::vector<Packet>>;

// 150 packets, for one host or for both others. Returns what must arrive.
Flows add_random_traffic(Row& row, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  // Labels 0 to 2 lead to one host; label 4 + s from node s to both others. Ranks differ from node to node.
  for (int node = 0; node < kNodes; ++node) {
    for (int to = 0; to < kNodes; ++to) {
      const unsigned mask = node < to ? kToNext : node > to ? kToPrevious : kNoPort;
      row.write_table(node, static_cast<unsigned>(to), mask, node == to, below(4));
    }
    for (int from = 0; from < kNodes; ++from) {
      const unsigned onwards = node < 2 ? kToNext : kNoPort, back = node > 0 ? kToPrevious : kNoPort;
      const unsigned mask = node == from ? onwards | back : node > from ? onwards : back;
      row.write_table(node, static_cast<unsigned>(4 + from), mask, node != from, below(4),
                      below(2) ? 0b100100 : 0b100001);
    }
  }
  Flows expected;
  std::array<unsigned, 16> rank_of_label{};
  for (auto& rank : rank_of_label) rank = below(4);
  for (unsigned k = 0; k < 150; ++k) {
    const unsigned source = below(3);
    const bool both = below(4) == 0;
    const unsigned label = both ? 4 + source : (source + 1 + below(2)) % 3;
    const Packet packet{source, label, k, static_cast<int>(1 + below(static_cast<unsigned>(row.flits)))};
    row.add(static_cast<int>(source), packet, rank_of_label[label]);
    for (int to = 0; to < kNodes; ++to) {
      if (both ? to != static_cast<int>(source) : to == static_cast<int>(label)) {
        expected[{to, source, label}].push_back(packet);
      }
    }
  }
  return expected;
}

TEST_CASE("random traffic arrives once, in order and intact", "[rtl][pifo_node][random]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  const auto seed = GENERATE(1U, 2U, 3U);
  CAPTURE(parameter_set, seed);
  Row row(parameter_set);
  const Flows expected = add_random_traffic(row, seed);
  Flows got;
  row.fill();
  row.start();
  row.run_until_idle();
  std::array<std::uint64_t, kNodes> steps{};
  std::array<int, kNodes> count{}, last{};
  for (const Delivery& d : row.deliveries) {
    got[{d.node, d.packet.source, d.packet.label}].push_back(d.packet);
    const auto n = static_cast<std::size_t>(d.node);
    steps[n] += static_cast<std::uint64_t>((d.cycle - 1) / row.slot_cycles + 1);
    ++count[n];
    last[n] = d.cycle;
  }
  REQUIRE(got == expected);
  auto& d = row.dut();
  for (int node = 0; node < kNodes; ++node) {
    const auto n = static_cast<std::size_t>(node);
    REQUIRE(row.counter(d.delivered_o, node) == count[n]);
    REQUIRE(row.counter(d.last_delivery_cycle_o, node) == last[n]);
    REQUIRE(get_field(d.delay_sum_o, node, 64) == steps[n]);
    REQUIRE(row.counter(d.occupancy_o, node, kOccupancyWidth) == 0);
    if (row.grant_cycles > 0 || row.port_model != 1) REQUIRE(row.counter(d.violations_o, node) == 0);
  }
  for (int node = 0; node + 1 < kNodes; ++node) {
    REQUIRE(row.counter(d.sent_o, node * kRadix + kNext) ==
            row.counter(d.received_o, (node + 1) * kRadix + kPrevious));
    REQUIRE(row.counter(d.sent_o, (node + 1) * kRadix + kPrevious) ==
            row.counter(d.received_o, node * kRadix + kNext));
  }
  if (row.port_model != 0) {  // one packet leaves at a time
    std::map<std::pair<int, int>, int> flits_at;
    for (const Sent& s : row.sent) ++flits_at[{s.node, s.cycle}];
    for (const auto& [where, flits] : flits_at) REQUIRE(flits == 1);
  }
}

TEST_CASE("network time and counters go on beyond 2^31", "[rtl][pifo_node][late]") {
  // Nodes of kOnePort hear several neighbours at once: their violations are counted.
  const int parameter_set = GENERATE(kFree1, kLockstep4, kOnePort);
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  CAPTURE(parameter_set, before.packets);
  const auto run = [&](const CountsBefore& from) {
    Row row(parameter_set);
    add_random_traffic(row, 1);
    row.fill();
    row.start(from);
    row.run_until_idle();
    const Counts counts = counts_of(row.dut(), kNodes, kRadix);
    row.bench().reset();
    row.bench().settle();
    require_no_counts(counts_of(row.dut(), kNodes, kRadix));
    std::vector<std::tuple<int, int, int, std::uint32_t>> sent;
    for (const Sent& s : row.sent) sent.emplace_back(s.cycle, s.node, s.port, s.flit);
    return std::pair{counts, sent};
  };
  const auto [early, sent] = run({});
  REQUIRE((parameter_set == kOnePort) == (early.first_times != std::vector<std::uint32_t>{0, 0, 0}));
  const auto [late, late_sent] = run(before);
  REQUIRE(late_sent == sent);
  require_same_counts(early, late, before);
}

}  // namespace
}  // namespace safnet::testbench
