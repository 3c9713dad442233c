#include "sim/command/parallel_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/command/progress_line.hpp"

namespace safnet {

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<std::string(std::size_t, NodePool&)>& run) {
  constexpr std::size_t kPooledBytes = std::size_t{4} << 30;  // of models, kept by all threads together
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex mutex;
  ProgressLine line;
  const std::size_t thread_count = std::min<std::size_t>(threads, count);
  const auto work = [&] {
    NodePool pool(kPooledBytes / thread_count);
    for (std::size_t i = next++; i < count; i = next++) {
      std::string what;
      try {
        what = run(i, pool);
      } catch (...) {
        next = count;
        throw;
      }
      const std::lock_guard guard(mutex);
      line.show(fmt::format("{} of {}: {}", ++done, count, what));
    }
  };
  std::vector<std::future<void>> workers;
  for (std::size_t t = 0; t < thread_count; ++t) workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& each : workers)
    each.get();  // if one throws, the destructors of the other futures still wait for their threads
}

}  // namespace safnet
