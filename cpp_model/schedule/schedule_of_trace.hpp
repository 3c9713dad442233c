// schedule_of_trace - what the hardware did, as a schedule: to be judged, written to a file, compared.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A transfer is a send, packets are those of the collective, as long as they were sent at first (those that
/// never were: one flit). The deliveries are not looked at: a schedule says where packets must get to.
/// `slot_cycles`: slots are that long if every transfer starts with one, otherwise a slot is a cycle.
///
/// A transfer that a schedule cannot hold is left out and told to `refuse` in one line: of a node, port or
/// packet that does not exist, of no flits, in cycle 0, or with more or fewer flits than the packet had.
/// Without a `refuse` it throws that as std::invalid_argument. So it does a collective that exists as
/// schedules alone.
Schedule schedule_of_trace(const Graph& graph, const Collective& collective, PortModel ports,
                           const Trace& trace, std::uint32_t link_latency, std::uint32_t slot_cycles = 1,
                           const std::function<void(const std::string&)>& refuse = {});

}  // namespace safnet
