// options - what several subcommands ask for in the same words, declared once.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/number/rational.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/recording.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/run/traffic.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

inline constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::uint64_t>::max();

/// A whole number of `low` to `high`: "--flits 65: expected 1 to 64".
CLI::Validator whole_number(std::string option, std::uint64_t low, std::uint64_t high);
/// An option for such a number; all numbers of options are declared by it.
template <class Number>
CLI::Option* add_number(CLI::App& command, const std::string& option, Number& number, std::uint64_t low,
                        std::uint64_t high, const std::string& meaning) {
  return command.add_option(option, number, meaning)->check(whole_number(option, low, high));
}

/// The positional TOPOLOGY, with --timed, --routers, --group, --without-link and --without-node, which become
/// part of its spelling.
void declare_topology(CLI::App& command, std::string& topology);
/// The same problem, of the same nodes, on the whole of which its network is what remains; nothing for any
/// other.
std::optional<Problem> on_whole_network(const Problem& problem);
void declare_ports(CLI::App& command, std::string& ports);
/// --node, for a kind of router; see find_router_kind().
void declare_router(CLI::App& command, std::string& node);
void declare_json(CLI::App& command, bool& json);
/// `meaning`: what the threads are for, and that they change nothing.
void declare_threads(CLI::App& command, unsigned& threads, const std::string& meaning);
/// --fitted; see RunSettings::fitted.
CLI::Option* declare_fitted(CLI::App& command, bool& fitted);
/// --model.
CLI::Option* declare_model(CLI::App& command, NetworkModel& model);
/// --seconds, of choose_algorithm(); nothing: not said.
CLI::Option* declare_plan_seconds(CLI::App& command, std::optional<std::uint32_t>& seconds);
/// --forwarding, a limit on the links in a row that data are passed on over; nothing: not said.
CLI::Option* declare_forwarding(CLI::App& command, std::optional<std::uint32_t>& most);
/// What choose_algorithm() may have a planner take. Throws std::invalid_argument if it is said, but the
/// algorithm is not chosen by it, or within a limit on forwarding.
std::uint32_t plan_seconds(const std::optional<std::uint32_t>& seconds, bool is_auto, bool within_forwarding);

/// Words about a network of routers whose packets come while it runs.
struct RouterNetworkOptions {
  std::string ports = "all", node = "pifo";
  std::string algorithm;  ///< of PacketRoutes
};
/// --ports, --node, --algorithm and the options for all of `settings` that are numbers or flags.
void declare_router_network(CLI::App& command, RouterNetworkOptions& words, RouterNetworkSettings& settings);

/// Throws std::invalid_argument, with `expected`, if `word` is not empty and the option is not `used`.
void refuse_unless(bool used, std::string_view option, const std::string& word, const char* expected);
/// Throws std::invalid_argument if no file `path` can be written; empty: there is no file.
void require_writable_folder(const char* option, const std::string& path);
/// The same for a schedule, whose name must end like one of the formats.
void require_schedule_file(const char* option, const std::string& path);
/// Throws std::invalid_argument if both options name the same file.
void refuse_same_file(const char* option, const std::string& path, const char* other_option,
                      const std::string& other);

/// "FROM:TO" in steps, which count from 1; either side may be missing. Throws std::invalid_argument.
StepRange parse_steps(const char* option, const std::string& text);

/// Options that are used by some collectives only.
class CollectiveOptions {
 public:
  /// `option` is for collectives with one of these traits; messages on others name it as `what`, or "it".
  CLI::Option* add(CLI::Option* option, std::uint32_t traits, std::string what = "");
  /// Throws std::invalid_argument if an option that is not at its default is not used by the collective.
  void refuse_unused(const CollectiveName& collective) const;

 private:
  struct Entry {
    const CLI::Option* option;
    std::uint32_t traits;
    std::string what;
  };
  std::vector<Entry> entries_;
};

/// A collective on a network, of `run` and `plan`.
class ProblemOptions {
 public:
  void declare(CLI::App& command, CollectiveOptions& uses);
  /// The collective. Throws std::invalid_argument if no kind of node in `on` (kOnPifo, ...) can carry it out.
  const CollectiveName& collective(std::uint32_t on) const;
  /// Throws std::invalid_argument naming the option.
  Problem problem(const CollectiveName& collective) const;
  /// For commands that can do without a collective: whether one was named, and what is known without it.
  bool has_collective() const { return !collective_.empty(); }
  Graph network() const;
  PortModel ports() const;

 private:
  std::string topology_, collective_, ports_ = "all", root_ = "0", destination_, tree_, active_;
  std::uint32_t messages_ = 1;
};

/// The network as scan_nodes need it. Throws std::invalid_argument, "WHO: ...", if they cannot run on it.
DigitNetwork digit_network(const std::string& who, const Graph& graph);

/// The waveform of every command that runs hardware.
struct WaveOptions {
  std::string file, nodes, cycles;
  void declare(CLI::App& command);
  /// Sets the options of the machine. Throws std::invalid_argument naming the option.
  void apply(HardwareOptions& options, const Graph& graph) const;
  /// After the run, if there is a waveform: writes the GTKWave view beside it. `run` has the cycles of its
  /// markers; all else is as `options` have it.
  void write(const HardwareOptions& options, const Graph& graph, const Hardware& hardware,
             ViewedRun run) const;
};

/// The files that `run` and `replay` write: waveform and trace.
struct RecordOptions {
  WaveOptions wave;
  std::string trace;
  bool whole_network = false;
  /// `network`: the module that --whole-network runs.
  void declare(CLI::App& command, const std::string& network);
  /// Sets the options of the machine for these files. Throws std::invalid_argument naming the option.
  void apply(HardwareOptions& options, const Graph& graph) const;
  /// After the run: writes the view of the waveform (see WaveOptions) and, if --trace was given, schedule().
  void write(const HardwareOptions& options, const Graph& graph, const Hardware& hardware,
             const ViewedRun& run, const std::function<Schedule()>& schedule = {}) const;
};

/// A file with a schedule, of `check`, `replay`, `convert` and others that read one.
struct ScheduleSource {
  std::string path, topology, ports = "all", collective;
  std::uint32_t channel_depth = 1;
  /// `name`: of the file, in --help.
  void declare(CLI::App& command, const std::string& name = "file");
  /// Throws std::invalid_argument naming the file, and what is wrong in it.
  ReadSchedule read() const;
};

/// Options of `traffic` and `dynamic-broadcast`, which run at one load or at many.
struct SweepOptions {
  std::string rate, sweep, csv, plot;
  unsigned threads = 1;
  bool json = false;
  bool many() const { return !sweep.empty(); }
  /// `rate_meaning`, `example` and `plot_meaning` are for --help.
  void declare(CLI::App& command, const std::string& rate_meaning, const std::string& example,
               const std::string& plot_meaning);
  /// Throws std::invalid_argument for options that do not go together or files that cannot be written.
  void check() const;
  /// The rates of --sweep, or that of --rate, or `usual` if neither was given. Throws std::invalid_argument.
  std::vector<Rational> rates(std::string_view usual) const;
};

}  // namespace safnet
