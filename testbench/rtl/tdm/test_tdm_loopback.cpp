// Sums that a tdm_node sends and goes on combining: over its loopback they become parts of further sums.
#include <algorithm>
#include <random>
#include <vector>

#include "testbench/rtl/tdm/tdm_row.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

// The flits of a packet that is the sum of others, under its own name.
std::vector<std::uint64_t> sum_of(const std::vector<std::uint32_t>& parts, std::uint32_t name, int length) {
  std::vector<std::uint64_t> result;
  for (int k = 0; k < length; ++k) {
    std::uint32_t low = 0, high = 0;
    for (const std::uint32_t part : parts) {
      const std::uint64_t flit = flit_of(part, length, k);
      low += static_cast<std::uint32_t>(flit);
      high += static_cast<std::uint32_t>(flit >> 32);
    }
    if (k == 0) low = tdm_header(name, static_cast<std::uint32_t>(length), kNameWidth);
    result.push_back(low | std::uint64_t{high} << 32);
  }
  return result;
}

// Node 0 combines packet 1, which comes from outside, with packet 2 of its host, sends the sum 8 outside, and
// combines it with packet 3, which comes from node 1. The sum of all, 9, is for its host and for that of
// node 1.
void plan_two_sums(Row& row, int first_begins, int second_begins, int length) {
  const TdmReceive inner = receive(8, kTdmCombine, 1, 0, 2, 2);
  const TdmReceive outer = receive(9, kTdmCombine | kTdmDeliver, 2, 0, 1, 2);
  row.receives(0, kPrevious) = {inner};
  row.from_outside = {{first_begins - row.latency, 0, kPrevious, 1, length}};
  row.loads(0) = {{.receive = inner, .slot = 0, .part = 2, .flits = static_cast<std::uint8_t>(length)}};
  row.sends(0, kOutside) = {send_buffer(1, 1, 0)};
  row.receives(0, kNext) = {outer};
  row.programs[0].loopbacks = {{.sends = {send_buffer(1, 1, 0)}, .receives = {outer}}};
  row.sends(1, kPrevious) = {own_send(static_cast<std::uint32_t>(second_begins - row.latency), 3, length)};
  row.sends(0, kNext) = {send_buffer(1, 2, 0)};
  row.receives(1, kPrevious) = {receive(9, kTdmDeliver)};
}

TEST_CASE("cycle table: a sum leaves while the next part is combined with it",
          "[rtl][tdm_node][cycle_table]") {
  Row row(kFree4);
  // cycle    node 0
  //  6 - 9   packet 1 arrives, and is combined with packet 2
  // 10 - 13  the sum leaves, and goes over the loopback into the buffer in which packet 3 arrives
  // 14       the sum of all leaves
  plan_two_sums(row, 6, 10, 4);
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{10});
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{14});
  REQUIRE(row.delivered.front().node == 0);
  REQUIRE(row.delivered.front().cycle == 13);
  REQUIRE(row.counter(row.dut().sent_o, kNext) == 1);  // what goes over loopbacks is not counted
  REQUIRE(row.counter(row.dut().peak_occupancy_o, 0, 8) == 2);
}

TEST_CASE("a part that arrives while the sum before leaves does not mix with it",
          "[rtl][tdm_node][combine]") {
  const int parameter_set = GENERATE(kFree1, kFree4, kOnePortSend);
  std::mt19937 random(7);
  int before = 0, with = 0, after = 0;
  for (int round = 0; round < 40; ++round) {
    Row row(parameter_set);
    const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(row.flits));
    const int first = 8 + static_cast<int>(random() % 9);
    const int second = round == 0 ? first + length : 8 + static_cast<int>(random() % 16);
    plan_two_sums(row, first, second, length);
    row.start();
    row.run_until_idle();
    CAPTURE(round, length, first, second);
    const int leaves = first + length;
    (second < leaves ? before : second == leaves ? with : after) += 1;
    REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{leaves});
    const int complete = std::max(leaves, second) + length - 1;
    // One packet at a time leaves under one-port-send; then the first has left when the sum of all is there.
    REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{complete + 1});
    for (const Seen& s : row.sent) {
      if (s.node != 0) continue;
      REQUIRE(s.flits == (s.port == kOutside ? sum_of({1, 2}, 8, length) : sum_of({1, 2, 3}, 9, length)));
    }
    REQUIRE(row.delivered.size() == 2);
    for (const Seen& s : row.delivered) REQUIRE(s.flits == sum_of({1, 2, 3}, 9, length));
    REQUIRE(row.delivered.front().cycle == complete);
    REQUIRE(row.counter(row.dut().occupancy_o, 0, 8) == 0);
    REQUIRE(row.counter(row.dut().mismatches_o, 0) == 0);
    REQUIRE(row.counter(row.dut().dry_o, 0) == 0);
  }
  REQUIRE(before > 2);
  REQUIRE(with > 0);
  REQUIRE(after > 2);
}

TEST_CASE("in lockstep a sum goes over the loopback in the slot after it is complete", "[rtl][tdm_node]") {
  Row row(kLockstep4);  // without combine units: a packet is stored, and copied into another buffer
  row.receives(0, kPrevious) = {receive(1, kTdmStore, 0, 0, 2)};
  row.from_outside = {{6, 0, kPrevious, 1, 4}};
  row.sends(0, kOutside) = {send_buffer(2, 0, 0)};
  row.programs[0].loopbacks = {
      {.sends = {send_buffer(2, 0, 0)}, .receives = {receive(1, kTdmStore, 1, 0, 1)}}};
  row.sends(0, kNext) = {send_buffer(3, 1, 0)};
  row.receives(1, kPrevious) = {receive(1, kTdmDeliver)};
  row.start();
  row.run_until_idle();
  REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{11});
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{16});
  REQUIRE(row.late == Ats{{6, 0, kOutside}, {11, 0, kNext}});
  row.require_intact();
}

}  // namespace
}  // namespace safnet::testbench
