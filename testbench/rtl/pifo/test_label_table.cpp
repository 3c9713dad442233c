// The label table: every entry through every read port, and the order of service.
#include <array>
#include <random>

#include "Vrtl_table_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kLabels = 10, kReadPorts = 7, kTables = 3, kRadix = 16, kRanks = 500;
constexpr int kRankWidth = 9, kOrderWidth = 64;

struct Entry {
  std::uint32_t mask = 0, deliver = 0, rank = 0, rest = 0, rest_rank = 0;
  std::uint64_t order = 0;
};

Entry random_entry(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  return {.mask = below(1U << kRadix),
          .deliver = below(2),
          .rank = below(kRanks),
          .rest = below(2),
          .rest_rank = below(kRanks),
          .order = std::uint64_t{random()} << 32 | random()};
}

void write_entry(RtlBench<Vrtl_table_bench>& bench, int label, const Entry& entry) {
  auto& dut = bench.dut();
  dut.write_valid_i = 1;
  dut.write_label_i = static_cast<CData>(label);
  dut.write_mask_i = static_cast<SData>(entry.mask);
  dut.write_deliver_i = static_cast<CData>(entry.deliver);
  dut.write_rank_i = static_cast<SData>(entry.rank);
  dut.write_order_i = entry.order;
  dut.write_rest_i = static_cast<CData>(entry.rest);
  dut.write_rest_rank_i = static_cast<SData>(entry.rest_rank);
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
        REQUIRE(get_field(dut.mask_o, t * kReadPorts + r, kRadix) == entry.mask);
        REQUIRE(get_field(dut.deliver_o, t * kReadPorts + r, 1) == entry.deliver);
        REQUIRE(get_field(dut.rank_o, t * kReadPorts + r, kRankWidth) == entry.rank);
      }
      const Entry& entry = expected[static_cast<std::size_t>(order_label)];
      REQUIRE(get_field(dut.order_o, t, kOrderWidth) == (t == 2 ? 0 : entry.order));
      REQUIRE(get_field(dut.rest_o, t, 1) == (t == 0 ? entry.rest : 0));
      REQUIRE(get_field(dut.rest_rank_o, t, kRankWidth) == (t == 0 ? entry.rest_rank : 0));
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
