// The label table: every entry through every read port, and the order of service.
#include <array>
#include <random>

#include "Vrtl_table_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kLabels = 10, kReadPorts = 5, kTables = 3;

struct Entry {
  std::uint32_t mask = 0, deliver = 0, rank = 0, order = 0, rest = 0;
};

Entry random_entry(std::mt19937& random) {
  return {static_cast<std::uint32_t>(random() % 16), static_cast<std::uint32_t>(random() % 2),
          static_cast<std::uint32_t>(random() % 6), static_cast<std::uint32_t>(random() % 256),
          static_cast<std::uint32_t>(random() % 16)};
}

void write_entry(RtlBench<Vrtl_table_bench>& bench, int label, const Entry& entry) {
  auto& dut = bench.dut();
  dut.write_valid_i = 1;
  dut.write_label_i = static_cast<CData>(label);
  dut.write_mask_i = static_cast<CData>(entry.mask);
  dut.write_deliver_i = static_cast<CData>(entry.deliver);
  dut.write_rank_i = static_cast<CData>(entry.rank);
  dut.write_order_i = static_cast<CData>(entry.order);
  dut.write_rest_i = entry.rest & 1;
  dut.write_rest_rank_i = static_cast<CData>(entry.rest >> 1);
  bench.tick();
  dut.write_valid_i = 0;
}

TEST_CASE("every entry is read through every port", "[rtl][label_table]") {
  const auto seed = GENERATE(1U, 2U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  RtlBench<Vrtl_table_bench> bench;
  auto& dut = bench.dut();
  std::array<Entry, kLabels> expected;
  for (int label = 0; label < kLabels; ++label) {
    expected[static_cast<std::size_t>(label)] = random_entry(random);
    write_entry(bench, label, expected[static_cast<std::size_t>(label)]);
  }
  for (int round = 0; round < 200; ++round) {
    std::array<int, kReadPorts> labels{};
    for (int r = 0; r < kReadPorts; ++r) {
      labels[static_cast<std::size_t>(r)] = static_cast<int>(random() % kLabels);
      set_field(dut.label_i, r, 4, static_cast<std::uint64_t>(labels[static_cast<std::size_t>(r)]));
    }
    const int order_label = static_cast<int>(random() % kLabels);
    dut.order_label_i = static_cast<CData>(order_label);
    bench.settle();  // lookups are combinational
    for (int t = 0; t < kTables; ++t) {
      for (int r = 0; r < kReadPorts; ++r) {
        CAPTURE(round, t, r);
        const Entry& entry = expected[static_cast<std::size_t>(labels[static_cast<std::size_t>(r)])];
        REQUIRE(get_field(dut.mask_o, t * kReadPorts + r, 4) == entry.mask);
        REQUIRE(get_field(dut.deliver_o, t * kReadPorts + r, 1) == entry.deliver);
        REQUIRE(get_field(dut.rank_o, t * kReadPorts + r, 3) == entry.rank);
      }
      const auto order = get_field(dut.order_o, t, 8);
      const auto rest = get_field(dut.rest_o, t, 4);
      REQUIRE(rest == (t != 0 ? 0 : expected[static_cast<std::size_t>(order_label)].rest));
      REQUIRE(order == (t == 2 ? 0 : expected[static_cast<std::size_t>(order_label)].order));
    }
    if (round % 4 == 0) {  // rewrite one entry; the others stay
      const int label = static_cast<int>(random() % kLabels);
      expected[static_cast<std::size_t>(label)] = random_entry(random);
      write_entry(bench, label, expected[static_cast<std::size_t>(label)]);
    }
  }
}

TEST_CASE("writing a label beyond the table is an error", "[rtl][label_table][assertion]") {
  RtlBench<Vrtl_table_bench> bench;
  REQUIRE_NOTHROW(write_entry(bench, kLabels - 1, {}));
  REQUIRE_THROWS_AS(write_entry(bench, kLabels, {}), BenchError);
}

}  // namespace
}  // namespace safnet::testbench
