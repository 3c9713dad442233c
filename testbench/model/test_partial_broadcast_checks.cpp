// test_partial_broadcast_checks - the checks of partial broadcasts that need no hardware hold; a claim whose
// statement is not right as printed quotes what is printed.
#include <algorithm>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/broken_schedule_checks.hpp"
#include "cpp_model/claim/mesh/packing_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

bool any_printed(const std::vector<ClaimCheck>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const ClaimCheck& c) { return c.printed.has_value(); });
}

void check_all(const std::vector<ClaimCheck>& checks) {
  CHECK(!checks.empty());
  for (const ClaimCheck& check : checks) {
    CAPTURE(check.name);
    CHECK(check.check() == "");
  }
}

}  // namespace

TEST_CASE("what is said of partial broadcasts holds", "[partial_broadcast_checks]") {
  for (const bool torus : {false, true}) {
    check_all(single_class_checks(torus, false));
    check_all(split_checks(torus, false));
    check_all(whole_checks(torus, false));
    check_all(capacity_checks(torus, false));
  }
  for (const auto checks :
       {prefix_checks, subphase_checks, broadcast_phase_checks, class_order_checks, known_ranks_checks,
        taking_turns_checks, cube_single_class_checks, folded_whole_checks, folded_split_checks,
        packing_checks, broken_schedules_checks, folded_main_part_checks})
    check_all(checks(false));
}

TEST_CASE("what is said of partial broadcasts and does not hold as printed", "[partial_broadcast_checks]") {
  for (const auto checks : {monotone_routing_checks, two_node_torus_checks, accumulation_checks}) {
    check_all(checks(false));
    CHECK(any_printed(checks(false)));
  }
}

TEST_CASE("what the papers say of intervals is what the closed forms have", "[partial_broadcast_checks]") {
  std::vector<DigitShape> shapes = arrays_and_tori(4);
  for (std::uint32_t d = 1; d <= 5; ++d) shapes.push_back({2, d, false, true});
  for (const DigitShape& shape : shapes) {
    for (unsigned bits = 0; bits < 64; ++bits) {
      const auto bit = [bits](unsigned i) { return (bits >> i & 1) != 0; };
      PartialBroadcastSettings settings{
          .flits = bit(0) ? 7U : 24U, .header_flits = bit(1), .latency = bit(1)};
      settings.split = bit(2);
      settings.single_class = bit(3);
      settings.alternating = bit(4) && shape.ring;
      settings.known_ranks = bit(5);
      CAPTURE(shape.side, shape.digits, shape.ring, shape.folded, bits);
      for (std::uint64_t m = 0; m <= shape.nodes(); ++m) {
        const StatedInterval stated = stated_interval(shape, settings, m);
        const PartialBroadcastTime time = partial_broadcast_time(shape, settings, m);
        REQUIRE(stated.class_scan == time.class_scan);
        REQUIRE(stated.rank_scan == time.rank_scan);
        REQUIRE(stated.packing == time.packing);
        REQUIRE(stated.broadcast == time.broadcast);
      }
    }
  }
}

TEST_CASE("an interval of 4 x 4 by hand, and X and V", "[partial_broadcast_checks]") {
  // 16 packets of 4 flits in 2 classes: 12 prefix steps, 6 of packing with 2 flits, 3 (4 + 1) of broadcast.
  const DigitShape array{4, 2, false, false};
  const StatedInterval stated = stated_interval(array, {.flits = 4, .split = true}, 16);
  CHECK(stated.rank_scan == 12);
  CHECK(stated.packing == 12);
  CHECK(stated.broadcast == 30);
  CHECK(stated.total() == 54);
  const StatedLine line = stated_line(array, {.flits = 4, .split = true});
  CHECK(line.x == Rational(15, 8));
  CHECK(line.v == 36);
  // X = 1, V = 2: rho = 1/2, lambda V = 1/16, so 3/2 (4/7 + 8/7 + 30/7) + 1.
  CHECK(stated_mean_delay(16, {1, 2}, Rational(1, 32)) == 10);
  // d = 3, t_p = 1/4: V = 9, rho = 1/10, so 11/10 (1/40 + 261/10) / (2 (9/10 - 9/20)) + 1/4.
  CHECK(stated_folded_mean_delay(3, Rational(1, 4), Rational(1, 20)) ==
        Rational(11, 10) * Rational(1045, 40) / Rational(9, 10) + Rational(1, 4));
}

TEST_CASE("claims that formulas decide", "[partial_broadcast_checks]") {
  for (const Claim& claim : partial_broadcast_formula_claims()) {
    if (!claim.checks) continue;
    CAPTURE(claim.id);
    check_all(claim.checks(false));
  }
}
