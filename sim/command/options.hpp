// options - what several subcommands ask for in the same words, declared once.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/number/rational.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

void declare_topology(CLI::App& command, std::string& topology);
void declare_ports(CLI::App& command, std::string& ports);
/// --node, for a kind of router; see find_router_kind().
void declare_router(CLI::App& command, std::string& node);
void declare_json(CLI::App& command, bool& json);
/// `meaning`: what the threads are for, and that they change nothing.
void declare_threads(CLI::App& command, unsigned& threads, const std::string& meaning);

/// Throws std::invalid_argument if the option was given and is not `used`, saying what was expected instead.
void refuse_unless(bool used, std::string_view option, const std::string& word, const char* expected);
/// Throws std::invalid_argument unless a file can be written there. An empty path is that of no file.
void require_writable_folder(const char* option, const std::string& path);
/// The same for a schedule, whose format is told by the name. Called before a run that may take long.
void require_schedule_file(const char* option, const std::string& path);

/// Options each of which means something for some collectives only.
class CollectiveOptions {
 public:
  /// `option` means something for collectives that have one of these traits. `what`: what the others have no
  /// use for; empty: "it".
  CLI::Option* add(CLI::Option* option, std::uint32_t traits, std::string what = "");
  /// Throws std::invalid_argument for the first option that was given, with another value than its default,
  /// and means nothing for the collective.
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
  /// The row of the collective. Throws std::invalid_argument if none of these kinds of node can carry it out.
  const CollectiveName& collective(std::uint32_t on) const;
  /// Throws std::invalid_argument naming the option.
  Problem problem(const CollectiveName& collective) const;

 private:
  std::string topology_, collective_, ports_ = "all", root_ = "0", destination_, tree_, active_;
  std::uint32_t messages_ = 1;
};

/// The network as scan_nodes need it. Throws std::invalid_argument that begins with `who` wants it.
DigitNetwork digit_network(const std::string& who, const Graph& graph);

/// What of a run is written down, of `run` and `replay`.
struct RecordOptions {
  std::string wave, wave_nodes, wave_cycles, trace;
  bool whole_network = false;
  /// `network`: the module that --whole-network runs.
  void declare(CLI::App& command, const std::string& network);
  /// Asks for it. Throws std::invalid_argument naming the option.
  void apply(HardwareOptions& options, const Graph& graph) const;
  /// Writes the GTKWave view beside the waveform, if there is one, and what `schedule` makes of the trace, if
  /// that is asked for.
  void write(const WaveRequest& request, const Graph& graph, const Hardware& hardware,
             const std::function<Schedule()>& schedule = {}) const;
};

/// A file with a schedule, of `check`, `replay` and `convert`.
struct ScheduleSource {
  std::string path, topology, ports = "all";
  void declare(CLI::App& command);
  /// Throws std::invalid_argument naming the file, and what is wrong in it.
  ReadSchedule read() const;
};

/// Runs at one load or at many, of `traffic` and `dynamic-broadcast`.
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
  /// Those of the sweep, or the one; `usual` where none is asked for. Throws std::invalid_argument.
  std::vector<Rational> rates(std::string_view usual) const;
};

}  // namespace safnet
