// scan_check - every flit that scan_nodes sent against the model of the algorithm (partial_broadcast_plan).
#pragma once

#include <string>

#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// The settings of a broadcast or accumulation, as the closed forms and the model have them.
PartialBroadcastSettings broadcast_settings(const ScanRequest& request);
/// The same for a request, which gets them.
void apply(const PartialBroadcastSettings& settings, ScanRequest& request);
/// Cycles of the interval by the closed form.
std::uint64_t scan_closed_form(const ScanRequest& request);

/// Empty, or one line on the first flit that the model does not send, or sends otherwise: cycle, link, and in
/// a first flit the rank (of prefixes: the count). Broadcasts and accumulations only, of a run that kept its
/// transfers.
std::string compare_with_model(const ScanRequest& request, const ScanResult& result);

}  // namespace safnet
