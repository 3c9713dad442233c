// traffic_command - safnet traffic: latency and throughput under a traffic pattern, at one load or many.
#pragma once

#include <optional>
#include <string>

#include "sim/run/traffic.hpp"

namespace safnet {

/// The words of the command line; empty or nothing: not given.
struct TrafficOptions {
  std::string topology, pattern;
  std::string ports = "all", algorithm, rate, sweep, hot_spot, hot_fraction;
  std::optional<std::uint32_t> warm_up, measure, drain_limit;
  std::string csv, plot;
  bool json = false;
  TrafficRequest request;  ///< seed, packets, queues, threads
};

/// Runs and prints. Returns the exit code: 0, 1 a check failed, 3 stuck. A saturated run is none of these.
/// Throws std::invalid_argument for what the user got wrong.
int traffic_command(const TrafficOptions& options, VariantStore& store);

}  // namespace safnet
