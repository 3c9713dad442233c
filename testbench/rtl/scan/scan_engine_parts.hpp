// scan_engine_parts - the parts of a class_engine in one bench: what the tests of them share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Vrtl_scan_engine_bench.h"
#include "rtl_constants.hpp"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench::scan_engine_parts {

namespace scan = rtl::scan_pkg;
using Bench = RtlBench<Vrtl_scan_engine_bench>;
inline constexpr int kDigits = 2, kDigitWidth = 2, kAddressWidth = 4, kFlitWidth = 64, kLengthWidth = 3;
inline constexpr int kMinus = 0, kPlus = 1;

inline void quiet(Bench& bench) {
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
inline unsigned digits_of(unsigned number, unsigned base) {
  unsigned code = 0;
  for (int j = 0; j <= kDigits; ++j, number /= base) code |= number % base << (j * kDigitWidth);
  return code;
}
inline std::uint64_t header_of(unsigned rank, unsigned destination, std::uint64_t payload) {
  return payload << scan::kHeaderWidth | std::uint64_t{destination} << scan::kDestinationField | rank;
}
/// How far a packet of a broadcast goes one way, from the definition: half way round each if it goes both
/// ways.
inline unsigned reach_of(unsigned base, bool ring, bool two_pieces, bool alternate, bool plus, bool odd) {
  if (!ring || two_pieces) return base - 1;
  const bool longer = alternate && odd ? !plus : plus;
  return longer ? base / 2 : (base - 1) / 2;
}
}  // namespace safnet::testbench::scan_engine_parts
