// scan_check - every flit that scan_nodes sent against the model of the algorithm (partial_broadcast_plan).
#pragma once

#include <string>

#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// The settings of a broadcast or accumulation, as the closed forms and the model have them.
PartialBroadcastSettings broadcast_settings(const ScanRequest& request);
/// Writes such settings into a request.
void apply(const PartialBroadcastSettings& settings, ScanRequest& request);
/// Cycles of the interval by the closed form.
std::uint64_t scan_closed_form(const ScanRequest& request);

/// One line on the first flit that differs from the model in cycle, link, or, if it is the first of its
/// packet, rank (of prefixes: count); empty if none does. For broadcasts and accumulations that kept their
/// transfers.
std::string compare_with_model(const ScanRequest& request, const ScanResult& result);
/// Whether the model covers the run, and all nodes together receive so few flits that comparing takes no
/// longer than the run.
bool is_compared(const ScanRequest& request);
/// Adds a line to the problems if the run took another time than the closed form has, and what
/// compare_with_model() says if the run kept its transfers.
void judge_scan(const ScanRequest& request, ScanResult& result);

}  // namespace safnet
