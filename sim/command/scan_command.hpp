// scan_command - `safnet run` of the collectives that scan_nodes run on-line, and what it prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// The words of the command line; see ScanRequest.
struct ScanWords {
  std::string topology, collective, active, destinations;
  int flits = 1, header_flits = 0, link_latency = 0;
  bool split = false, single_class = false, alternating = false, pass_on_first = false, known_ranks = false;
  std::string wave, wave_nodes, wave_cycles;
  bool json = false;
};

/// What the paper promises, in slots of as many cycles as a packet has payload flits; nothing if it does not.
/// Headers and parts that are no whole number of flits come on top.
struct PublishedBound {
  Rational slots;
  std::string where;
};
std::optional<PublishedBound> scan_published_bound(const ScanRequest& request);

/// Throws std::invalid_argument.
ScanRequest scan_request_of(const ScanWords& words);
/// Runs it and prints the result; returns the exit code.
int scan_command(const ScanWords& words);

}  // namespace safnet
