#include "cpp_model/system/unfinished.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

namespace safnet {
namespace {

namespace fs = std::filesystem;

struct Unfinished {
  // Whoever ends the program takes it for good: no other thread can then start a process, make or rename a
  // temporary file, or return from main().
  std::mutex mutex;
  std::set<fs::path> temporaries;
  std::set<pid_t> groups;
};

// Never destroyed, as threads may still use it while the program exits.
Unfinished& unfinished() {
  static Unfinished& all = *new Unfinished;
  return all;
}

}  // namespace

void end_by(int signal) {
  Unfinished& all = unfinished();
  all.mutex.lock();
  for (const pid_t group : all.groups) ::kill(-group, SIGKILL);
  // Killed processes need a moment to end; until then they may still make files.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
  for (const fs::path& path : all.temporaries) {
    std::error_code error;
    do {
      fs::remove_all(path, error);
      if (!all.groups.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (fs::exists(path, error) && std::chrono::steady_clock::now() < deadline);
  }
  // The shell's prompt is not to stand behind a line of progress.
  constexpr std::string_view kClearLine = "\r\033[K";
  if (::isatty(STDERR_FILENO) != 0 && ::write(STDERR_FILENO, kClearLine.data(), kClearLine.size()) < 0) {
    // The terminal has gone.
  }
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

void end_on_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) ::sigaddset(&set, signal);  // nohup ignores SIGHUP, for example
  }
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([set] {
    int signal = 0;
    while (::sigwait(&set, &signal) != 0) continue;
    end_by(signal);
  }).detach();
}

void wait_if_ending() { const std::lock_guard guard(unfinished().mutex); }

pid_t start_process(const std::function<pid_t()>& start) {
  const std::lock_guard guard(unfinished().mutex);
  const pid_t process = start();
  if (process > 0) unfinished().groups.insert(process);
  return process;
}

void process_ended(pid_t process) {
  const std::lock_guard guard(unfinished().mutex);
  unfinished().groups.erase(process);
}

Temporary::Temporary(fs::path path) : path_(fs::absolute(path)) {
  const std::lock_guard guard(unfinished().mutex);
  unfinished().temporaries.insert(path_);
}

fs::path Temporary::name_beside(const fs::path& target) {
  // Not made from the target's own name, which may be as long as names can be.
  static std::atomic<unsigned> number{0};
  return target.parent_path() / fmt::format(".safnet_{}_{}.part", ::getpid(), number++);
}

Temporary::~Temporary() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove_all(path_, error);
  const std::lock_guard guard(unfinished().mutex);
  unfinished().temporaries.erase(path_);
}

std::error_code Temporary::rename_to(const fs::path& name) {
  const std::lock_guard guard(unfinished().mutex);
  std::error_code error;
  fs::rename(path_, name, error);
  if (error) return error;
  unfinished().temporaries.erase(path_);
  path_.clear();
  return error;
}

}  // namespace safnet
