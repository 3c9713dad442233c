#include "sim/report/graphviz.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::chrono::seconds kLongest{60};

// A file without a name: it cannot be left behind, and unlike a pipe it cannot fill up.
class NamelessFile {
 public:
  NamelessFile() : file_(std::tmpfile()) {
    if (file_ == nullptr) throw std::runtime_error("cannot make a temporary file");
  }
  ~NamelessFile() { std::fclose(file_); }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  int descriptor() const { return ::fileno(file_); }
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
      throw std::runtime_error("cannot write a temporary file");
    std::rewind(file_);
  }
  std::string read() {
    std::rewind(file_);
    std::string text;
    char block[65536];
    while (const std::size_t bytes = std::fread(block, 1, sizeof block, file_)) text.append(block, bytes);
    return text;
  }

 private:
  std::FILE* file_;
};

}  // namespace

std::string run_graphviz(const std::string& dot, const std::string& format, bool pinned) {
  NamelessFile input, output, errors;
  input.write(dot);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  std::vector<std::string> words{"neato", "-T" + format};
  if (pinned) words.push_back("-n2");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "neato", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::invalid_argument("neato: cannot be run; expected Graphviz to be installed");

  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  int status = 0;
  bool late = false;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, late ? 0 : WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) throw std::runtime_error("cannot wait for neato");
    if (!late && std::chrono::steady_clock::now() > deadline) {
      late = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (late) {
    throw std::invalid_argument(
        fmt::format("neato: stopped after {} seconds; expected a smaller network", kLongest.count()));
  }
  std::string picture = output.read();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || picture.empty()) {
    throw std::invalid_argument(fmt::format("neato: failed; it said {}", in_quotes(errors.read())));
  }
  return picture;
}

}  // namespace safnet
