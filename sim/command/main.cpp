// main - the command line: which subcommand, what was wrong with it, and the exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/command/commands.hpp"

namespace safnet {
namespace {

constexpr int kBadInput = 2;

int main_program(int argc, char** argv) {
  CLI::App app{"safnet: collective communication on real routers, cycle by cycle"};
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
    return app.exit(success);  // --help
  } catch (const CLI::ConversionError& error) {
    fmt::print(stderr, "safnet: {}: expected a whole number; see safnet --help\n", error.what());
    return kBadInput;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "safnet: {}; see safnet --help\n", message);
    return kBadInput;
  }
  const auto chosen = std::ranges::find_if(commands, [](const auto& each) { return each.first->parsed(); });
  return chosen->second();
}

}  // namespace
}  // namespace safnet

int main(int argc, char** argv) {
  try {
    return safnet::main_program(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return safnet::kBadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "safnet: out of memory; expected a smaller network or --queue-depth\n");
    return safnet::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return 1;
  }
}
