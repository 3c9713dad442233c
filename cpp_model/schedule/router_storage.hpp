// router_storage - what routers stored, worked out from who sent what when.
//
// A packet is stored from the end of the step in which it arrived. Registers are those of nodes that only
// route; queues are counted at every node that passes packets on.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/trace.hpp"

namespace safnet {

/// Registers of incoming links: a packet keeps its register until the step in which it departs for the last
/// time; a packet that arrives in that step can take the register over.
struct RegisterUse {
  std::uint32_t packets = 0;  ///< most at once on one incoming link
  std::uint32_t steps = 0;    ///< longest that a packet stayed
};
/// `transfers` in order of time.
RegisterUse router_registers(const Graph& graph, const std::vector<Transfer>& transfers);
/// Of a schedule of steps.
RegisterUse router_registers(const Schedule& schedule);

/// Queues of outgoing links, per link: most packets that were stored and wanted to leave through it, and most
/// that were left after one of them did. `transfers` in order of time.
std::vector<QueuePeak> router_queues(const Graph& graph, const std::vector<Transfer>& transfers);
std::vector<QueuePeak> router_queues(const Schedule& schedule);

/// Most packets that are in one node at once on their way to others: each from the step in which it arrived
/// to its last departure; a combined packet at its origin from the step in which the first part of it arrived
/// to its last departure, or to the arrival of the last part. Of a schedule of steps.
std::uint32_t most_in_transit(const Schedule& schedule);

}  // namespace safnet
