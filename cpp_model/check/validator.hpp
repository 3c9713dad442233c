// validator - replays a trace from the collective's definition alone: causality, links, port limits,
// deliveries.
//
// It knows nothing of algorithms, labels or queues: only which packets start where, what a link and a port
// can do, and what must arrive. A planned schedule and a hardware trace are judged by the same rules.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct ValidationReport {
  bool valid = true;
  std::vector<std::string> problems;  ///< the first 20, naming packet, node and cycle
};

/// Judges `trace`. A transfer of f flits that starts in cycle c holds its link in cycles c ... c+f-1, has
/// arrived at the end of cycle c+f-1+link_latency, and may be sent on from the next cycle. A delivery happens
/// in that cycle, too.
ValidationReport validate(const Graph& graph, const Collective& collective, PortModel ports,
                          const Trace& trace, std::uint32_t link_latency);

}  // namespace safnet
