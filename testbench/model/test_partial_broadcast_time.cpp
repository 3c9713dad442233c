// test_partial_broadcast_time - ends of schedules and published bounds, held against hand-worked numbers.
#include "cpp_model/bound/dynamic_broadcast_bound.hpp"
#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

DigitShape shape_of(const std::string& spelling) { return make_digit_network(spelling).shape(); }

struct Row {
  const char* topology;
  std::uint32_t flits, header;
  std::uint64_t active, split, whole;  // cycles
};

}  // namespace

// 4 x 4, F = 16, M = 1, no header. Split: 12 prefix steps of 1 cycle, 6 of packing and 6 of broadcast of 8.
// Whole: two prefixes, 12 steps of 16. The others were found by executing the algorithms slot by slot.
TEST_CASE("cycles of split and of whole packets", "[partial_broadcast_time]") {
  for (const Row& row : std::initializer_list<Row>{
           {"mesh:4x4", 16, 0, 1, 108, 216},      {"mesh:4x4", 16, 0, 4, 108, 216},
           {"mesh:4x4", 16, 0, 16, 180, 264},     {"mesh:4x4", 16, 1, 1, 120, 228},
           {"mesh:4x4", 16, 1, 16, 201, 279},     {"mesh:8x8", 16, 1, 1, 280, 532},
           {"mesh:8x8", 16, 1, 16, 343, 532},     {"mesh:8x8", 16, 1, 64, 721, 889},
           {"mesh:8x8", 4, 1, 1, 112, 196},       {"mesh:8x8", 4, 1, 16, 133, 196},
           {"mesh:8x8", 4, 1, 64, 259, 301},      {"torus:4x4", 16, 1, 1, 96, 194},
           {"torus:4x4", 16, 1, 16, 141, 228},    {"torus:8x8", 16, 1, 1, 224, 430},
           {"torus:8x8", 16, 1, 16, 259, 430},    {"torus:8x8", 16, 1, 64, 469, 634},
           {"torus:8x8", 4, 1, 1, 98, 166},       {"torus:8x8", 4, 1, 16, 112, 166},
           {"torus:8x8", 4, 1, 64, 196, 226},     {"torus:4x4x4", 16, 1, 1, 117, 291},
           {"torus:4x4x4", 16, 1, 16, 153, 325},  {"torus:4x4x4", 16, 1, 64, 333, 495},
           {"torus:4x4x4", 4, 1, 1, 63, 111},     {"torus:4x4x4", 4, 1, 16, 81, 121},
           {"torus:4x4x4", 4, 1, 64, 171, 171},   {"folded-cube:4", 16, 1, 1, 48, 152},
           {"folded-cube:4", 16, 1, 4, 53, 152},  {"folded-cube:4", 16, 1, 16, 103, 169},
           {"folded-cube:6", 16, 1, 1, 60, 228},  {"folded-cube:6", 16, 1, 16, 104, 245},
           {"folded-cube:6", 16, 1, 64, 288, 347}}) {
    CAPTURE(row.topology, row.flits, row.header, row.active);
    const DigitShape shape = shape_of(row.topology);
    PartialBroadcastSettings settings;
    settings.flits = row.flits;
    settings.header_flits = row.header;
    CHECK(partial_broadcast_time(shape, settings, row.active).total() == row.whole);
    settings.split = true;
    CHECK(partial_broadcast_time(shape, settings, row.active).total() == row.split);
  }
}

TEST_CASE("phases of 4 x 4 with latency", "[partial_broadcast_time]") {
  PartialBroadcastSettings settings;
  settings.flits = 5;
  settings.header_flits = 1;
  settings.latency = 2;
  settings.split = true;
  // 15 steps of broadcast: of parts of 3 + 1 flits, on rings of halves of 2 + 1, over links of latency 2.
  CHECK(partial_broadcast_time({4, 2, false, false}, settings, 16) == PartialBroadcastTime{0, 36, 36, 90});
  CHECK(partial_broadcast_time({4, 2, true, false}, settings, 16) == PartialBroadcastTime{0, 36, 36, 75});
  settings.split = false;
  // Whole packets of 6 flits, 8 in each of two classes: 2 + 1 batches of 3 steps, on rings of 2.
  CHECK(partial_broadcast_time({4, 2, false, false}, settings, 16) ==
        PartialBroadcastTime{36, 36, 48, 90 - 18});
  CHECK(partial_broadcast_time({4, 2, true, false}, settings, 16) == PartialBroadcastTime{36, 36, 48, 48});
  settings.known_ranks = true;
  CHECK(partial_broadcast_time({4, 2, true, false}, settings, 16) == PartialBroadcastTime{0, 0, 48, 48});
  settings.known_ranks = false;
  settings.single_class = true;
  CHECK(partial_broadcast_time({4, 2, true, false}, settings, 16) == PartialBroadcastTime{0, 36, 48, 80});
  CHECK(partial_broadcast_time({5, 1, false, false}, {}, 0) == PartialBroadcastTime{0, 8, 4, 0});
}

TEST_CASE("tori whose batches take turns", "[partial_broadcast_time]") {
  PartialBroadcastSettings taking_turns;
  taking_turns.alternating = true;
  PartialBroadcastSettings as_published;
  taking_turns.known_ranks = as_published.known_ranks = true;
  const auto slots = [](const char* topology, const PartialBroadcastSettings& settings) {
    const DigitShape shape = shape_of(topology);
    return partial_broadcast_slots(shape, settings, shape.nodes(), 0);
  };
  CHECK(slots("torus:4x4", as_published) == 12);
  CHECK(slots("torus:5x5", as_published) == 16);
  CHECK(slots("torus:4x4x4", as_published) == 27);
  CHECK(slots("torus:16x16", as_published) == 102);
  CHECK(slots("torus:16x16", taking_turns) == 84);
  taking_turns.known_ranks = as_published.known_ranks = false;
  taking_turns.split = as_published.split = true;
  const Rational prefix_step(1, 8);
  for (const auto& [topology, before, after] :
       {std::tuple{"torus:4x4", Rational(33, 4), Rational(29, 4)},
        std::tuple{"torus:8x8", Rational(105, 4), Rational(93, 4)},
        std::tuple{"torus:4x4x4", Rational(63, 4), Rational(59, 4)}}) {
    const DigitShape shape = shape_of(topology);
    CHECK(partial_broadcast_slots(shape, as_published, shape.nodes(), prefix_step) == before);
    CHECK(partial_broadcast_slots(shape, taking_turns, shape.nodes(), prefix_step) == after);
  }
}

TEST_CASE("published bounds by hand", "[partial_broadcast_time]") {
  const DigitShape array{4, 2, false, false}, torus{4, 2, true, false}, cube{2, 3, false, true};
  const Rational eighth(1, 8);
  CHECK(mesh_broadcast_lower_bound(array, 16) == Rational(15, 2));
  CHECK(mesh_broadcast_lower_bound(torus, 16) == Rational(15, 4));
  CHECK(mesh_broadcast_phase_bound(array, 16) == 15 + 6);
  CHECK(mesh_single_class_bound(torus, 16, eighth) == Rational(15, 2) + Rational(3, 2) + 9);
  CHECK(mesh_split_bound(array, 16, eighth) == Rational(15, 2) + Rational(3, 2) + 6);
  CHECK(mesh_split_bound(torus, 16, eighth) == Rational(15, 4) + Rational(3, 2) + Rational(9, 2));
  CHECK(mesh_whole_bound(array, 16, eighth) == Rational(15, 2) + 12 + 3);
  CHECK(mesh_whole_bound(torus, 16, 0) == Rational(15, 16) * 8 * Rational(2, 3) + 6 + 4);
  CHECK(mesh_multinode_bound(array) == Rational(39, 2));
  CHECK(mesh_multinode_bound(torus) == 15);
  CHECK(mesh_whole_bound_as_printed({3, 2, false, false}, 1, 1) == 16);
  CHECK(mesh_whole_bound_as_printed({3, 3, false, false}, 1, 1) == 20);
  CHECK(folded_broadcast_lower_bound(cube, 8) == 2);
  CHECK(folded_broadcast_lower_bound(cube, 1) == 2);
  CHECK(cube_single_class_bound(cube, 1, eighth) == Rational(27, 4));
  CHECK(folded_main_part_as_printed(cube, 1, eighth) == 6);
  CHECK(folded_whole_bound(cube, 5, eighth) == 2 + 6 + Rational(3, 2) - 1);
  CHECK(folded_split_bound(cube, 1, eighth) == Rational(3, 2) + Rational(3, 4));
}

TEST_CASE("times that grow with M by a constant", "[partial_broadcast_time]") {
  for (const char* topology : {"mesh:4x4", "torus:4x4", "torus:5x5", "torus:4x4x4", "linear:6", "ring:6",
                               "hypercube:4", "folded-cube:2", "folded-cube:5"}) {
    const DigitShape shape = shape_of(topology);
    for (const bool split : {false, true}) {
      for (const bool turns : {false, true}) {
        CAPTURE(topology, split, turns);
        PartialBroadcastSettings settings;
        settings.flits = 7;
        settings.header_flits = 1;
        settings.latency = 1;
        settings.split = split;
        settings.alternating = turns;
        const LinearTime cycles = linear_cycles(shape, settings);
        const LinearTime slots = linear_slots(shape, split, Rational(1, 7));
        for (std::uint64_t m = 0; m <= shape.nodes(); ++m) {
          REQUIRE(partial_broadcast_time(shape, settings, m).total() <= cycles.at(m));
          REQUIRE(partial_broadcast_slots(shape, settings, m, Rational(1, 7)) <= slots.at(m));
        }
      }
    }
  }
  // Attained by M = 1, where every digit takes a whole batch.
  PartialBroadcastSettings split;
  split.split = true;
  CHECK(linear_cycles({4, 2, false, false}, split).at(1) ==
        partial_broadcast_time({4, 2, false, false}, split, 1).total());
}

// 4 x 4, split, t_p = 1/8: X = 15/32, V = 3/2 + 6, so rho_max = (15/2) / (15/2 + 15/2).
TEST_CASE("loads that repeated broadcasts sustain", "[dynamic_broadcast_bound]") {
  const DigitShape array{4, 2, false, false};
  const Rational eighth(1, 8);
  const LinearTime time = linear_slots(array, true, eighth);
  CHECK(time.per_packet == Rational(15, 32));
  CHECK(time.constant == Rational(15, 2));
  CHECK(stable_rate(16, time) == Rational(1, 15));
  CHECK(stable_utilisation(16, time) == Rational(1, 2));
  PartialBroadcastSettings split;
  split.split = true;
  const Rational all = partial_broadcast_slots(array, split, 16, eighth);
  CHECK(all == 12);
  CHECK(broadcast_utilisation(16, time, exact_stable_rate(all)) == Rational(5, 8));
  CHECK(broadcast_utilisation(16, time, largest_rate(array)) == 1);

  const LinearTime folded = linear_slots({2, 4, false, true}, false, eighth);
  CHECK(folded.per_packet == Rational(1, 5));
  CHECK(folded.constant == 10);
  CHECK(stable_utilisation(16, folded) == 1 / (1 + Rational(50, 16)));  // (5)
  CHECK(largest_rate({2, 4, false, true}) == Rational(1, 3));
}

TEST_CASE("mean delay", "[dynamic_broadcast_bound]") {
  const LinearTime time{Rational(1, 2), 3};
  // Without load 1.5 V + X; rate 1/16 on 4 nodes: rho = 1/8, lambda V = 3/16, 1 - rho - lambda V = 11/16.
  CHECK(mean_delay_bound(4, time, 0) == Rational(5));
  CHECK(mean_delay_bound(4, time, Rational(1, 16)) ==
        Rational(9, 8) * ((Rational(1, 16) + Rational(21, 8)) * Rational(8, 11) +
                          Rational(39, 16) * Rational(16, 11)) +
            Rational(1, 2));
  CHECK_FALSE(mean_delay_bound(4, time, stable_rate(4, time)).has_value());
  CHECK_THROWS_AS(mean_delay_bound(4, time, -1), std::invalid_argument);
  CHECK(folded_mean_delay_bound(3, 0, 0) == Rational(9) + Rational(1, 4));
  CHECK_FALSE(folded_mean_delay_bound(3, 0, 1).has_value());
  CHECK_THROWS_AS(folded_mean_delay_bound(3, 0, -1), std::invalid_argument);
}
