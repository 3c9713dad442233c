// scan_packets - what is in the packets of scan_nodes: header, and a value in every payload bit.
//
// The first flit: rank, destination and source, 16 bits each, and 16 bits of payload above them. Payload is a
// hash of who sent it, the part, and the number of the flit; sums are checked against the sum of what all
// nodes gave.
#pragma once

#include <cstdint>

#include "cpp_model/graph/graph.hpp"
#include "rtl_constants.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

/// Numbers as the hardware has them: digit by digit in a base, the lowest in the lowest bits.
struct DigitCode {
  std::uint32_t base = 2;
  std::uint32_t digits = 1;  ///< of an address; codes have one digit more, for counts
  std::uint32_t width = 1;   ///< bits of a digit

  std::uint64_t encode(std::uint64_t number) const {
    std::uint64_t code = 0;
    for (std::uint32_t l = 0; l <= digits; ++l, number /= base) code |= number % base << (l * width);
    return code;
  }
  std::uint64_t decode(std::uint64_t code) const {
    std::uint64_t number = 0;
    for (std::uint32_t l = digits + 1; l-- > 0;)
      number = number * base + ((code >> (l * width)) & ((std::uint64_t{1} << width) - 1));
    return number;
  }
};

class ScanPackets {
 public:
  /// `pack_flits`: of a packet (or part); `cast_flits`: of the pieces in which it is broadcast; `header`:
  /// whether the first flit is header alone.
  ScanPackets(std::uint32_t pack_flits, std::uint32_t cast_flits, bool header, bool two_pieces)
      : pack_flits_(pack_flits), cast_flits_(cast_flits), header_(header), two_pieces_(two_pieces) {}

  static constexpr std::uint64_t kHeaderMask = (std::uint64_t{1} << rtl::scan_pkg::kHeaderWidth) - 1;
  static constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << rtl::scan_pkg::kFieldWidth) - 1;
  static std::uint64_t header(std::uint64_t rank, std::uint64_t destination, NodeId source) {
    return (rank & kFieldMask) << rtl::scan_pkg::kRankField |
           (destination & kFieldMask) << rtl::scan_pkg::kDestinationField |
           (source & kFieldMask) << rtl::scan_pkg::kSourceField;
  }
  static std::uint64_t rank_of(std::uint64_t flit) { return flit >> rtl::scan_pkg::kRankField & kFieldMask; }
  static std::uint64_t destination_of(std::uint64_t flit) {
    return flit >> rtl::scan_pkg::kDestinationField & kFieldMask;
  }
  static NodeId source_of(std::uint64_t flit) {
    return static_cast<NodeId>(flit >> rtl::scan_pkg::kSourceField & kFieldMask);
  }

  /// Flit `index` of part `part` of the packet of `source`, as its host gives it: without rank.
  static std::uint64_t own(NodeId source, std::uint32_t part, std::uint32_t index,
                           std::uint64_t destination) {
    const std::uint64_t payload = hash(source, part, index, 0);
    return index != 0 ? payload : (payload & ~kHeaderMask) | header(0, destination, source);
  }
  /// What that flit must be when the packet arrives after packing: its first flit has the rank.
  static std::uint64_t packed(NodeId source, std::uint32_t part, std::uint32_t index, std::uint64_t rank,
                              std::uint64_t destination) {
    return own(source, part, index, destination) | (index == 0 ? header(rank, 0, 0) : 0);
  }
  /// What flit `index` of piece `piece_number` must be when it is broadcast.
  std::uint64_t piece(NodeId source, std::uint32_t part, std::uint32_t piece_number, std::uint32_t index,
                      std::uint64_t rank) const {
    const std::uint32_t payloads = cast_flits_ - (header_ ? 1 : 0);
    const bool is_header_flit = header_ && index == 0;
    const std::uint32_t at = is_header_flit ? 0 : index + piece_number * payloads;
    const std::uint64_t payload = at >= pack_flits_ ? 0 : hash(source, part, at, 0);
    return index != 0 ? payload : (payload & ~kHeaderMask) | header(rank, 0, source);
  }
  /// The piece to which flit `index` of a packed packet belongs, and which flit of that piece it is.
  std::uint32_t piece_of(std::uint32_t index) const { return two_pieces_ && index >= cast_flits_ ? 1 : 0; }
  std::uint32_t index_in_piece(std::uint32_t index) const {
    return piece_of(index) == 0 ? index : index - (cast_flits_ - (header_ ? 1 : 0));
  }

  /// What `node` contributes to the sum of a rank, without header.
  static std::uint64_t operand(NodeId node, std::uint32_t class_number, std::uint64_t rank,
                               std::uint32_t piece_number, std::uint32_t index) {
    return hash(node, class_number * 2 + piece_number, index, rank + 1);
  }
  /// Adds flit by flit as rtl/scan/flit_combiner.sv does; of a first flit only the bits above the header.
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b, bool first) {
    return first ? ((a & ~kHeaderMask) + (b & ~kHeaderMask)) : a + b;
  }

 private:
  static std::uint64_t hash(NodeId source, std::uint32_t part, std::uint32_t index, std::uint64_t rank) {
    return PacketFormat::payload({source, part + static_cast<std::uint32_t>(rank << 8)}, index);
  }
  std::uint32_t pack_flits_, cast_flits_;
  bool header_, two_pieces_;
};

}  // namespace safnet
