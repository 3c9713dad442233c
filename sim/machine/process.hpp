// process - other programs that are run and waited for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace safnet {

struct ProcessRequest {
  std::vector<std::string> words;            ///< the program, found by PATH, and its arguments
  int input = -1, output = -1, errors = -1;  ///< descriptors of its stdin, stdout, stderr; -1: /dev/null
  std::chrono::seconds longest = std::chrono::hours(24);
};

/// Runs a program in a process group of its own, which is killed as a whole if it takes too long or a signal
/// ends this program. Returns its exit code, -1 if a signal ended it; nothing if it took too long. Throws
/// std::runtime_error if it cannot be started.
std::optional<int> run_process(ProcessRequest request);

/// Whether `command` of the shell succeeded.
bool run_shell(const std::string& command);

/// `word` in single quotes, so that the shell takes it as one word whatever is in it.
std::string shell_quoted(const std::string& word);

}  // namespace safnet
