// The link_balancer against a counter per branch: packets go to its links in turn, lower inputs first.
#include <array>
#include <random>
#include <vector>

#include "Vrtl_balancer_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kRadix = 7, kInputs = 8, kCases = 3;

/// Deals as documented, for the ports below `ports`.
class Dealer {
 public:
  Dealer(int ports, unsigned branch_first) {
    for (int p = 0; p < ports; ++p) {
      if ((branch_first >> p & 1) != 0) branches_.push_back({p, 0, 0});
      ++branches_.back().links;
    }
  }
  unsigned deal(unsigned mask) {
    unsigned links = 0;
    for (Branch& b : branches_) {
      if ((mask >> b.first & 1) == 0) continue;
      links |= 1U << (b.first + b.dealt++ % b.links);
    }
    return links;
  }

 private:
  struct Branch {
    int first, links, dealt;
  };
  std::vector<Branch> branches_;
};

TEST_CASE("packets of a branch go to its links in turn", "[rtl][link_balancer]") {
  const unsigned branch_first = GENERATE(0x7fU, 0x01U, 0x13U, 0x49U, 0x65U);
  CAPTURE(branch_first);
  std::mt19937 random(branch_first);
  RtlBench<Vrtl_balancer_bench> bench;
  auto& dut = bench.dut();
  dut.branch_first_i = static_cast<CData>(branch_first);
  dut.header_i = 0;
  clear_port(dut.mask_i);
  bench.reset();
  std::vector<Dealer> dealers;
  for (int c = 0; c < kCases; ++c) dealers.emplace_back(3 * c + 1, branch_first);
  for (int cycle = 0; cycle < 300; ++cycle) {
    CAPTURE(cycle);
    const auto headers = static_cast<unsigned>(random() & random() & 0xff);
    dut.header_i = static_cast<CData>(headers);
    std::array<unsigned, kInputs> masks{};
    for (int i = 0; i < kInputs; ++i) {
      const bool header = (headers >> i & 1) != 0;
      // The table answers for what is no header, too: with anything.
      masks[static_cast<std::size_t>(i)] =
          static_cast<unsigned>(random()) & (header ? branch_first : (1U << kRadix) - 1);
      set_field(dut.mask_i, i, kRadix, masks[static_cast<std::size_t>(i)]);
    }
    bench.settle();
    for (int c = 0; c < kCases; ++c) {
      for (int i = 0; i < kInputs; ++i) {
        CAPTURE(c, i);
        if ((headers >> i & 1) == 0) continue;
        REQUIRE(get_field(dut.mask_o, c * kInputs + i, kRadix) ==
                dealers[static_cast<std::size_t>(c)].deal(masks[static_cast<std::size_t>(i)]));
      }
    }
    bench.tick();
  }
}

TEST_CASE("a mask that names a link and not its branch is an error", "[rtl][link_balancer][assertion]") {
  RtlBench<Vrtl_balancer_bench> bench;
  auto& dut = bench.dut();
  dut.branch_first_i = 0x05;
  dut.header_i = 1;
  clear_port(dut.mask_i);
  bench.reset();
  set_field(dut.mask_i, 0, kRadix, 5);
  REQUIRE_NOTHROW(bench.tick());
  set_field(dut.mask_i, 0, kRadix, 2);
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

}  // namespace
}  // namespace safnet::testbench
