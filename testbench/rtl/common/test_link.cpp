// Links of latency 0 to 4, built for it or for more: every packet length, back to back and with gaps, side
// wires and faults.
#include <random>
#include <vector>

#include "Vrtl_link_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kLatencies = 5;
constexpr int kLinks = 2 * kLatencies;  // the second of each latency is built for the largest
constexpr int kFlitWidth = 32;

struct Traffic {
  bool valid = false, credit = false, request = false, grant = false, drop = false, corrupt = false;
  std::uint32_t flit = 0;
};

/// Drives `traffic` and then idle cycles; every output of every link is compared in every cycle.
void check_links(const std::vector<Traffic>& traffic) {
  RtlBench<Vrtl_link_bench> bench;
  auto& dut = bench.dut();
  bench.reset();
  std::vector<std::vector<std::uint32_t>> received(kLinks);
  std::vector<std::uint32_t> sent;
  const int cycles = static_cast<int>(traffic.size()) + kLatencies;
  const auto at = [&](int cycle) {
    const bool in_range = cycle >= 0 && cycle < static_cast<int>(traffic.size());
    return in_range ? traffic[static_cast<std::size_t>(cycle)] : Traffic{};
  };
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const Traffic now = at(cycle);
    dut.flit_valid_i = now.valid;
    dut.flit_i = now.flit;
    dut.credit_i = now.credit;
    dut.request_i = now.request;
    dut.grant_i = now.grant;
    dut.fault_drop_i = now.drop;
    dut.fault_corrupt_i = now.corrupt;
    bench.settle();
    if (now.valid && !now.drop) sent.push_back(now.corrupt ? now.flit ^ 0x8000'0000U : now.flit);
    for (int link = 0; link < kLinks; ++link) {
      const int latency = link % kLatencies;
      CAPTURE(cycle, link);
      const Traffic then = at(cycle - latency);
      const auto flit = static_cast<std::uint32_t>(get_field(dut.flit_o, link, kFlitWidth));
      REQUIRE(get_field(dut.flit_valid_o, link, 1) == (then.valid && !then.drop));
      REQUIRE(get_field(dut.credit_o, link, 1) == then.credit);
      REQUIRE(get_field(dut.request_o, link, 1) == then.request);
      REQUIRE(get_field(dut.grant_o, link, 1) == then.grant);
      bool in_flight = false;
      for (int age = 1; age <= latency; ++age) {
        const Traffic entered = at(cycle - age);
        in_flight |= (entered.valid && !entered.drop) || entered.credit || entered.request || entered.grant;
      }
      REQUIRE(get_field(dut.in_flight_o, link, 1) == in_flight);
      if (then.valid && !then.drop) {
        REQUIRE(flit == (then.corrupt ? then.flit ^ 0x8000'0000U : then.flit));
        received[static_cast<std::size_t>(link)].push_back(flit);
      }
    }
    bench.tick();
  }
  for (const auto& flits : received) REQUIRE(flits == sent);
}

void append_packet(std::vector<Traffic>& traffic, int length, int gap, std::uint32_t& serial) {
  for (int k = 0; k < length; ++k) {
    Traffic cycle;
    cycle.valid = true;
    cycle.flit = serial++ * 0x9e37'79b9U;
    traffic.push_back(cycle);
  }
  traffic.resize(traffic.size() + static_cast<std::size_t>(gap));
}

TEST_CASE("a link keeps order and delays by exactly its latency", "[rtl][link]") {
  const int gap = GENERATE(0, 1, 2, 5);
  CAPTURE(gap);
  std::vector<Traffic> traffic;
  std::uint32_t serial = 1;
  for (int length = 1; length <= 8; ++length) {
    for (int repeat = 0; repeat < 3; ++repeat) append_packet(traffic, length, gap, serial);
  }
  check_links(traffic);
}

TEST_CASE("a link carries equal flits in a row", "[rtl][link]") {
  Traffic flit;
  flit.valid = true;
  flit.flit = 0xffff'ffffU;
  check_links(std::vector<Traffic>(10, flit));
}

TEST_CASE("a dropped flit never arrives and a corrupted one arrives with its highest bit inverted",
          "[rtl][link]") {
  std::vector<Traffic> traffic;
  std::uint32_t serial = 1;
  for (int k = 0; k < 6; ++k) append_packet(traffic, 4, 1, serial);
  traffic[2].drop = true;
  traffic[6].corrupt = true;
  traffic[7].drop = traffic[7].corrupt = true;
  traffic[4].drop = true;  // an idle cycle: nothing to lose
  check_links(traffic);
}

TEST_CASE("random traffic with side wires and faults", "[rtl][link][random]") {
  const auto seed = GENERATE(1U, 2U, 3U);
  const int percent = GENERATE(10, 50, 95);
  CAPTURE(seed, percent);
  std::mt19937 random(seed);
  const auto chance = [&](int p) { return static_cast<int>(random() % 100) < p; };
  std::vector<Traffic> traffic(300);
  for (auto& cycle : traffic) {
    cycle.valid = chance(percent);
    cycle.flit = static_cast<std::uint32_t>(random());
    cycle.credit = chance(percent);
    cycle.request = chance(percent);
    cycle.grant = chance(percent);
    cycle.drop = chance(10);
    cycle.corrupt = chance(10);
  }
  check_links(traffic);
}

}  // namespace
}  // namespace safnet::testbench
