// sends_by_packet - the sends of each packet together, each packet's in order of time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Numbers of sends, grouped by packet; within a packet in the order in which they are in the schedule.
/// 4 bytes a send; linear time, by counting.
class SendsByPacket {
 public:
  using SendNumber = std::uint32_t;

  /// Packets are numbered below `packets`; sends of others are left out. Throws std::invalid_argument for
  /// 2^32 sends.
  SendsByPacket(std::span<const Send> sends, PacketIndex packets);

  std::span<const SendNumber> of(PacketIndex p) const { return grouped_.of(p); }
  /// The groups themselves, which are then no longer here.
  Groups take() { return std::move(grouped_); }

 private:
  Groups grouped_;
};

}  // namespace safnet
