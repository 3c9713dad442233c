// scan_recording - what scan_nodes sent, packet by packet, as pages and traces show it.
#pragma once

#include "cpp_model/schedule/recording.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// A recording of the trace of a run. Sums on their way do not say of which class they are: where the network
/// has several, that is taken from the model of the algorithm, by cycle and link.
Recording recording_of(const ScanRequest& request, const ScanSettings& settings, ScanTrace trace);

}  // namespace safnet
