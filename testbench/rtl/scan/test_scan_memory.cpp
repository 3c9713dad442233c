// test_scan_memory - where flits of a class_engine are kept, combined, composed and given to the host
// (rtl/scan/README.md): each part by itself.
#include "testbench/rtl/scan/scan_engine_parts.hpp"

namespace safnet::testbench {
namespace {

using namespace scan_engine_parts;

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

}  // namespace
}  // namespace safnet::testbench
