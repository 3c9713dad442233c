// Links with latencies and widths of their own: when packets cross them, when credits come back, what waits.
#include "testbench/rtl/tdm/tdm_row.hpp"

namespace safnet::testbench {
namespace {

// The link from node `from` to its neighbour through `port`, and its credits back.
void set_link(Row& row, int from, int port, int latency, int cycles_per_flit) {
  const int out = from * kRadix + port;
  const int in = (port == kNext ? from + 1 : from - 1) * kRadix + (port == kNext ? kPrevious : kNext);
  set_field(row.dut().tx_interval_i, out, 8, static_cast<std::uint64_t>(cycles_per_flit));
  set_field(row.dut().credit_latency_i, out, 16, static_cast<std::uint64_t>(latency));
  set_field(row.dut().rx_interval_i, in, 8, static_cast<std::uint64_t>(cycles_per_flit));
  set_field(row.dut().rx_latency_i, in, 16, static_cast<std::uint64_t>(latency));
}

// Packets of node 0's host for node 1, all as soon as they can be.
void send_from_0_to_1(Row& row, const std::vector<int>& lengths) {
  std::uint32_t name = 1;
  for (const int flits : lengths) {
    row.sends(0, kNext).push_back(own_send(1, name, flits));
    row.receives(1, kPrevious).push_back(receive(name, kTdmDeliver));
    ++name;
  }
}

std::vector<int> cycles_delivered(const Row& row, int node) {
  std::vector<int> cycles;
  for (const Seen& packet : row.delivered) {
    if (packet.node == node) cycles.push_back(packet.cycle);
  }
  return cycles;
}

}  // namespace

TEST_CASE("tdm_node: a slow link takes a packet its cycles per flit, and hands it over whole", "[rtl][tdm]") {
  // Flits of a packet are delivered back to back; Row requires that. The second packet is shorter.
  struct Case {
    int latency, cycles_per_flit;
    std::vector<int> sent, delivered;
  };
  for (const Case& c : std::vector<Case>{{0, 1, {1, 5}, {4, 6}},
                                         {3, 1, {1, 5}, {7, 9}},
                                         {0, 2, {1, 9}, {8, 12}},
                                         {3, 2, {1, 9}, {11, 15}},
                                         {5, 5, {1, 21}, {25, 35}}}) {
    CAPTURE(c.latency, c.cycles_per_flit);
    Row row(kUnequal4);
    set_link(row, 0, kNext, c.latency, c.cycles_per_flit);
    send_from_0_to_1(row, {4, 2});
    row.start();
    row.run_until_idle();
    CHECK(row.cycles_sent(0, kNext) == c.sent);
    CHECK(cycles_delivered(row, 1) == c.delivered);
    row.require_intact();
  }
}

TEST_CASE("tdm_node: the credits of a link take its latency, whatever its width", "[rtl][tdm]") {
  // Two packets are granted from the start. The first to arrive makes room for the third.
  const auto third = [](int latency, int cycles_per_flit) {
    Row row(kUnequal4);
    set_link(row, 0, kNext, latency, cycles_per_flit);
    send_from_0_to_1(row, {1, 1, 1});
    row.start();
    row.run_until_idle();
    return row.cycles_sent(0, kNext).at(2);
  };
  const int without = third(0, 1);
  CHECK(third(4, 1) == without + 8);   // the packet and the credit
  CHECK(third(4, 3) == without + 10);  // a flit is there two cycles later, the credit is not
}

TEST_CASE("tdm_node: links of one node keep to their own times", "[rtl][tdm]") {
  // Node 1 sends to both sides, over a wire and over a slow line; both come back over others.
  Row row(kUnequal4);
  set_link(row, 1, kPrevious, 0, 1);
  set_link(row, 1, kNext, 2, 3);
  set_link(row, 0, kNext, 6, 1);
  set_link(row, 2, kPrevious, 0, 2);
  row.sends(1, kPrevious).push_back(own_send(1, 1, 2));
  row.sends(1, kNext).push_back(own_send(1, 2, 2));
  row.receives(0, kNext).push_back(receive(1, kTdmStore, 0));
  row.receives(2, kPrevious).push_back(receive(2, kTdmStore, 0));
  row.sends(0, kNext).push_back(send_buffer(1, 0, 0));
  row.sends(2, kPrevious).push_back(send_buffer(1, 0, 0));
  row.receives(1, kPrevious).push_back(receive(1, kTdmDeliver));
  row.receives(1, kNext).push_back(receive(2, kTdmDeliver));
  row.start();
  row.run_until_idle();
  CHECK(row.cycles_sent(0, kNext) == std::vector<int>{3});      // there at the end of cycle 2
  CHECK(row.cycles_sent(2, kPrevious) == std::vector<int>{9});  // at the end of 1 + 6 - 1 + 2
  CHECK(cycles_delivered(row, 1) == std::vector<int>{10, 12});  // 3 + 2 - 1 + 6; 9 + 4 - 1
  row.require_intact();
}

TEST_CASE("tdm_node: parts that come over a slow and a quick link are combined", "[rtl][tdm]") {
  Row row(kUnequal4);
  set_link(row, 0, kNext, 1, 3);
  set_link(row, 2, kPrevious, 0, 1);
  row.sends(0, kNext).push_back(own_send(1, 1, 3));
  row.sends(2, kPrevious).push_back(own_send(8, 2, 3));
  row.receives(1, kPrevious).push_back(receive(3, kTdmCombine | kTdmDeliver, 0, 0, 0, 2));
  row.receives(1, kNext).push_back(receive(3, kTdmCombine | kTdmDeliver, 0, 0, 0, 2));
  row.start();
  row.run_until_idle();
  // The first comes in cycles 8 to 10, the second in 8 to 10 as well.
  REQUIRE(row.delivered.size() == 1);
  CHECK(row.delivered[0].cycle == 10);
  for (std::size_t k = 1; k < 3; ++k) {
    const std::uint64_t a = flit_of(1, 3, static_cast<int>(k)), b = flit_of(2, 3, static_cast<int>(k));
    const std::uint64_t low = (a + b) & 0xffff'ffff, high = ((a >> 32) + (b >> 32)) & 0xffff'ffff;
    CHECK(row.delivered[0].flits[k] == (high << 32 | low));
  }
}

}  // namespace safnet::testbench
