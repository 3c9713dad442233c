// schedule_report - the rules of a valid schedule, and what is said of one that breaks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace safnet {

/// The rules of a valid schedule. Those on sends are judged in this order.
enum class ScheduleRule : std::uint8_t {
  kPacket,       ///< packets are what they must be: origin and destinations are nodes that process (so
                 ///< only these combine), flits >= 1, destinations
                 ///< differ from each other and from a plain packet's origin, names (origin, tag) are unique;
                 ///< what is sent is one of them
  kParts,        ///< parts of a combined packet come before it, differ, are as long as it
  kCollective,   ///< the packets are those of the collective that the schedule says it is (either name of
                 ///< collective_names(); without one it is not judged): as many packets, one or more, for
                 ///< every pair of an origin and a destination; of broadcasts and multipath transfers one or
                 ///< more; of reductions one or more results, each of one packet of every node; of
                 ///< multinode broadcasts and accumulations as many packets or results for every node; of
                 ///< allreduces for every node one result of each set of packets
  kOrder,        ///< sends are in order of start, link and packet
  kTime,         ///< starts count from 1, slots have cycles
  kLink,         ///< the link exists
  kCausality,    ///< the sender has the packet complete, before the cycle in which it starts
  kOccupancy,    ///< a link carries one packet at a time: f flits hold it for f cycles
  kSendPort,     ///< one-port, one-port-send: a node sends one packet at a time
  kReceivePort,  ///< one-port: a node receives one packet at a time
  kOnce,         ///< a packet arrives at a node once at most, and never at its origin
  kCombination,  ///< every part reaches the node that combines it and goes into one combined packet there at
                 ///< most (it may also be delivered and sent on; a host's own, plain packets may go into any
                 ///< number); no contribution counts twice in a packet
  kDelivery,     ///< every destination gets its packet; a combined packet's origin has it when it is complete
  kForwarding,   ///< not of every schedule: data cross no more links in a row than a limit
                 ///< (check_forwarding())
};
/// "causality", "receive port", ...
const std::string& to_string(ScheduleRule rule);

struct ScheduleViolation {
  static constexpr std::size_t kNoSend = static_cast<std::size_t>(-1);
  ScheduleRule rule = ScheduleRule::kPacket;
  std::size_t send = kNoSend;  ///< number of the send in the schedule, if one is to blame
  /// One line that names slot, link (both nodes), packet and rule, in words.
  std::string text;
};

struct ScheduleReport {
  bool valid() const { return count == 0; }
  std::uint64_t count = 0;                    ///< violations in all
  std::vector<ScheduleViolation> violations;  ///< the first of them
};

}  // namespace safnet
