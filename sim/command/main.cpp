// main - the command line: which subcommand, what was wrong with it, and the exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cpp_model/graph/file/notes.hpp"
#include "cpp_model/system/output_file.hpp"
#include "cpp_model/system/unfinished.hpp"
#include "cpp_model/system/version.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/machine/event_digest.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

constexpr int kFailed = 1, kBadInput = 2;  // and what cannot be written

// One line on stderr. If that is closed or full as well, only the exit code is left.
void say(const std::string& message) { std::fputs(("safnet: " + message + "\n").c_str(), stderr); }

// An empty word for an option, such as --json "$UNSET", is a mistake.
void refuse_empty_words(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional() && std::ranges::find(option->results(), "") != option->results().end())
      throw bad_input("{} '': expected a word, this one is empty", option->get_name());
  }
}

int main_program(int argc, char** argv) {
  CLI::App app{"safnet: collective communication on real routers, cycle by cycle"};
  app.set_version_flag("--version", std::string("safnet ") + kVersion);
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();  // shown by --help; subcommands inherit it
  std::vector<std::pair<const CLI::App*, Action>> commands;
  for (const Command& each : kCommands) {
    CLI::App* command = app.add_subcommand(each.name);
    commands.emplace_back(command, each.declare(*command));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream help;
    const int code = app.exit(success, help, help);
    fmt::print("{}", help.str());
    return code;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw bad_input("{}; see safnet --help", message);
  }
  const auto chosen = std::ranges::find_if(commands, [](const auto& each) { return each.first->parsed(); });
  refuse_empty_words(*chosen->first);
  // What files say in vain is told when the command has done its work: bad input gets one line alone. A file
  // may be read more than once.
  std::vector<std::string> notes;
  note_taker() = [&](const std::string& text) {
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
  };
  const int code = chosen->second();
  note_taker() = {};
  for (const std::string& text : notes) say("note: " + text);
  return code;
}

// `print_error`: set to errno if printing failed.
int exit_code_of(int argc, char** argv, int& print_error) {
  const auto failed = [](int code, const std::string& message) {
    if (std::ferror(stdout) == 0) say(message);  // else that is what is wrong; see finish()
    return code;
  };
  try {
    end_on_signals();
    remember_invocation(argc, argv);
    return main_program(argc, argv);
  } catch (const std::invalid_argument& error) {
    return failed(kBadInput, error.what());
  } catch (const WriteError& error) {
    return failed(kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    // Said without a byte more of memory.
    std::fputs("safnet: out of memory; expected a smaller network, or a higher limit (ulimit -v)\n", stderr);
    return kBadInput;
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) {
      print_error = error.code().value();  // thrown by fmt::print()
    } else if (error.code() == std::errc::resource_unavailable_try_again) {
      std::fputs(
          "safnet: no thread or process can be started; expected higher limits of memory or processes "
          "(ulimit -v, -u)\n",
          stderr);
      return kBadInput;
    }
    return failed(kFailed, error.what());
  } catch (const std::exception& error) {
    return failed(kFailed, error.what());
  }
}

// A stream that is closed is opened for the opposite of what it is for, so that using it is an error, and no
// file that is opened later takes its place. What goes to a closed stderr is dropped.
void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

// The exit code, unless a digest or something that was printed got lost. If the reader of what is printed
// has gone, as in `| head -1`, the program ends by SIGPIPE, as programs do; `by_signal`: that is not ignored.
int finish(int code, int print_error, bool by_signal) {
  try {
    flush_output();
  } catch (const WriteError& error) {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    if (by_signal && ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0) end_by(SIGPIPE);
    say(print_error == 0 ? error.what() : WriteError("stdout", std::strerror(print_error)).what());
    code = kBadInput;
  }
  if (EventDigest::has_lost_lines()) code = kBadInput;
  wait_if_ending();
  return code;
}

}  // namespace
}  // namespace safnet

int main(int argc, char** argv) {
  safnet::open_closed_streams();
  const bool by_signal = std::signal(SIGPIPE, SIG_IGN) != SIG_IGN;
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond `ulimit -f` is an error of the call that writes
  int print_error = 0;
  const int code = safnet::exit_code_of(argc, argv, print_error);
  return safnet::finish(code, print_error, by_signal);
}
