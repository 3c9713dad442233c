// explore - `safnet explore`: a study of a design space. It is done by scripts/explore, whose jobs are runs
// of this program and syntheses; this command finds it and steps aside.
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {
namespace {

struct ExploreOptions {
  std::string study, folder, best, cache, technology;
  unsigned jobs = 0;
  bool slurm = false;
};

int explore(const ExploreOptions& options) {
  const std::string script = VariantStore::standard().root() + "/scripts/explore/explore.py";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words{
      "/usr/bin/python3", "-B", script, "--safnet", self, "--build", VariantStore::standard().build(),
      options.study};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.push_back(fmt::format("{}={}", option, value));  // one word: a value may begin with a dash
  };
  add("--output", options.folder);
  add("--best", options.best);
  add("--cache", options.cache);
  add("--technology", options.technology);
  if (options.jobs != 0) add("--jobs", std::to_string(options.jobs));
  if (options.slurm) words.emplace_back("--slurm");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // This program's thread that waits for signals ends here; the next one must get them itself.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  ::execv(arguments[0], arguments.data());
  throw bad_input("explore: {}: {}; expected Python 3, Debian's package python3", words[0],
                  std::strerror(errno));
}

}  // namespace

Action declare_explore(CLI::App& command) {
  command.description(
      "a study of a design space: cycles from the hardware, area and clock from its synthesis");
  auto options = std::make_shared<ExploreOptions>();
  command
      .add_option("study", options->study,
                  "a file, the name of a study that comes with safnet, or a folder of results")
      ->required();
  command.add_option("-o,--output", options->folder, "folder for the results; a study in it is gone on with");
  command.add_option("--best", options->best, "print the point with the least of this, such as \"ns*um2\"");
  command.add_option("--cache", options->cache,
                     "folder of syntheses that all studies share; default: build/synthesis");
  command.add_option(
      "--technology", options->technology,
      "osu018 (180 nm cells) or ice40 (an FPGA), whatever the study says; its default: osu018");
  add_number(command, "--jobs", options->jobs, 0, 1024, "jobs at once; 0: one for each processor");
  command.add_flag("--slurm", options->slurm, "jobs go to Slurm, by sbatch");
  return [options] { return explore(*options); };
}

}  // namespace safnet
