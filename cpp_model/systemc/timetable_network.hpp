// timetable_network - the network of rtl/tdm/README.md a second time, cycle by cycle, in SystemC.
//
// Written from the documentation alone; shares no logic with the RTL, the fabric or the program that the
// hardware gets. Flits carry data, which nodes combine.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/systemc/timetable.hpp"
#include "cpp_model/systemc/timetable_run.hpp"

namespace safnet {

/// Runs the programs until all is sent and received, or nothing moves any more. Runs in one process follow
/// each other; calls from several threads wait for one another. Throws std::invalid_argument for parameters
/// out of range.
TimetableRun run_reference_timetable(const Graph& graph, const std::vector<ReferenceProgram>& programs,
                                     const TimetableParameters& parameters, ReferenceHosts& hosts);

/// The same for what a schedule says, from reference_programs().
TimetableRun run_reference_timetable(const Schedule& schedule, const TimetableParameters& parameters,
                                     ReferenceHosts& hosts);

/// The parameters of a schedule.
TimetableParameters timetable_parameters(const Schedule& schedule, std::uint32_t window);

}  // namespace safnet
