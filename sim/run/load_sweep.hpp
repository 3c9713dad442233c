// load_sweep - several runs at once, each thread with nodes of its own that are kept from run to run.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/command/progress_line.hpp"
#include "sim/fabric/node_pool.hpp"

namespace safnet {

/// Calls `run(i, pool)` for 0 <= i < count, in up to `threads` threads. What one of them throws is thrown
/// here, once all have ended; no further runs are begun then.
inline void run_loads(std::size_t count, unsigned threads,
                      const std::function<void(std::size_t, NodePool&)>& run) {
  constexpr std::size_t kPooledBytes = std::size_t{2} << 30;  // kept by all threads together
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  ProgressLine line;
  const std::size_t thread_count = std::min<std::size_t>(threads, count);
  const auto worker = [&] {
    NodePool pool(kPooledBytes / thread_count);
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        run(i, pool);
      } catch (...) {
        const std::lock_guard guard(mutex);
        failure = std::current_exception();
        next = count;
      }
      const std::lock_guard guard(mutex);
      line.show(fmt::format("{} of {} loads", ++done, count));
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < thread_count; ++t) workers.emplace_back(worker);
  for (std::thread& thread : workers) thread.join();
  line.clear();
  if (failure) std::rethrow_exception(failure);
}

/// Builds the variant if it is missing, and says so on a terminal.
inline void build_hardware(const Hardware& hardware, VariantStore& store) {
  ProgressLine line;
  store.load(hardware, [&] { line.show("building the hardware for these parameters (once)...", true); });
  line.clear();
}

}  // namespace safnet
