// queue_peaks - how full the queues of routers were, worked out from what their links carried.
//
// A packet is in a queue from the cycle after its last flit arrived to the cycle in which its last copy
// starts to leave; a node's own packets are there from the beginning. Under all-port a node has a queue per
// output port, otherwise one.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/trace.hpp"

namespace safnet {

struct NodePeaks {
  std::uint32_t own_packets = 0;
  std::uint32_t occupancy = 0;    ///< packets in the fullest queue
  std::uint32_t transit = 0;      ///< the same without the node's own
  std::vector<QueuePeak> queues;  ///< per output port, or of the one queue
};

/// Of each node. `sends`: a valid schedule of cycles (slot_cycles 1), in order of time. Slots of
/// `slot_cycles` cycles open from cycle `first_slot` on.
std::vector<NodePeaks> queue_peaks(const Schedule& sends, std::uint32_t first_slot,
                                   std::uint32_t slot_cycles);

}  // namespace safnet
