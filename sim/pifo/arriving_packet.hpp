// arriving_packet - a packet on its way to a host, flit by flit: is it what was sent?
#pragma once

#include <cstdint>

#include "sim/pifo/packet_format.hpp"

namespace safnet {

/// The 64 bits of a flit that hosts look at.
inline std::uint64_t flit_value(const std::uint32_t* words) {
  return words[0] | (std::uint64_t{words[1]} << 32);
}

/// The packet that is being delivered through one port.
struct ArrivingPacket {
  PacketFormat::Header header{};
  std::uint32_t flits = 0;  ///< so far
  bool intact = false;      ///< all of them are as the header says

  void add(const PacketFormat& format, const std::uint32_t* words) {
    const std::uint64_t value = flit_value(words);
    if (flits == 0) {
      header = format.parse(value);
      intact = header.intact;
    } else {
      intact = intact && value == PacketFormat::payload(header.packet, flits);
    }
    ++flits;
  }
};

}  // namespace safnet
