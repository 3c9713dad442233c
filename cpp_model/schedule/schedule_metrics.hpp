// schedule_metrics - the figures of a schedule: steps, cycles, how busy its links are.
#pragma once

#include <boost/rational.hpp>
#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct ScheduleMetrics {
  std::uint64_t steps = 0;         ///< last slot in which something arrives
  std::uint64_t cycles = 0;        ///< last cycle in which something arrives
  std::uint64_t sends = 0;         ///< packets that cross a link
  std::uint64_t flits = 0;         ///< flits that do
  std::uint64_t packets = 0;       ///< combined ones included
  std::uint64_t destinations = 0;  ///< hosts that get a packet, over all packets
  std::uint64_t links = 0;         ///< that the network has
  std::uint64_t links_used = 0;
  std::uint64_t busiest_link_flits = 0;
  LinkId busiest_link = 0;  ///< of several the lowest; 0 if none is used
  /// Most links that a packet crosses from its origin to a node; a combined packet has its own origin.
  std::uint32_t most_hops = 0;
  /// flits / (links * cycles): the part of the network's capacity that is used while the schedule runs; 0 if
  /// nothing is sent.
  boost::rational<std::uint64_t> utilisation = 0;
};

/// Figures of a valid schedule (see check_schedule); those of another one mean nothing. Throws
/// std::invalid_argument if it names links or packets that do not exist.
ScheduleMetrics measure(const Schedule& schedule);

/// The last cycle in which something arrives; 0 if nothing is sent.
std::uint64_t last_arrival_cycle(const Schedule& schedule);
/// By link, the flits that it carries in the whole schedule. Throws the same.
std::vector<std::uint64_t> flits_by_link(const Schedule& schedule);

}  // namespace safnet
