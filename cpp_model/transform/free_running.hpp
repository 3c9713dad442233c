// free_running - a schedule of steps for nodes that start packets in any cycle.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

using SendNumber = SendsByPacket::SendNumber;
inline constexpr SendNumber kFromTheStart = std::numeric_limits<SendNumber>::max();

/// A send that a combined packet waits for, and the loopbacks over which what it brings goes, one after the
/// other, until it is in that packet. A loopback takes as long as a link without latency.
struct Arrival {
  SendNumber send = 0;
  std::uint32_t loopbacks = 0;
};

/// What each send of a schedule waits for.
struct Supply {
  std::vector<SendNumber> feeder;  ///< by send: the send that brought the packet to the sender; at its origin
                                   ///< kFromTheStart
  // Of combined packets:
  std::vector<Arrival> arrivals;     ///< by packet, each send once
  std::vector<std::uint64_t> first;  ///< by packet, where its arrivals begin; and their number
  std::vector<std::uint32_t>
      own_loopbacks;  ///< by packet: over which a part goes that is there from the start

  std::span<const Arrival> arrivals_of(PacketIndex packet) const {
    return std::span(arrivals).subspan(first[packet], first[packet + 1] - first[packet]);
  }
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
