#include "sim/run/queue_check.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cpp_model/check/queue_peaks.hpp"

namespace safnet {

void judge_queues(const Schedule& sends, const Machine& machine, const PifoParameters& parameters,
                  std::uint32_t first_slot, HostStart hosts, bool may_lack, Problems& problems) {
  const Graph& graph = sends.network;
  std::vector<NodeCounters> counters;
  for (NodeId v = 0; v < graph.node_count(); ++v) counters.push_back(machine.counters(v));
  if (may_lack && std::ranges::all_of(counters, [](const NodeCounters& c) { return c.peak_occupancy == 0; }))
    return;
  const std::vector<NodePeaks> peaks =
      queue_peaks(sends, first_slot, static_cast<std::uint32_t>(parameters.slot_cycles));
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters& c = counters[v];
    const NodePeaks& held = peaks[v];
    const auto judge = [&](std::string_view counter, std::uint32_t counted, std::uint32_t most) {
      if (counted != most)
        problems.add("node {}: {} counts {}, by what its links carried there were {}", graph.node_name(v),
                     counter, counted, most);
    };
    judge("peak_transit_o", c.peak_transit, held.transit);
    const bool all_are_there =
        hosts == HostStart::kFull && held.own_packets <= static_cast<std::uint32_t>(parameters.host_depth);
    if (!all_are_there) continue;
    judge("peak_occupancy_o", c.peak_occupancy, held.occupancy);
    for (PortId q = 0; q < held.queues.size() && q < c.peak_stored.size(); ++q) {
      const QueuePeak& queue = held.queues[q];
      if (c.peak_stored[q] != queue.stored)
        judge(fmt::format("peak_stored_o[{}]", q), c.peak_stored[q], queue.stored);
      if (c.peak_waiting[q] != queue.waiting)
        judge(fmt::format("peak_waiting_o[{}]", q), c.peak_waiting[q], queue.waiting);
    }
  }
}

}  // namespace safnet
