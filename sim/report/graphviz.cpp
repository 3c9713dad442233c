#include "sim/report/graphviz.hpp"

#include <fcntl.h>
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
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

constexpr std::chrono::seconds kLongest{60};

struct Closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
// A temporary file without a name: it is gone when closed, and unlike a pipe it cannot fill up and block.
using NamelessFile = std::unique_ptr<std::FILE, Closing>;

NamelessFile nameless_file(const std::string& text = "") {
  NamelessFile file(std::tmpfile());
  if (!file) throw std::runtime_error("cannot make a temporary file");
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw std::runtime_error("cannot write a temporary file");
  std::rewind(file.get());
  return file;
}

std::string text_in(const NamelessFile& file) {
  std::rewind(file.get());
  std::string text;
  char block[65536];
  while (const std::size_t bytes = std::fread(block, 1, sizeof block, file.get())) text.append(block, bytes);
  return text;
}

}  // namespace

std::string run_graphviz(const std::string& dot, const std::string& format, bool pinned) {
  const NamelessFile input = nameless_file(dot), output = nameless_file(), errors = nameless_file();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(output.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(errors.get()), STDERR_FILENO);
  std::vector<std::string> words{"neato", "-T" + format};
  if (pinned) words.push_back("-n2");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "neato", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw bad_input("neato: cannot be run; expected Graphviz to be installed");

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
  if (late) throw bad_input("neato: stopped after {} seconds; expected a smaller network", kLongest.count());
  std::string picture = text_in(output);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || picture.empty())
    throw bad_input("neato: failed; it said {}", in_quotes(text_in(errors)));
  return picture;
}

}  // namespace safnet
