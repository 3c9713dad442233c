// reference_network - the network of rtl/pifo/README.md a second time, cycle by cycle, in SystemC.
//
// Written from the documentation alone; shares no logic with the RTL, the fabric or the other models. A test
// that compares it with the hardware event for event compares two readings of one text.
#pragma once

#include <cstdint>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/systemc/reference_run.hpp"

namespace safnet {

/// Runs `policy` on `graph` until nothing is left to do, nothing can move, or more than `max_cycles` have
/// passed or `max_transfers` been made (then with a line in `problems`). Runs in one process follow each
/// other; calls from several threads wait for one another. Throws std::invalid_argument, naming the value,
/// for parameters out of range, for one-way links and for injections that the hardware would not take.
ReferenceRun run_reference(const Graph& graph, const Policy& policy, const ReferenceParameters& parameters,
                           std::uint64_t max_cycles, std::uint64_t max_transfers = UINT64_MAX);

}  // namespace safnet
