// flit - what crosses a link in one cycle: a flit and what goes beside it.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace sc_core {
class sc_trace_file;
}

namespace safnet::reference {

struct Flit {
  bool valid = false;  ///< false: nothing on the link
  PacketId packet;
  Label label = 0;
  std::uint32_t length = 0;   ///< flits of the packet
  std::uint32_t index = 0;    ///< of this flit within the packet, from 0
  std::uint64_t payload = 0;  ///< see payload_of
  friend bool operator==(const Flit&, const Flit&) = default;
};

/// The payload that flit `index` of a packet must carry: FNV-1a over its name, so that a flit that was
/// changed, swapped or sent elsewhere differs.
inline std::uint64_t payload_of(PacketId packet, Label label, std::uint32_t index) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::uint32_t word : {packet.source, packet.tag, label, index}) {
    for (int byte = 0; byte < 4; ++byte) {
      hash = (hash ^ ((word >> (8 * byte)) & 0xffU)) * 0x100000001b3ULL;
    }
  }
  return hash;
}

/// All that a node drives towards one neighbour in a cycle: the value of the signal between them. To
/// sc_signal two equal values in a row are no event; receivers need none, they sample at the clock's edge.
struct Drive {
  Flit flit;
  bool credit = false;   ///< a place is free for what the neighbour sends this way
  bool request = false;  ///< asks whether a packet may be sent
  bool grant = false;    ///< the neighbour may send a packet
  friend bool operator==(const Drive&, const Drive&) = default;
};

/// sc_signal asks for these two; nothing prints or traces a drive.
inline std::ostream& operator<<(std::ostream& out, const Drive& drive) {
  return out << drive.flit.packet.source << '/' << drive.flit.packet.tag << '.' << drive.flit.index;
}
inline void sc_trace(sc_core::sc_trace_file*, const Drive&, const std::string&) {}

}  // namespace safnet::reference
