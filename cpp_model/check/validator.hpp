// validator - judges a trace of the hardware: as a schedule (check_schedule()), and the reported deliveries.
//
// It knows nothing of algorithms, labels or queues: only which packets start where, what a link and a port
// can do, and what must arrive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct ValidationReport {
  bool valid = true;
  std::vector<std::string> problems;  ///< the first 20, naming packet, node and cycle
  std::optional<Schedule> sends;      ///< the transfers as a schedule of cycles
};

/// Judges `trace`. A transfer of f flits that starts in cycle c holds its link in cycles c ... c+f-1, has
/// arrived at the end of cycle c+f-1+link_latency, and may be sent on from the next cycle. Every packet is
/// delivered once where the collective says so, in the cycle and through the port in which it arrives.
/// Throws std::invalid_argument for a collective that has no trace of its own (see schedule_of_trace).
ValidationReport validate(const Graph& graph, const Collective& collective, PortModel ports,
                          const Trace& trace, std::uint32_t link_latency);

}  // namespace safnet
