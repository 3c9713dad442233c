#include "sim/machine/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "cpp_model/system/unfinished.hpp"

namespace safnet {
namespace {

// Starts it with the signals as a shell would give them, whatever this program does about them.
pid_t spawn(const ProcessRequest& request) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int streams[] = {request.input, request.output, request.errors};
  for (int i = 0; i < 3; ++i) {
    if (streams[i] >= 0) {
      posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    } else {
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    }
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, changed;
  ::sigemptyset(&none);
  ::sigemptyset(&changed);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::sigaddset(&changed, signal);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &changed);
  std::vector<char*> arguments;
  for (const std::string& word : request.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? child : -1;
}

}  // namespace

std::optional<int> run_process(ProcessRequest request) {
  const pid_t child = start_process([&] { return spawn(request); });
  if (child < 0)
    throw std::runtime_error(fmt::format("{}: cannot be run: {}", request.words[0], std::strerror(errno)));
  const auto deadline = std::chrono::steady_clock::now() + request.longest;
  int status = 0;
  bool late = false;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, late ? 0 : WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) break;
    if (!late && std::chrono::steady_clock::now() > deadline) {
      late = true;
      ::kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process_ended(child);
  if (late) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool run_shell(const std::string& command) { return run_process({.words = {"sh", "-c", command}}) == 0; }

std::string shell_quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace safnet
