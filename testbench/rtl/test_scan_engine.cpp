// test_scan_engine - the parts of a class_engine (rtl/scan/README.md), each by itself.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "Vrtl_scan_engine_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

namespace scan = rtl::scan_pkg;
using Bench = RtlBench<Vrtl_scan_engine_bench>;
constexpr int kDigits = 2, kDigitWidth = 2, kAddressWidth = 4, kFlitWidth = 64, kLengthWidth = 3;
constexpr int kMinus = 0, kPlus = 1;

void quiet(Bench& bench) {
  Vrtl_scan_engine_bench& d = bench.dut();
  d.base_i = 4;
  d.ring_i = d.two_pieces_i = d.alternate_i = d.pass_on_first_i = d.header_flit_i = 0;
  d.pack_flits_i = d.cast_flits_i = d.length_i = 1;
  d.operation_i = scan::kOperationBroadcast;
  d.address_i = 0;
  d.has_next_i = 3;
  d.packing_i = d.unpacking_i = d.broadcasting_i = d.combining_i = d.first_i = 0;
  d.digit_i = d.hop_i = d.batch_i = d.finished_i = 0;
  d.hops_i = 3;
  d.slot_last_i = d.line_last_i = d.phase_last_i = 0;
  d.total_i = d.index_i = d.in_packet_i = 0;
  d.own_valid_i = d.own_rank_i = 0;
  d.own_flit_i = d.link_flit_i = d.stored_i = d.header_i = 0;
  d.from_i = d.to_i = d.plus_i = d.odd_i = 0;
  d.link_valid_i = 0;
  d.arrived_i = d.arriving_rank_i = d.arriving_destination_i = 0;
  d.accumulating_i = d.stored_destination_i = 0;
  d.load_valid_i = d.load_address_i = 0;
  d.write_valid_i = d.write_first_i = d.piece_i = d.write_rank_i = d.write_index_i = d.read_rank_i = 0;
  clear_port(d.write_flit_i);
  d.second_begins_i = d.names_home_i = 0;
  d.give_valid_i = d.give_last_i = d.give_home_i = d.resident_home_i = d.resident_destination_i = 0;
}
struct Ready : Bench {
  Ready() {
    quiet(*this);
    reset();
  }
};

/// A number digit by digit.
unsigned digits_of(unsigned number, unsigned base) {
  unsigned code = 0;
  for (int j = 0; j <= kDigits; ++j, number /= base) code |= number % base << (j * kDigitWidth);
  return code;
}
std::uint64_t header_of(unsigned rank, unsigned destination, std::uint64_t payload) {
  return payload << scan::kHeaderWidth | std::uint64_t{destination} << scan::kDestinationField | rank;
}
/// How far a packet of a broadcast goes one way, from the definition: half way round each if it goes both
/// ways.
unsigned reach_of(unsigned base, bool ring, bool two_pieces, bool alternate, bool plus, bool odd) {
  if (!ring || two_pieces) return base - 1;
  const bool longer = alternate && odd ? !plus : plus;
  return longer ? base / 2 : (base - 1) / 2;
}

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

TEST_CASE("a packet is stored as the pieces in which it is broadcast", "[rtl][scan][rank_memory]") {
  const bool header_flit = GENERATE(false, true);
  Ready bench;
  constexpr unsigned kFlits = 5, kCast = 3;
  bench->two_pieces_i = 1;
  bench->header_flit_i = header_flit;
  bench->cast_flits_i = kCast;
  const auto flit_of = [](unsigned rank, unsigned index) { return std::uint64_t{rank} << 32 | (index + 1); };
  // Whole packets: one by the host, one from each side.
  for (unsigned index = 0; index < kFlits; ++index) {
    bench->index_i = static_cast<CData>(index);
    bench->own_valid_i = 1;
    bench->own_rank_i = 3;
    bench->own_flit_i = flit_of(3, index);
    bench->write_valid_i = 3;
    for (const int way : {kMinus, kPlus}) {
      set_field(bench->write_rank_i, way, kAddressWidth, static_cast<unsigned>(7 + way));
      set_field(bench->write_index_i, way, kLengthWidth, index);
      set_field(bench->write_flit_i, way, kFlitWidth, flit_of(static_cast<unsigned>(7 + way), index));
    }
    bench.tick();
  }
  bench->own_valid_i = bench->write_valid_i = 0;
  for (const unsigned rank : {3U, 7U, 8U}) {
    for (const int way : {kMinus, kPlus}) {
      set_field(bench->read_rank_i, way, kAddressWidth, rank);
      bench->own_rank_i = static_cast<CData>(rank);
      bench->broadcasting_i = 0;
      for (unsigned index = 0; index < kFlits; ++index) {
        bench->index_i = static_cast<CData>(index);
        bench.settle();
        CAPTURE(header_flit, rank, way, index);
        REQUIRE(get_field(bench->stored_o, way, kFlitWidth) == flit_of(rank, index));
        REQUIRE(bench->resident_stored_o == flit_of(rank, index));
        REQUIRE(get_field(bench->header_o, way, kFlitWidth) == flit_of(rank, 0));
        REQUIRE(bench->resident_header_o == flit_of(rank, 0));
      }
      bench->broadcasting_i = 1;
      const unsigned before_second = kCast - (header_flit ? 1 : 0);
      for (unsigned piece = 0; piece < 2; ++piece) {
        for (unsigned index = 0; index < kCast; ++index) {
          const unsigned number = piece == 0 ? index : index + before_second;
          if ((header_flit && piece == 1 && index == 0) || number >= kFlits) continue;  // made up when sent
          bench->piece_i = static_cast<CData>(piece << way);
          bench->index_i = static_cast<CData>(index);
          bench.settle();
          CAPTURE(piece);
          REQUIRE(get_field(bench->stored_o, way, kFlitWidth) == flit_of(rank, number));
        }
      }
    }
  }
}

TEST_CASE("what comes from both sides is added to what is stored", "[rtl][scan][rank_memory]") {
  Ready bench;
  const bool same = GENERATE(false, true);
  const auto read = [&](unsigned rank) {
    set_field(bench->read_rank_i, kPlus, kAddressWidth, rank);
    bench.settle();
    return get_field(bench->stored_o, kPlus, kFlitWidth);
  };
  for (const unsigned rank : {4U, 5U}) {
    bench->load_valid_i = 1;
    bench->load_address_i = static_cast<CData>(rank << (kLengthWidth + 1) | 2);
    bench->stored_i = 1000 * rank;
    bench.tick();
  }
  bench->load_valid_i = 0;
  bench->combining_i = 1;
  bench->index_i = 2;
  bench->write_valid_i = 3;
  set_field(bench->write_rank_i, kMinus, kAddressWidth, 4);
  set_field(bench->write_rank_i, kPlus, kAddressWidth, same ? 4 : 5);
  for (const int way : {kMinus, kPlus}) set_field(bench->write_index_i, way, kLengthWidth, 2);
  set_field(bench->write_flit_i, kMinus, kFlitWidth, 1);
  set_field(bench->write_flit_i, kPlus, kFlitWidth, 20);
  bench.tick();
  REQUIRE(read(4) == (same ? 4021 : 4001));
  REQUIRE(read(5) == (same ? 5000 : 5020));
}

TEST_CASE("flits that are sent: stored, own, or made up", "[rtl][scan][flit_composer]") {
  Ready bench;
  bench->stored_i = header_of(1, 2, 0x3333);
  bench->header_i = header_of(4, 5, 0x6666);
  bench->own_flit_i = header_of(7, 8, 0x9999);
  bench->address_i = 0xb;
  bench->pack_flits_i = 4;
  bench->cast_flits_i = 3;
  const auto flit = [&](unsigned index) {
    bench->index_i = static_cast<CData>(index);
    bench.settle();
    return std::uint64_t{bench->composed_o};
  };
  REQUIRE(flit(0) == bench->stored_i);
  bench->names_home_i = 1;
  REQUIRE(flit(0) == header_of(1, 0xb, 0x3333));
  REQUIRE(flit(1) == bench->stored_i);
  bench->names_home_i = 0;
  bench->packing_i = bench->first_i = 1;
  REQUIRE(flit(0) == bench->own_flit_i);
  bench->packing_i = bench->first_i = 0;
  // A second piece: the packet's flits 3 and on; of four flits there is one.
  bench->second_begins_i = 1;
  REQUIRE(flit(0) == header_of(4, 5, 0x3333));
  REQUIRE(flit(1) == 0);
  bench->cast_flits_i = 4;
  REQUIRE(flit(0) == header_of(4, 5, 0));
  // With a flit for the header alone: flits 1 and 2 are 3 and 4 of the packet.
  bench->header_flit_i = 1;
  bench->cast_flits_i = 3;
  REQUIRE(flit(0) == bench->header_i);
  REQUIRE(flit(1) == bench->stored_i);
  REQUIRE(flit(2) == 0);
}

TEST_CASE("the host gets what has come home, in the last phase that moves it",
          "[rtl][scan][class_delivery]") {
  Ready bench;
  // Whoever looks at the last flag alone sees no end of a packet in the first cycle after a reset.
  REQUIRE(bench->deliver_valid_o == 0);
  REQUIRE(bench->deliver_last_o == 0);
  bench->length_i = bench->pack_flits_i = 1;
  set_field(bench->write_flit_i, kMinus, kFlitWidth, 111);
  set_field(bench->write_flit_i, kPlus, kFlitWidth, 222);
  bench->stored_i = header_of(1, 2, 333);
  bench->own_flit_i = header_of(1, 2, 444);
  bench->resident_destination_i = 0xc;
  bench->in_packet_i = 1;
  const auto lanes = [&] {
    bench.tick();
    return static_cast<unsigned>(bench->deliver_valid_o);
  };
  for (const unsigned home : {0U, 1U, 2U, 3U}) {
    CAPTURE(home);
    bench->give_valid_i = 3;
    bench->give_last_i = 2;
    bench->give_home_i = static_cast<CData>(home);
    bench->resident_home_i = 1;

    bench->broadcasting_i = 1;
    REQUIRE(lanes() == 3);
    REQUIRE(!bench->deliver_whole_o);
    REQUIRE((bench->deliver_last_o & 3) == 2);
    REQUIRE(get_field(bench->deliver_flit_o, 0, kFlitWidth) == 111);
    REQUIRE(get_field(bench->deliver_flit_o, 1, kFlitWidth) == 222);
    bench->broadcasting_i = 0;

    bench->packing_i = 1;
    for (const int operation : {scan::kOperationPack, scan::kOperationMonotone, scan::kOperationBroadcast}) {
      CAPTURE(operation);
      bench->operation_i = static_cast<CData>(operation);
      const unsigned arrives = operation == scan::kOperationMonotone ? 0 : home;
      REQUIRE(lanes() == arrives);
      REQUIRE(bench->deliver_whole_o);
      bench->first_i = 1;
      REQUIRE(lanes() == (arrives | (operation == scan::kOperationPack ? 4U : 0U)));
      REQUIRE(get_field(bench->deliver_flit_o, 2, kFlitWidth) == bench->own_flit_i);
      bench->first_i = 0;
    }
    bench->packing_i = 0;

    bench->unpacking_i = 1;
    REQUIRE(lanes() == home);
    REQUIRE(bench->deliver_whole_o);
    bench->first_i = 1;
    REQUIRE(lanes() == (home | 4U));
    REQUIRE(get_field(bench->deliver_flit_o, 2, kFlitWidth) == header_of(1, 0xc, 333));
    bench->resident_home_i = 0;
    REQUIRE(lanes() == home);
    bench->unpacking_i = bench->first_i = 0;
  }
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
