// wave_view - the GTKWave save file beside a waveform: opens on the signals that one wants to see.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/machine.hpp"
#include "sim/scan/scan_machine.hpp"

namespace safnet {

/// Name of the save file for a waveform: te.fst -> te.gtkw.
std::string wave_view_path(const std::string& wave_path);

/// Writes it: the step counter, then per node the packets sent and received per port and the queue
/// occupancies. `nodes`: those in the waveform; of many, the first 64 are shown. `scans_first`: they are
/// exchange_nodes. Throws std::runtime_error.
void write_wave_view(const std::string& wave_path, const Graph& graph, const NodeParameters& parameters,
                     const std::vector<NodeId>& nodes, bool scans_first = false);

/// The same for tdm_nodes: per port what was sent and received, the slot of the next send, and what it waits
/// for; per node the buffers in use.
void write_tdm_wave_view(const std::string& wave_path, const Graph& graph, const std::vector<NodeId>& nodes);

/// The same for scan_nodes: per node where its timetable stands, its rank in every class, what its ports do.
void write_scan_wave_view(const std::string& wave_path, const Graph& graph, const ScanParameters& parameters,
                          const std::vector<NodeId>& nodes);

}  // namespace safnet
