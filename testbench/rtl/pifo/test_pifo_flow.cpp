// Three nodes in a row: places, credits and back-pressure, of links and of hosts, and the port models.
#include <vector>

#include "testbench/rtl/pifo/pifo_row.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using namespace pifo_row;

TEST_CASE("how deep a queue must be for the full rate", "[rtl][pifo_node][rate]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  CAPTURE(parameter_set);
  Row row(parameter_set);
  write_routes(row);
  constexpr int kPackets = 24;
  for (unsigned k = 0; k < kPackets; ++k) row.add(0, {0, 2, k, row.flits});
  row.fill();
  row.start();
  row.run_until_idle();
  REQUIRE(row.deliveries.size() == kPackets);
  // One place: spent when the packet starts; the next node has it after Flits + latency cycles and frees the
  // place when it starts to send it; one cycle for the register, the link back, one cycle for the sender's
  // counter.
  const auto depth = static_cast<std::size_t>(row.depth);
  const int loop = row.flits + 2 * row.latency + 2;
  int rate;  // cycles in which `depth` packets pass
  if (row.slot_cycles > 1) {
    rate = row.depth * row.slot_cycles;  // depth 2 suffices
  } else if (row.grant_cycles > 0) {
    rate = row.depth * (row.grant_cycles + row.flits);  // the sender asks for one packet after the other
  } else {
    rate = std::max(row.depth * row.flits, loop);
  }
  for (std::size_t k = 4; k + depth < kPackets; ++k) {
    CAPTURE(k);
    REQUIRE(row.deliveries[k].packet.tag == k);
    REQUIRE(row.deliveries[k + depth].cycle - row.deliveries[k].cycle == rate);
  }
}

TEST_CASE("queues of one packet push back and lose nothing", "[rtl][pifo_node][credit]") {
  const int parameter_set = GENERATE(kFree4Depth1, kFree1Depth1);
  CAPTURE(parameter_set);
  Row row(parameter_set);
  write_routes(row);
  const unsigned out = 7;  // from node 0 to the outside of node 2, which stops taking packets
  row.write_table(0, out, kToNext, false);
  row.write_table(1, out, kToNext, false);
  row.write_table(2, out, kToOutside, false);
  row.outside_returns_credits = false;
  constexpr int kPackets = 12;
  for (unsigned k = 0; k < kPackets; ++k) row.add(0, {0, out, k, row.flits});
  row.fill();
  row.start();
  row.run_to_cycle(200);
  REQUIRE(row.cycles_sent(2, kOutside).size() == static_cast<std::size_t>(row.flits));  // its one credit
  REQUIRE(row.cycles_sent(1, kNext).size() == static_cast<std::size_t>(2 * row.flits));
  REQUIRE(row.cycles_sent(0, kNext).size() == static_cast<std::size_t>(3 * row.flits));
  REQUIRE(get_field(row.dut().wait_credit_o, 2 * kRadix + kOutside, 1) == 1);
  REQUIRE(get_field(row.dut().wait_credit_o, 1 * kRadix + kNext, 1) == 1);
  REQUIRE(get_field(row.dut().wait_credit_o, 0 * kRadix + kNext, 1) == 1);
  row.outside_returns_credits = true;
  row.dut().rx_credit_i = static_cast<SData>(1 << (2 * kRadix + kOutside));  // and takes them again
  row.bench().tick();
  row.run_until_idle();
  std::vector<unsigned> tags;
  std::size_t flit = 0;
  for (const Sent& s : row.sent) {
    if (s.node != 2) continue;
    if (flit++ % static_cast<std::size_t>(row.flits) == 0) tags.push_back(s.flit >> 8 & 0xffff);
  }
  REQUIRE(tags.size() == kPackets);
  for (unsigned k = 0; k < kPackets; ++k) REQUIRE(tags[k] == k);
  REQUIRE(row.dut().wait_credit_o == 0);
}

TEST_CASE("the places of a link are shared by all outputs", "[rtl][pifo_node][credit]") {
  Row row(kFree1);
  const unsigned onwards = 5, out = 6;
  row.write_table(1, onwards, kToNext, false);
  row.write_table(1, out, kToNext, false);
  row.write_table(2, onwards, kToNext, false);
  row.write_table(2, out, kToOutside, false);
  row.outside_returns_credits = false;
  for (unsigned k = 0; k < 16; ++k) row.add(1, {1, k % 2 == 0 ? onwards : out, k, 1});
  row.fill();
  row.start();
  row.run_to_cycle(100);
  // Both outputs of node 2 spend their credits. What comes then fills the link's places, for whichever output
  // it is.
  REQUIRE(row.cycles_sent(2, kNext).size() == static_cast<std::size_t>(row.depth));
  REQUIRE(row.cycles_sent(2, kOutside).size() == static_cast<std::size_t>(row.depth));
  REQUIRE(row.cycles_sent(1, kNext).size() == static_cast<std::size_t>(3 * row.depth));
  REQUIRE(get_field(row.dut().wait_credit_o, 1 * kRadix + kNext, 1) == 1);
}

TEST_CASE("a packet's credit returns when its last copy has started", "[rtl][pifo_node][credit]") {
  Row row(kFree1);
  const unsigned both = 5, local = 6;
  row.write_table(0, both, kNoPort, true);
  row.write_table(0, local, kNoPort, true);
  row.write_table(1, both, kToNext | kToPrevious, false, 3);
  row.write_table(1, local, kToPrevious, false);
  row.write_table(2, both, kNoPort, true);
  for (unsigned k = 0; k < 3; ++k) row.add(1, {1, local, k, 1}, 0);
  row.from_outside = {{1, 1, kOutside, Packet{9, both, 7, 1}.flit(0)}};
  row.fill();
  row.start();
  std::vector<int> credits;
  while (row.cycle() < 12) {
    if (get_field(row.dut().tx_credit_o, 1 * kRadix + kOutside, 1) == 1) credits.push_back(row.cycle());
    row.clock();
  }
  // The host's packets of a smaller rank leave through port kPrevious in cycles 1, 2 and 3.
  REQUIRE(row.cycles_sent(1, kNext) == std::vector<int>{2});
  REQUIRE(row.cycles_sent(1, kPrevious) == std::vector<int>{1, 2, 3, 4});
  REQUIRE(credits == std::vector<int>{5});
}

TEST_CASE("the host's places are shared by all outputs", "[rtl][pifo_node][host]") {
  const int parameter_set = GENERATE(kFree1, kOnePortSend);
  CAPTURE(parameter_set);
  Row row(parameter_set);
  const unsigned onwards = 5, out = 6, both = 7;
  row.write_table(0, onwards, kToNext, false);
  row.write_table(0, out, kToOutside, false);
  row.write_table(0, both, kToNext | kToOutside, false);
  for (const unsigned label : {onwards, both}) row.write_table(1, label, kNoPort, true);
  for (unsigned k = 0; k < 12; ++k) row.add(0, {0, 5 + k % 3, k, 1});
  row.fill();
  REQUIRE(row.waiting_at_host(0) == 12 - kHostDepth);  // a packet for both takes one place
  row.start();
  row.run_until_idle();
  REQUIRE(row.deliveries.size() == 8);
  REQUIRE(row.cycles_sent(0, kOutside).size() == 8);
}

TEST_CASE("one-port: a packet for several ports leaves in its label's order", "[rtl][pifo_node][one_port]") {
  const int parameter_set = GENERATE(kOnePort, kOnePortSend);
  CAPTURE(parameter_set);
  Row row(parameter_set);
  const unsigned spread = 8, reverse = 9;
  row.write_table(1, spread, 7, false, 0, 0b01'00'10);   // ports 2, 0, 1
  row.write_table(1, reverse, 7, false, 0, 0b00'01'10);  // ports 2, 1, 0
  for (const int node : {0, 2}) {
    row.write_table(node, spread, kNoPort, true);
    row.write_table(node, reverse, kNoPort, true);
  }
  const int length = row.flits;
  row.add(1, {1, spread, 1, length});
  row.add(1, {1, reverse, 2, length});
  row.fill();
  row.start();
  row.run_until_idle();
  std::vector<int> ports;
  for (const Sent& s : row.sent) {
    REQUIRE(s.cycle == static_cast<int>(ports.size()) + 1);  // one after the other, no gap
    ports.push_back(s.port);
  }
  std::vector<int> expected;
  for (const int port : {2, 0, 1, 2, 1, 0})
    expected.insert(expected.end(), static_cast<std::size_t>(length), port);
  REQUIRE(ports == expected);
  REQUIRE(row.deliveries.size() == 4);
}

TEST_CASE("one-port: only the head of the queue waits for credits, not what is being sent",
          "[rtl][pifo_node][one_port]") {
  Row row(kOnePortSend);  // two credits, packets of two flits
  const unsigned out = 9, next = 8, both = 10;
  // While a packet is being sent the memory shows its payload: no label, whatever the table says for those
  // bits.
  for (unsigned label = 0; label < 16; ++label) row.write_table(0, label, 7, false, 0, 0b01'00'10);
  row.write_table(0, out, kToOutside, false, 0, 0b01'00'10);
  row.write_table(0, next, kToNext, false, 0, 0b01'00'10);
  row.write_table(0, both, kToNext | kToOutside, false, 0, 0b10'01'00);  // next first
  row.write_table(1, next, kNoPort, true);
  row.write_table(1, both, kNoPort, true);
  row.outside_returns_credits = false;
  row.add(0, {0, out, 1, 2});
  row.add(0, {0, out, 2, 2});  // spends the last credit
  const Packet sending{0, next, 4, 2};
  REQUIRE((sending.flit(1) & 15) != both);
  row.add(0, sending);
  row.add(0, {0, both, 4, 2});
  row.fill();
  row.start();
  for (int cycle = 1; cycle <= 8; ++cycle) {
    CAPTURE(cycle);
    REQUIRE(row.cycle() == cycle);
    REQUIRE(row.dut().wait_credit_o == 0);
    row.clock();
  }
  REQUIRE(row.dut().wait_credit_o == kToOutside);
  REQUIRE(row.cycles_sent(0, kOutside) == std::vector<int>{1, 2, 3, 4});
  REQUIRE(row.cycles_sent(0, kNext) == std::vector<int>{5, 6, 7, 8});
}

TEST_CASE("two packets at a one-port node at once: a violation, or grants keep them apart",
          "[rtl][pifo_node][one_port]") {
  const int parameter_set = GENERATE(kFree1, kOnePortGrants, kOnePortLockstep, kOnePort, kOnePortSend);
  CAPTURE(parameter_set);
  Row row(parameter_set);
  write_routes(row);
  row.add(0, {0, 1, 1, row.flits});
  row.add(2, {2, 1, 2, row.flits});
  row.fill();
  row.start();
  row.run_until_idle();
  REQUIRE(row.deliveries.size() == 2);
  const bool collide = parameter_set == kOnePort;
  REQUIRE(row.counter(row.dut().violations_o, 1) == (collide ? row.flits : 0));  // cycles
  REQUIRE(row.counter(row.dut().first_violation_cycle_o, 1) == (collide ? 1 : 0));
  const int apart = row.deliveries[1].cycle - row.deliveries[0].cycle;
  if (row.grant_cycles == 0) REQUIRE(apart == 0);
  // The grant for port 0 (the lower) first; the next is chosen in the cycle after the last flit.
  if (parameter_set == kOnePortGrants) REQUIRE(apart == row.flits + 2 * row.latency + 2);
  if (parameter_set == kOnePortLockstep) REQUIRE(apart == row.slot_cycles);
  if (row.grant_cycles > 0) REQUIRE(row.deliveries[0].port == kNext);
}

}  // namespace
}  // namespace safnet::testbench
