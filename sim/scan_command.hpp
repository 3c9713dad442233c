// scan_command - `safnet run` of the collectives that scan_nodes run on-line, and what it prints.
#pragma once

#include <string>

#include "sim/scan_run.hpp"

namespace safnet {

/// The words of the command line; see ScanRequest.
struct ScanWords {
  std::string topology, collective, active, destinations;
  int flits = 1, header_flits = 0, link_latency = 0;
  bool split = false, single_class = false, alternating = false, pass_on_first = false, known_ranks = false;
  std::string wave, wave_nodes, wave_cycles;
  bool json = false;
};

/// Throws std::invalid_argument.
ScanRequest scan_request_of(const ScanWords& words);
/// Runs it and prints the result; returns the exit code.
int scan_command(const ScanWords& words);

}  // namespace safnet
