// memory_estimate - what a run will hold in memory, estimated before it begins: a run that does not fit is
// refused at once, not killed later.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/pifo/label_use.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/run_request.hpp"
#include "sim/scan/scan_parameters.hpp"
#include "sim/tdm/tdm_parameters.hpp"

namespace safnet {

/// The fewest transfers possible: each packet crosses at least as many links as its destination is away.
std::uint64_t least_transfers(const Problem& problem);

/// A trace of more transfers than this is neither kept nor replayed, unless it was asked for.
inline constexpr std::uint64_t kMaxTraceTransfers = 20'000'000;

/// Whether a run of routers keeps its events and replays them: if it was asked to, or if they are few.
bool keeps_events(const RunRequest& request);

/// Bytes that a router uses on average if packets bring these labels alone to nodes.
double bytes_of_node(const PifoParameters& parameters, const Graph& graph, const LabelUse& use);

/// Throws std::invalid_argument, with the options at fault, if what a run of a policy holds does not fit into
/// memory: nodes, hosts' packets, what the observer notes.
void require_memory_of_run(const RunRequest& request, const Policy& policy, const PifoParameters& parameters);

/// The same of compiling and running a schedule, beside the schedule itself and the nodes.
void require_memory_of_replay(const Schedule& schedule, bool keep_trace);
void require_memory_of_tdm_nodes(const Graph& graph, const TdmParameters& parameters);
/// Of the SystemC nodes that run it instead, with the programs that they make of it.
void require_memory_of_timetable_reference(const Schedule& schedule);

/// The same of checking a schedule, beside the schedule itself.
void require_memory_of_check(const Schedule& schedule);

/// The same of planning, checking and writing a schedule for a problem.
void require_memory_of_plan(const Problem& problem);

/// The same of a partial collective on scan_nodes, which find a place for every flit of every packet.
void require_memory_of_scan(const Graph& graph, const ScanParameters& parameters);

/// The same of traffic of at most `packets` packets; `keep_trace`: every transfer is written down; `options`:
/// those that say how many packets there are.
void require_memory_of_traffic(const Graph& graph, const PifoParameters& parameters, double packets,
                               bool keep_trace, const char* options = "--rate --measure --drain-limit");

}  // namespace safnet
