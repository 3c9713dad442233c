#include "sim/command/parallel_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sim/command/progress_line.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

namespace {

constexpr std::size_t kPooledBytes = std::size_t{4} << 30;  // of models, kept by all threads together

}  // namespace

void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<std::string(std::size_t, NodePool&)>& run) {
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

namespace {

// What run_while_building() does: its threads take runs and builds from here.
class RunsAndBuilds {
 public:
  using Run = std::function<std::string(std::size_t, NodePool&)>;
  using Done = std::function<void(std::size_t)>;

  RunsAndBuilds(const std::vector<std::optional<Hardware>>& hardware, const Run& run, const Done& done)
      : run_(run), done_(done), needs_(hardware.size(), nullptr), ended_(hardware.size(), false) {
    for (std::size_t i = 0; i < hardware.size(); ++i) {
      waiting_.push_back(i);
      if (!hardware[i]) continue;
      const auto [place, is_new] = builds_.try_emplace(*hardware[i], Build::kReady);
      if (is_new && !VariantStore::standard().has(*hardware[i])) place->second = Build::kMissing;
      needs_[i] = &*place;
    }
  }

  // Works until nothing is left to begin.
  void work(NodePool& pool) {
    std::unique_lock lock(mutex_);
    while (!failure_ && !waiting_.empty()) {
      const auto next = std::ranges::find_if(waiting_, [&](std::size_t i) {
        return needs_[i] == nullptr || needs_[i]->second != Build::kBegun;
      });
      if (next == waiting_.end()) {
        changed_.wait(lock);  // for a build of another thread
        continue;
      }
      const std::size_t i = *next;
      const bool is_build = needs_[i] != nullptr && needs_[i]->second == Build::kMissing;
      if (is_build) {
        needs_[i]->second = Build::kBegun;
        show(fmt::format("building {}", needs_[i]->first.readable_name()));
      } else {
        waiting_.erase(next);
      }
      lock.unlock();
      std::exception_ptr failure;
      std::string what;
      try {
        if (is_build)
          VariantStore::standard().load(needs_[i]->first);
        else
          what = run_(i, pool);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) {
        if (!failure_) failure_ = failure;
      } else if (is_build) {
        needs_[i]->second = Build::kReady;
        ++built_;
      } else {
        end(i, what);
      }
      changed_.notify_all();
    }
  }

  std::size_t built() const { return built_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  enum class Build : std::uint8_t { kMissing, kBegun, kReady };

  void show(const std::string& what) {
    line_.show(fmt::format("{} of {}: {}", ended_count_, ended_.size(), what));
  }
  void end(std::size_t i, const std::string& what) {
    ended_[i] = true;
    ++ended_count_;
    if (told_ < ended_.size() && ended_[told_]) line_.clear();
    try {
      for (; told_ < ended_.size() && ended_[told_]; ++told_) done_(told_);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    show(what);
  }

  const Run& run_;
  const Done& done_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::map<Hardware, Build> builds_;
  std::vector<std::pair<const Hardware, Build>*> needs_;  // of each run; null: nothing that is known
  std::vector<std::size_t> waiting_;                      // runs that are not begun, in order
  std::vector<bool> ended_;
  std::size_t ended_count_ = 0, told_ = 0, built_ = 0;
  std::exception_ptr failure_;
  ProgressLine line_;
};

}  // namespace

std::size_t run_while_building(const std::vector<std::optional<Hardware>>& hardware, unsigned threads,
                               const std::function<std::string(std::size_t, NodePool&)>& run,
                               const std::function<void(std::size_t)>& done) {
  RunsAndBuilds work(hardware, run, done);
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      workers.emplace_back([&] {
        NodePool pool(kPooledBytes / threads);
        work.work(pool);
      });
    }
  }
  work.rethrow();
  return work.built();
}

}  // namespace safnet
