// packet_format - a packet's flits as hosts write and check them: header fields and a value in every payload
// bit.
//
// Header, lowest bits first: label, source, tag, length; the bits above hold a hash of source, tag and label,
// as many as fit. Bit 0 of a label that an exchange_node stamps on its way is not in the hash. Further flits
// are hashes of source, tag and their number: a flit that was changed, swapped or misrouted differs.
#pragma once

#include <bit>
#include <cstdint>

#include "cpp_model/number/bits.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/pifo/pifo_parameters.hpp"

namespace safnet {

class PacketFormat {
 public:
  explicit PacketFormat(const PifoParameters& p)
      : label_width_(index_width(p.label_depth)),
        source_width_(p.node_id_width),
        tag_width_(p.tag_width),
        length_width_(std::bit_width(static_cast<unsigned>(p.built_flits()))),
        stamped_label_bits_(p.scans_first) {}

  struct Header {
    Label label;
    PacketId packet;
    std::uint32_t length;
    bool intact;  ///< the hash above the fields is right
  };

  std::uint64_t header(Label label, PacketId packet, std::uint32_t length) const {
    const int source_at = label_width_, tag_at = source_at + source_width_, length_at = tag_at + tag_width_;
    const int check_at = length_at + length_width_;
    std::uint64_t flit = label | (std::uint64_t{packet.source} << source_at) |
                         (std::uint64_t{packet.tag} << tag_at) | (std::uint64_t{length} << length_at);
    if (check_at < 64) flit |= mixed_bits(payload(packet, 0) ^ (label >> stamped_label_bits_)) << check_at;
    return flit;
  }

  /// Flit `index` of a packet.
  std::uint64_t flit(Label label, PacketId packet, std::uint32_t length, std::uint32_t index) const {
    return index == 0 ? header(label, packet, length) : payload(packet, index);
  }

  /// The fields of a header, without a look at the hash.
  Header fields(std::uint64_t flit) const {
    const auto field = [&](int at, int width) {
      return static_cast<std::uint32_t>((flit >> at) & ((std::uint64_t{1} << width) - 1));
    };
    const int tag_at = label_width_ + source_width_, length_at = tag_at + tag_width_;
    return {field(0, label_width_),
            {field(label_width_, source_width_), field(tag_at, tag_width_)},
            field(length_at, length_width_),
            false};
  }
  Header parse(std::uint64_t flit) const {
    Header h = fields(flit);
    h.intact = header(h.label, h.packet, h.length) == flit;
    return h;
  }

  /// Payload of flit `index` of a packet: a hash of source, tag and index.
  static std::uint64_t payload(PacketId packet, std::uint32_t index) {
    return mixed_bits((std::uint64_t{packet.source} << 40) ^ (std::uint64_t{packet.tag} << 16) ^ (index + 1));
  }

 private:
  int label_width_, source_width_, tag_width_, length_width_, stamped_label_bits_;
};

}  // namespace safnet
