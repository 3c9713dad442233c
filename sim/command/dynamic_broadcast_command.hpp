// dynamic_broadcast_command - safnet dynamic-broadcast: delays of packets that arrive at random and are
// broadcast, at one load or many.
#pragma once

#include <string>

#include "sim/variant/variant_store.hpp"

namespace safnet {

/// The words of the command line; empty: not given.
struct DynamicBroadcastOptions {
  std::string topology, rate, sweep;
  bool of_limit = false;  ///< rates are parts of the largest that is stable, 1 / D(N)
  std::uint64_t packets = 2000, warm_up = 0, seed = 1;
  int flits = 8, header_flits = 0, link_latency = 0;
  bool split = false, alternating = false;
  unsigned threads = 1;  ///< loads of a sweep at once
  std::string csv, plot;
  bool json = false;
};

/// Runs and prints. Returns the exit code: 0, or 1 if a check failed. Throws std::invalid_argument for what
/// the user got wrong.
int dynamic_broadcast_command(const DynamicBroadcastOptions& options, VariantStore& store);

}  // namespace safnet
