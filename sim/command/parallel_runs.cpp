#include "sim/command/parallel_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/command/progress_line.hpp"

namespace safnet {

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<std::string(std::size_t, NodePool&)>& run) {
  constexpr std::size_t kPooledBytes = std::size_t{4} << 30;  // of models, kept by all threads together
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  ProgressLine line;
  const std::size_t thread_count = std::min<std::size_t>(threads, count);
  const auto worker = [&] {
    NodePool pool(kPooledBytes / thread_count);
    for (std::size_t i = next++; i < count; i = next++) {
      std::string what;
      std::exception_ptr thrown;
      try {
        what = run(i, pool);
      } catch (...) {
        thrown = std::current_exception();
        next = count;
      }
      const std::lock_guard guard(mutex);
      if (thrown) failure = thrown;
      line.show(fmt::format("{} of {}: {}", ++done, count, what));
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < thread_count; ++t) workers.emplace_back(worker);
  for (std::thread& thread : workers) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace safnet
