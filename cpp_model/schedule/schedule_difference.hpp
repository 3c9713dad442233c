// schedule_difference - in what two schedules on the same network differ: a plan and what the hardware made
// of it, or two algorithms for one collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A link on which the two schedules start different packets in one cycle. A list is empty where nothing
/// starts; that of a valid schedule has one packet at most.
struct PartingLink {
  std::uint64_t cycle = 0;
  LinkId link = 0;
  std::vector<PacketId> first, second;  ///< in order
};

/// A packet whose last arrival anywhere is not in the same cycle in both.
struct MovedPacket {
  PacketId packet;
  std::uint64_t first_cycle = 0, second_cycle = 0;
};

/// A packet is the same one in both schedules if its origin and tag are, a transfer if its packet, link and
/// cycle are. Whatever a slot is called, cycles are compared.
struct ScheduleDifference {
  struct Side {
    std::uint64_t steps = 0;   ///< last slot in which something arrives
    std::uint64_t cycles = 0;  ///< last cycle in which something arrives
  };
  Side first, second;

  std::uint64_t same_transfers = 0;
  std::uint64_t parting_links = 0;    ///< how often a link and a cycle have different packets
  std::vector<PartingLink> partings;  ///< the first of them, in order of time, then of links

  std::uint64_t packets_of_first = 0, packets_of_second = 0;  ///< that the other one does not have
  std::uint64_t shared_packets = 0;
  /// Of the shared ones: with other lengths, destinations or parts.
  std::uint64_t changed_packets = 0;
  /// Of the shared ones: those that both send; of these, those whose last arrival is in an earlier or a later
  /// cycle of the second schedule than of the first.
  std::uint64_t sent_packets = 0, earlier_packets = 0, later_packets = 0;
  /// The ones that moved furthest, the furthest first.
  std::vector<MovedPacket> moved;
  bool same_latency = true;

  /// Both say the same of all packets and transfers. Port models, lengths of slots and texts are not looked
  /// at.
  bool none() const {
    return parting_links == 0 && packets_of_first + packets_of_second + changed_packets == 0 && same_latency;
  }
};

/// Lists hold at most `most_listed` items. Throws std::invalid_argument if the networks are not the same.
ScheduleDifference difference_between(const Schedule& first, const Schedule& second,
                                      std::size_t most_listed = 8);

}  // namespace safnet
