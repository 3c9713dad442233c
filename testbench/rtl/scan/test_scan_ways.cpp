// test_scan_ways - which packets leave on the lines of a class_engine (rtl/scan/README.md), and when: each
// part by itself.
#include "testbench/rtl/scan/scan_engine_parts.hpp"

namespace safnet::testbench {
namespace {

using namespace scan_engine_parts;

TEST_CASE("batches are numbered above the digit that is broadcast", "[rtl][scan][batch_increment]") {
  Ready bench;
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      const unsigned unit = digit == 0 ? base : base * base;
      for (unsigned batch = 0; batch < base * base * base; batch += unit) {
        bench->base_i = static_cast<CData>(base);
        bench->digit_i = static_cast<CData>(digit);
        bench->batch_i = static_cast<CData>(digits_of(batch, base));
        bench.settle();
        CAPTURE(base, digit, batch);
        REQUIRE(bench->next_batch_o == digits_of((batch + unit) % (base * base * base), base));
      }
    }
  }
}

TEST_CASE("distances along lines and rings", "[rtl][scan][line_distance]") {
  Ready bench;
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned from = 0; from < base; ++from) {
      for (unsigned to = 0; to < base; ++to) {
        for (const bool ring : {false, true}) {
          if (!ring && to < from) continue;
          bench->base_i = static_cast<CData>(base);
          bench->ring_i = ring;
          bench->from_i = static_cast<CData>(from);
          bench->to_i = static_cast<CData>(to);
          bench.settle();
          CAPTURE(base, from, to, ring);
          REQUIRE(bench->distance_o == (to + base - from) % base);
        }
      }
    }
  }
}

TEST_CASE("a packet's two ways reach every other node once", "[rtl][scan][way_reach]") {
  Ready bench;
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned mode = 0; mode < 32; ++mode) {
      const bool ring = (mode & 1) != 0, two_pieces = (mode & 2) != 0, alternate = (mode & 4) != 0;
      const bool odd = (mode & 8) != 0, plus = (mode & 16) != 0;
      bench->base_i = static_cast<CData>(base);
      bench->ring_i = ring;
      bench->two_pieces_i = two_pieces;
      bench->alternate_i = alternate;
      bench->odd_i = odd;
      bench->plus_i = plus;
      bench.settle();
      CAPTURE(base, ring, two_pieces, alternate, odd, plus);
      REQUIRE(bench->reach_o == reach_of(base, ring, two_pieces, alternate, plus, odd));
      const unsigned one_way = bench->reach_o;
      bench->plus_i = !plus;
      bench.settle();
      if (ring && !two_pieces) REQUIRE(one_way + bench->reach_o == base - 1);
    }
  }
}

TEST_CASE("a packet's rank and destination hold until its slot ends", "[rtl][scan][packet_arrival]") {
  Ready bench;
  bench->length_i = 3;
  for (unsigned packet = 0; packet < 3; ++packet) {
    bench.settle();
    REQUIRE(!bench->arrival_arrived_o);
    bench.tick();  // the link's latency
    for (unsigned flit = 0; flit < 3; ++flit) {
      bench->link_valid_i = 1;
      bench->link_flit_i =
          flit == 0 ? header_of(packet + 5, packet + 9, 0x1234) : 0xdead'beef'dead'beefULL * (flit + packet);
      bench->slot_last_i = flit == 2;
      bench.settle();
      CAPTURE(packet, flit);
      REQUIRE(bench->arrival_first_o == (flit == 0));
      REQUIRE(bench->arrival_arrived_o);
      REQUIRE(bench->arrival_last_o == (flit == 2));
      REQUIRE(bench->arrival_index_o == flit);
      REQUIRE(bench->arrival_rank_o == packet + 5);
      REQUIRE(bench->arrival_destination_o == packet + 9);
      bench.tick();
    }
    bench->link_valid_i = bench->slot_last_i = 0;
  }
}

TEST_CASE("a packet that a slot is too short for is noticed", "[rtl][scan][packet_arrival][assertion]") {
  Ready bench;
  bench->length_i = 2;
  bench->link_valid_i = 1;
  bench->slot_last_i = 1;
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

// One batch of a broadcast on one line, seen from one node: what comes from the node f hops back arrives in
// slot f - 1 if it reaches this node, and leaves in the next slot if it reaches the one after.
TEST_CASE("a broadcast sends what is its own first and passes on what has further to go",
          "[rtl][scan][broadcast_way]") {
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned mode = 0; mode < 32; ++mode) {
      const bool ring = (mode & 1) != 0, two_pieces = (mode & 2) != 0, alternate = (mode & 4) != 0;
      const bool odd = (mode & 8) != 0, plus = (mode & 16) != 0;
      if (odd && base % 2 != 0) continue;  // ways differ for even bases only; they say what is odd
      const int way = plus ? kPlus : kMinus;
      for (unsigned at = 0; at < base; ++at) {
        Ready bench;
        bench->base_i = static_cast<CData>(base);
        bench->ring_i = ring;
        bench->two_pieces_i = two_pieces;
        bench->alternate_i = alternate;
        bench->broadcasting_i = 1;
        bench->address_i = static_cast<CData>(at);
        const bool has_next = ring || (plus ? at + 1 != base : at != 0);
        bench->has_next_i = has_next ? 3 : 0;
        bench->total_i = static_cast<CData>(digits_of(base * base, base));
        // Batch 0, then batch 1: of these the one that is meant.
        const unsigned slots = ring && !two_pieces ? base / 2 : base - 1;
        for (unsigned batch = 0; batch <= (odd ? 1U : 0U); ++batch) {
          bool passes = false;
          unsigned passed = 0;
          for (unsigned hop = 0; hop < slots; ++hop) {
            const bool is_odd = batch % 2 == 1;
            const unsigned reach = reach_of(base, ring, two_pieces, alternate, plus, is_odd);
            const unsigned back = hop + 1;
            const bool there = ring || (plus ? at >= back : at + back < base);
            const unsigned origin = plus ? (at + base - back % base) % base : (at + back) % base;
            const bool comes = there && back <= reach;
            bench->hop_i = static_cast<CData>(hop);
            bench->slot_last_i = 1;
            bench->arrived_i = static_cast<CData>(comes ? 1U << way : 0);
            set_field(bench->arriving_rank_i, way, kAddressWidth, origin | batch << kDigitWidth);
            bench.settle();
            CAPTURE(base, ring, two_pieces, alternate, plus, at, batch, hop);
            const bool own = hop == 0 && has_next && !passes;
            REQUIRE(get_field(bench->cast_own_o, way, 1) == own);
            REQUIRE(get_field(bench->cast_sends_o, way, 1) == (own || passes));
            if (own || passes)
              REQUIRE(get_field(bench->cast_rank_o, way, kAddressWidth) ==
                      (own ? at | batch << kDigitWidth : passed));
            bench.tick();
            passes = comes && back < reach && has_next;
            passed = origin | batch << kDigitWidth;
          }
          REQUIRE(!passes);
        }
      }
    }
  }
}

TEST_CASE("what comes before a broadcast begins is not passed on", "[rtl][scan][broadcast_way]") {
  Ready bench;
  bench->address_i = 1;
  bench->slot_last_i = 1;
  bench->arrived_i = 3;
  bench.tick();
  bench->arrived_i = 0;
  bench->broadcasting_i = 1;
  bench.settle();
  REQUIRE(bench->cast_own_o == 0);
  REQUIRE(bench->cast_sends_o == 0);
}

TEST_CASE("pass_on_first: own packets go whenever nothing is to be passed on", "[rtl][scan][broadcast_way]") {
  Ready bench;
  bench->broadcasting_i = bench->pass_on_first_i = 1;
  bench->address_i = 1;
  bench->total_i = static_cast<CData>(digits_of(10, 4));  // ranks 1, 5 and 9 are this node's
  const bool arrives[] = {false, true, true, false, false, false};
  std::vector<int> sent;  // rank, or -1 for nothing
  for (const bool now : arrives) {
    bench->slot_last_i = 1;
    bench->arrived_i = now ? 1U << kPlus : 0;
    set_field(bench->arriving_rank_i, kPlus, kAddressWidth, 4);  // of coordinate 0
    bench.settle();
    sent.push_back(get_field(bench->cast_sends_o, kPlus, 1) != 0
                       ? static_cast<int>(get_field(bench->cast_rank_o, kPlus, kAddressWidth))
                       : -1);
    bench.tick();
    bench->hop_i = 1;
  }
  REQUIRE(sent == std::vector<int>{1, 5, 4, 4, 9, -1});
}

TEST_CASE("a broadcast that its line is too short for is noticed", "[rtl][scan][broadcast_way][assertion]") {
  Ready bench;
  bench->broadcasting_i = bench->slot_last_i = bench->line_last_i = 1;
  bench->address_i = 1;
  bench->arrived_i = 1U << kPlus;  // from coordinate 0 to 1: two more nodes have to get it
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

// Combining is a broadcast backwards: the partial sum for the node f hops ahead leaves so that f slots, this
// one included, are left.
TEST_CASE("combining sends the sums of the farthest nodes first", "[rtl][scan][combine_way]") {
  Ready bench;
  bench->combining_i = 1;
  for (unsigned base = 2; base <= 4; ++base) {
    for (unsigned mode = 0; mode < 16; ++mode) {
      const bool ring = (mode & 1) != 0, two_pieces = (mode & 2) != 0, alternate = (mode & 4) != 0;
      const bool plus = (mode & 8) != 0;
      const int way = plus ? kPlus : kMinus;
      const unsigned slots = ring && !two_pieces ? base / 2 : base - 1;
      const unsigned reach = reach_of(base, ring, two_pieces, alternate, !plus, false);
      for (unsigned at = 0; at < base; ++at) {
        for (unsigned hop = 0; hop < slots; ++hop) {
          for (unsigned total = 0; total <= 2 * base; ++total) {
            for (unsigned batch = 0; batch < 2; ++batch) {
              bench->base_i = static_cast<CData>(base);
              bench->ring_i = ring;
              bench->two_pieces_i = two_pieces;
              bench->alternate_i = alternate;
              bench->address_i = static_cast<CData>(at);
              bench->hop_i = static_cast<CData>(hop);
              bench->total_i = static_cast<CData>(digits_of(total, base));
              bench->batch_i = static_cast<CData>(batch << kDigitWidth);
              bench.settle();
              const unsigned ahead = slots - hop;
              const bool there = ring || (plus ? at + ahead < base : at >= ahead);
              const unsigned holder = plus ? (at + ahead) % base : (at + base - ahead % base) % base;
              const bool sends = there && ahead <= reach && batch * base + holder < total;
              CAPTURE(base, ring, two_pieces, alternate, plus, at, hop, total, batch);
              REQUIRE(get_field(bench->combine_sends_o, way, 1) == sends);
              if (sends)
                REQUIRE(get_field(bench->combine_rank_o, way, kAddressWidth) ==
                        (holder | batch << kDigitWidth));
            }
          }
        }
      }
    }
  }
  bench->finished_i = 1;
  bench.settle();
  REQUIRE(bench->combine_sends_o == 0);
}

// The cycle table of line_way in rtl/scan/README.md: packets of two flits, no latency, a line of four nodes
// of which this is number 1; the packet of number 0 is broadcast.
TEST_CASE("what arrives in a slot leaves in the next one", "[rtl][scan][line_way]") {
  Ready bench;
  bench->address_i = 1;
  bench->broadcasting_i = bench->in_packet_i = 1;
  bench->cast_flits_i = bench->pack_flits_i = bench->length_i = 2;
  bench->total_i = 1;  // rank 0 alone: nothing of this node's own
  for (unsigned cycle = 1; cycle <= 6; ++cycle) {
    const unsigned index = (cycle - 1) % 2;
    bench->hop_i = static_cast<CData>((cycle - 1) / 2);
    bench->index_i = static_cast<CData>(index);
    bench->slot_last_i = index == 1;
    bench->link_valid_i = cycle <= 2;
    bench->link_flit_i = index == 0 ? header_of(0, 0, 17) : 18;
    bench->stored_i = 100 + index;  // what the memory has by then
    bench.settle();
    CAPTURE(cycle);
    const bool leaves = cycle == 3 || cycle == 4;
    REQUIRE(bench->way_tx_valid_o == leaves);
    if (leaves) {
      REQUIRE(bench->way_rank_o == 0);
      REQUIRE(bench->way_tx_flit_o == bench->stored_i);
    }
    // Not a function of what arrives in the same cycle.
    bench->link_valid_i = !bench->link_valid_i;
    bench.settle();
    REQUIRE(bench->way_tx_valid_o == leaves);
    bench->link_valid_i = !bench->link_valid_i;
    bench.tick();
  }
}

TEST_CASE("each phase has its own say in what leaves", "[rtl][scan][line_way]") {
  Ready bench;
  bench->address_i = 1;
  bench->in_packet_i = 1;
  bench->total_i = 16;
  bench->odd_i = 1;  // the packing_unit sends rank 9
  set_field(bench->read_rank_i, 0, kAddressWidth, 9);
  const auto sends = [&] {
    bench.settle();
    return bench->way_tx_valid_o ? static_cast<int>(bench->way_rank_o) : -1;
  };
  REQUIRE(sends() == -1);
  bench->packing_i = 1;
  REQUIRE(sends() == 9);
  bench->in_packet_i = 0;
  REQUIRE(sends() == -1);  // the cycles of the link's latency
  bench->in_packet_i = 1;
  bench->odd_i = 0;
  REQUIRE(sends() == -1);
  bench->odd_i = 1;
  bench->packing_i = 0;
  bench->broadcasting_i = 1;
  REQUIRE(sends() == 1);
  bench->broadcasting_i = 0;
  bench->combining_i = 1;
  bench->hop_i = 1;
  REQUIRE(sends() == 3);
  // The node that wants the sum names itself.
  bench->stored_i = header_of(3, 0, 5);
  bench->accumulating_i = bench->own_valid_i = 1;
  bench->own_rank_i = 3;
  bench.settle();
  REQUIRE(bench->way_tx_flit_o == header_of(3, 1, 5));
  // Pieces: a broadcast's first moves plus, combining the second.
  bench->two_pieces_i = 1;
  bench.settle();
  REQUIRE(bench->way_piece_o == 1);
  bench->combining_i = 0;
  bench->broadcasting_i = 1;
  bench.settle();
  REQUIRE(bench->way_piece_o == 0);
}

}  // namespace
}  // namespace safnet::testbench
