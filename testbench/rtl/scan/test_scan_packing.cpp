// test_scan_packing - the part of a class_engine that packs and unpacks (rtl/scan/README.md), by itself.
#include "testbench/rtl/scan/scan_engine_parts.hpp"

namespace safnet::testbench {
namespace {

using namespace scan_engine_parts;

// Slots of packing at the node with address (1, 2), digit 0 first, on a 4 x 4 array.
TEST_CASE("packing moves packets until their digit is right", "[rtl][scan][packing_unit]") {
  Ready bench;
  bench->address_i = 2 << 2 | 1;
  bench->packing_i = 1;
  bench->slot_last_i = 1;

  SECTION("a packet whose digit is wrong leaves in the first slot, the right way") {
    for (unsigned digit = 0; digit < 4; ++digit) {
      bench->first_i = 1;
      bench->own_valid_i = 1;
      bench->own_rank_i = static_cast<CData>(1U << 2 | digit);
      bench.settle();
      CAPTURE(digit);
      REQUIRE(bench->resident_valid_o);
      REQUIRE(bench->pack_sends_o == (digit == 1 ? 0 : digit > 1 ? 1U << kPlus : 1U << kMinus));
      if (digit != 1)
        REQUIRE(get_field(bench->pack_rank_o, digit > 1 ? kPlus : kMinus, kAddressWidth) == (4 | digit));
      bench.tick();
      bench->first_i = 0;
      bench.settle();
      REQUIRE(bench->resident_valid_o == (digit == 1));  // and is gone
      REQUIRE(bench->pack_sends_o == 0);
    }
  }
  SECTION("what passes through leaves in the next slot; what stays waits for its next digit") {
    bench->arrived_i = 3;
    set_field(bench->arriving_rank_i, kPlus, kAddressWidth, 3);   // on to coordinate 3
    set_field(bench->arriving_rank_i, kMinus, kAddressWidth, 1);  // column 1 it is, row 0 it has to be
    bench.settle();
    REQUIRE(bench->pack_sends_o == 0);  // what arrives does not leave in the same slot
    REQUIRE(bench->pack_home_o == 0);
    bench.tick();
    bench->arrived_i = 0;
    bench.settle();
    REQUIRE(bench->pack_sends_o == 1U << kPlus);
    REQUIRE(get_field(bench->pack_rank_o, kPlus, kAddressWidth) == 3);
    REQUIRE(bench->resident_valid_o);
    REQUIRE(bench->resident_rank_o == 1);
    bench.tick();
    bench->digit_i = 1;
    bench.settle();
    REQUIRE(bench->pack_sends_o == 1U << kMinus);
    REQUIRE(get_field(bench->pack_rank_o, kMinus, kAddressWidth) == 1);
  }
  SECTION("a ring's packets go the shorter way, plus if both are equal") {
    bench->ring_i = bench->alternate_i = 1;
    bench->first_i = bench->own_valid_i = 1;
    const unsigned ways[] = {1U << kMinus, 0, 1U << kPlus, 1U << kPlus};
    for (unsigned digit = 0; digit < 4; ++digit) {
      bench->own_rank_i = static_cast<CData>(digit);
      bench.settle();
      CAPTURE(digit);
      REQUIRE(bench->pack_sends_o == ways[digit]);
    }
  }
  SECTION("two packets that come to stay are noticed") {
    bench->arrived_i = 3;
    set_field(bench->arriving_rank_i, kPlus, kAddressWidth, 1);
    set_field(bench->arriving_rank_i, kMinus, kAddressWidth, 5);
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

TEST_CASE("unpacking moves packets as late as they may leave", "[rtl][scan][packing_unit]") {
  Ready bench;
  bench->unpacking_i = 1;
  bench->slot_last_i = 1;
  bench->accumulating_i = 1;
  bench->total_i =
      16 << kDigitWidth;  // of 64: there is a sum for every rank, that of this node's address too
  bench->digit_i = 1;
  for (unsigned at = 0; at < 4; ++at) {
    for (unsigned digit = 0; digit < 4; ++digit) {
      bench->address_i = static_cast<CData>(at << kDigitWidth);
      bench->stored_destination_i = static_cast<CData>(digit << kDigitWidth);
      bench->first_i = 1;
      const unsigned distance = digit > at ? digit - at : at - digit;
      for (unsigned hop = 0; hop < 3; ++hop) {
        bench->hop_i = static_cast<CData>(hop);
        bench.settle();
        CAPTURE(at, digit, hop);
        REQUIRE(bench->resident_target_o == digit << kDigitWidth);
        const bool leaves = distance != 0 && hop == 3 - distance;
        REQUIRE(bench->pack_sends_o == (leaves ? 1U << (digit > at ? kPlus : kMinus) : 0));
        bench.tick();
        bench->first_i = 0;
        if (leaves) break;
      }
    }
  }
  SECTION("a sum that this node wants itself stays here") {
    bench->first_i = bench->own_valid_i = 1;
    bench->stored_destination_i = 0;
    bench->address_i = 5;
    bench->own_rank_i = 5;
    bench.settle();
    REQUIRE(bench->resident_rank_o == 5);
    REQUIRE(bench->resident_destination_o == 5);
    REQUIRE(bench->pack_sends_o == 0);
  }
}

}  // namespace
}  // namespace safnet::testbench
