// parallel_runs - many runs at once, each thread with nodes of its own that it keeps from run to run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/fabric/node_pool.hpp"

namespace safnet {

/// One thread for each processor of the machine that this program runs on.
unsigned all_threads();

/// Calls `run(i, pool)` for 0 <= i < count, in up to `threads` threads, and shows how many are done and the
/// string that the last one returned. If one throws, no further runs are begun, and the exception is thrown
/// on once all have ended.
void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<std::string(std::size_t, NodePool&)>& run);

}  // namespace safnet
