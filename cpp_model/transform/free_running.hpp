// free_running - a schedule of steps for nodes that start packets in any cycle.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

using SendNumber = SendsByPacket::SendNumber;
inline constexpr SendNumber kFromTheStart = std::numeric_limits<SendNumber>::max();

/// A send that brings a part of a combined packet to its node, and whether the part goes into it over a
/// loopback, which takes as long as a link without latency.
struct Arrival {
  SendNumber send = 0;
  bool loops = false;
};

/// What each send of a schedule waits for. A combined packet waits for `arrivals`, and for its parts that are
/// combined packets of the same node (own_sums()).
struct Supply {
  std::vector<SendNumber> feeder;  ///< by send: the send that brought the packet to the sender; at its origin
                                   ///< kFromTheStart
  std::vector<std::vector<Arrival>> arrivals;  ///< by combined packet
  std::vector<bool> sum_loops;  ///< by combined packet: it goes over loopbacks into others of its node
};

/// The parts of a combined packet that are combined packets of the same node. They have smaller numbers.
std::vector<PacketIndex> own_sums(const PacketList& packets, PacketIndex sum);

/// The supply of a valid schedule. If nothing is combined, all lists but `feeder` are empty.
Supply find_supply(const Schedule& schedule);

/// Turns a schedule of steps (see in_lockstep()) into one in cycles with packets of `flits` flits: a slot is
/// a cycle, and every send starts as soon as its packet is there and link and ports are free, in the order of
/// the plan. Throws std::invalid_argument if `steps` is invalid or not of steps, or for 0 flits or 2^32
/// cycles.
Schedule free_running(Schedule steps, std::uint32_t flits, std::uint32_t link_latency);

/// A schedule of steps with the run's packets: in_lockstep(), or free_running() where packets would take
/// different times over different links, which have no common step.
Schedule with_packets_in_step(Schedule steps, std::uint32_t flits, std::uint32_t link_latency);

}  // namespace safnet
