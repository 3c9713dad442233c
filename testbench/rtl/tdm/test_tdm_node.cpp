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

#include "rtl_constants.hpp"
#include "testbench/rtl/tdm/tdm_row.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

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
    const std::array<int, kHost + 1> begins_by_lane{begins[2], begins[0], begins[1], begins[3]};
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

struct RunWithMistakes {
  Counts counts;
  std::vector<int> sent_by_0, sent_by_1;  // cycles
  Ats late_sends;
};

// In slots 14 to 26, those in which network time passes 2^31 in late runs: the host of node 0 feeds too
// slowly, two packets arrive at node 1 at once, as one-port nodes may not, and a later one is not the one
// programmed.
RunWithMistakes run_with_mistakes(int parameter_set, const CountsBefore& before) {
  Row row(parameter_set);
  row.host.feed_interval = 4;
  for (std::uint32_t k = 0; k < 12; ++k) {
    row.sends(0, kNext).push_back(own_send(k + 14, k));
    row.receives(1, kPrevious).push_back(receive(k, kTdmStore, static_cast<int>(k % 3), k / 3));
    row.sends(1, kNext).push_back(send_buffer(k + 15, static_cast<int>(k % 3), k / 3));
    row.receives(2, kPrevious).push_back(receive(k, kTdmDeliver));
  }
  row.receives(1, kOutside) = {receive(50, kTdmDeliver), receive(51, kTdmDeliver)};
  row.from_outside = {{15, 1, kOutside, 50, 1}, {40, 1, kOutside, 77, 1}};
  row.start(before);
  row.run_until_idle();
  row.require_intact();
  RunWithMistakes run{counts_of(row.dut(), kNodes, kRadix), row.cycles_sent(0, kNext),
                      row.cycles_sent(1, kNext), row.late};
  row.bench().reset();
  row.bench().settle();
  require_no_counts(counts_of(row.dut(), kNodes, kRadix));
  return run;
}

TEST_CASE("network time and counters go on beyond 2^31, and slots with them", "[rtl][tdm_node][late]") {
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  const int parameter_set = GENERATE(kFree1, kLockstep4, kOnePort);
  CAPTURE(before.packets, parameter_set);
  const RunWithMistakes early = run_with_mistakes(parameter_set, {});
  const RunWithMistakes late = run_with_mistakes(parameter_set, before);
  REQUIRE(early.counts.delivered == std::vector<std::uint64_t>{0, 2, 12});
  // The first times of violations, of programs that are empty, of packets that are not those programmed.
  const std::vector<std::uint32_t>& first = early.counts.first_times;
  REQUIRE((first.at(0 * kNodes + 1) != 0) == (parameter_set == kOnePort));
  REQUIRE((first.at(1 * kNodes + 0) != 0) == (parameter_set != kLockstep4));  // slots of five cycles
  REQUIRE(first.at(2 * kNodes + 1) != 0);
  require_same_counts(early.counts, late.counts, before);
  REQUIRE(late.sent_by_0 == early.sent_by_0);
  REQUIRE(late.sent_by_1 == early.sent_by_1);
  REQUIRE(late.late_sends == early.late_sends);
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
