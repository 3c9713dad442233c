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

/// What each send of a schedule waits for, and what arrivals are combined into.
struct Supply {
  std::vector<SendNumber> feeder;  ///< by send: the send that brought the packet to the sender; at its origin
                                   ///< kFromTheStart
  std::vector<PacketIndex> goes_into;  ///< by send: the combined packet at the target that it is a part of
  // By packet, for combined ones:
  std::vector<std::uint32_t> missing;  ///< parts that are still to come
  std::vector<PacketIndex> next;       ///< the combined packet at the same node that it is a part of
  // Whether a part goes into its whole over a loopback, which takes as long as a link without latency:
  std::vector<bool> arrival_loops;  ///< by send, into goes_into
  std::vector<bool> sum_loops;      ///< by packet, into next
};

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
