#include "cpp_model/schedule/sends_by_packet.hpp"

#include <limits>
#include <stdexcept>

namespace safnet {

SendsByPacket::SendsByPacket(std::span<const Send> sends, PacketIndex packets) {
  if (sends.size() >= std::numeric_limits<SendNumber>::max())
    throw std::invalid_argument("schedule: 2^32 sends or more; expected fewer");
  grouped_ = Groups(packets, [&](const auto& put) {
    for (SendNumber i = 0; i < sends.size(); ++i) {
      if (sends[i].packet < packets) put(sends[i].packet, i);
    }
  });
}

}  // namespace safnet
