// parallel_runs - many runs at once, each thread with nodes of its own that it keeps from run to run.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/fabric/node_pool.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// One thread for each processor of the machine that this program runs on.
unsigned all_threads();

/// Calls `run(i, pool)` for 0 <= i < count, in up to `threads` threads, and shows how many are done and the
/// string that the last one returned. If one throws, no further runs are begun, and the exception is thrown
/// on once all have ended.
void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<std::string(std::size_t, NodePool&)>& run);

/// Calls `run(i, pool)` for every element of `hardware`, in up to `threads` threads, each as soon as the
/// hardware that it needs is there, if it is known. What is missing is built by the same threads, in the
/// order in which it is needed, while other runs go on. `done(i)` is called for one after the other in order,
/// once that run and all before it have ended. If one throws, this throws as well, as run_in_parallel() does.
/// Returns how many sets of hardware were built.
std::size_t run_while_building(const std::vector<std::optional<Hardware>>& hardware, unsigned threads,
                               const std::function<std::string(std::size_t, NodePool&)>& run,
                               const std::function<void(std::size_t)>& done);

}  // namespace safnet
