// unfinished - what must not outlive a program that a signal ends: temporary files, folders, and processes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <system_error>

namespace safnet {

/// From now on SIGINT, SIGTERM and SIGHUP (those that are not ignored) kill every process group that
/// start_process() was given, remove every Temporary, and then end the program as these signals do. Call it
/// before the first thread is started: a thread of its own waits for the signals, all others never get them.
void end_on_signals();

/// Does the same clean-up, and ends the program by `signal` with its default action.
[[noreturn]] void end_by(int signal);

/// Waits for ever if a signal is just ending the program: what follows in this thread is not to be seen.
void wait_if_ending();

/// Starts a process by `start`, which returns its id or -1. It must lead a process group of its own.
pid_t start_process(const std::function<pid_t()>& start);
/// The process has been waited for. Does not return if a signal is just ending the program, as the process
/// may have failed for that reason alone.
void process_ended(pid_t process);

/// A file or folder that is removed, with all that is in it, when this object or the program ends, unless it
/// is renamed first.
class Temporary {
 public:
  /// The path alone: what is made there is removed.
  explicit Temporary(std::filesystem::path path);
  /// A name in the folder of `target` that nobody else uses.
  static std::filesystem::path name_beside(const std::filesystem::path& target);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// It stays, under this name. If it cannot be renamed it is still temporary.
  std::error_code rename_to(const std::filesystem::path& name);

 private:
  std::filesystem::path path_;
};

}  // namespace safnet
