// journeys - how the packets of a recording came to the nodes that sent them on: which send brought each
// there, how many links it had crossed by then, and how long it waited.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/recording.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

/// The ways of all packets of a recording, which must outlive it. 12 bytes a send, 12 a part of a combined
/// packet.
class Journeys {
 public:
  using SendNumber = SendsByPacket::SendNumber;
  static constexpr SendNumber kNoSend = ~SendNumber{0};

  /// Throws std::invalid_argument for 2^32 sends.
  explicit Journeys(const Recording& recording);

  /// The send that brought the packet to the node that now sends it on; kNoSend if the node is the packet's
  /// origin, or if nothing had brought it there before.
  SendNumber bringer(SendNumber send) const { return bringer_[send]; }
  /// The links that the packet has crossed once this send has arrived. A combined packet counts from its
  /// origin.
  std::uint32_t hop(SendNumber send) const { return hop_[send]; }
  /// The cycle from which on the packet was at the node, complete, and could leave. A combined packet is
  /// there once its last part is.
  std::uint64_t ready_cycle(SendNumber send) const;
  /// The cycles that it then waited for its link.
  std::uint64_t waited_cycles(SendNumber send) const {
    return recording_.schedule.cycle(at(send)) - ready_cycle(send);
  }
  /// The last cycle in which this send keeps the link busy.
  std::uint64_t last_cycle(SendNumber send) const { return recording_.schedule.last_cycle(at(send)); }
  /// The cycle at the end of which the last of these flits has crossed the link.
  std::uint64_t arrival_cycle(SendNumber send) const { return recording_.schedule.arrival_cycle(at(send)); }
  std::uint32_t flits(SendNumber send) const { return recording_.schedule.packets.flits(at(send).packet); }
  /// The sends that go on with what this one brought: those of the same packet from the node that it arrived
  /// at, and those of a combined packet there of which it brought a part. Puts them into `next`, which is
  /// cleared.
  void next(SendNumber send, std::vector<SendNumber>& next) const;
  /// The opposite: the sends that brought what this one takes on.
  void before(SendNumber send, std::vector<SendNumber>& before) const;

 private:
  const Send& at(SendNumber send) const { return recording_.schedule.sends[send]; }
  std::span<const SendNumber> sends_of(PacketIndex packet) const;
  void number_parts();
  void follow(PacketIndex packet);
  void reach_wholes(PacketIndex packet);
  SendNumber first_arrival(NodeId node) const;

  const Recording& recording_;
  Groups by_packet_;                 // of each packet in order of links, over each link in order of time
  std::vector<SendNumber> bringer_;  // by send
  std::vector<std::uint32_t> hop_;

  // Of combined packets; empty if there are none. Parts are numbered through all packets.
  std::vector<std::uint32_t> first_part_;   // by combined packet, its first part's number
  std::vector<PacketIndex> whole_of_part_;  // by number of part
  std::vector<SendNumber> part_bringer_;    // by number of part: what brought it to the origin of the whole
  std::vector<std::uint64_t> ready_;        // by packet, at its origin
  Groups uses_;                             // by packet, the numbers of the parts that it is

  std::vector<SendNumber> arrivals_;  // of the packet that is followed, in order of nodes, then of time
};

}  // namespace safnet
