// network_packet - what hosts of a SystemC platform give to a network, and get from it.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

namespace safnet {

/// A packet: a header flit, and a flit of 64 bits for each word.
struct NetworkPacket {
  std::uint32_t source = 0;          ///< set by the network: the node through whose port it came
  std::uint32_t destination = 0;     ///< another processor
  std::vector<std::uint64_t> words;  ///< carried to the destination; as many as flits allow, or none
  /// All three are the same.
  friend bool operator==(const NetworkPacket&, const NetworkPacket&) = default;
};

/// "3>5: 2 words": what sc_fifo prints.
inline std::ostream& operator<<(std::ostream& out, const NetworkPacket& packet) {
  return out << packet.source << '>' << packet.destination << ": " << packet.words.size() << " words";
}

}  // namespace safnet
