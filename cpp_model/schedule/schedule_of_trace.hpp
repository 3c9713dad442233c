// schedule_of_trace - what the hardware did, as a schedule: to be judged, written to a file, compared.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The trace's transfers as sends of the collective's packets, each as long as when it was first sent (or one
/// flit). The trace's deliveries are not looked at: destinations are the collective's. `slot_cycles`: the
/// length of a slot if every transfer starts with one; otherwise a slot is a cycle.
///
/// A transfer that a schedule cannot hold is left out, and `refuse` is told in one line: a node, port or
/// packet that does not exist, no flits, cycle 0, or another number of flits than when the packet was first
/// sent. Throws std::invalid_argument with that line if there is no `refuse`, and for a collective whose
/// packets are combined or are not known without the problem.
Schedule schedule_of_trace(const Graph& graph, const Collective& collective, PortModel ports,
                           const Trace& trace, std::uint32_t link_latency, std::uint32_t slot_cycles = 1,
                           const std::function<void(const std::string&)>& refuse = {});

}  // namespace safnet
