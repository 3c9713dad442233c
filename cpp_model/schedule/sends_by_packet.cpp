#include "cpp_model/schedule/sends_by_packet.hpp"

#include <limits>
#include <stdexcept>

namespace safnet {

SendsByPacket::SendsByPacket(std::span<const Send> sends, PacketIndex packets) {
  if (sends.size() >= std::numeric_limits<SendNumber>::max())
    throw std::invalid_argument("schedule: 2^32 sends or more; expected fewer");
  first_.assign(std::size_t{packets} + 2, 0);
  SendNumber known = 0;
  for (const Send& send : sends) {
    if (send.packet >= packets) continue;
    ++first_[send.packet + 2];
    ++known;
  }
  for (std::size_t p = 2; p < first_.size(); ++p) first_[p] += first_[p - 1];
  numbers_.resize(known);
  // What was the first number of the next packet is, in the end, that of this one.
  for (SendNumber i = 0; i < sends.size(); ++i) {
    if (sends[i].packet < packets) numbers_[first_[sends[i].packet + 1]++] = i;
  }
  first_.pop_back();
}

}  // namespace safnet
