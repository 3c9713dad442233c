// collective_words - the words that say which collective is to run on what hardware: those of `safnet run`,
// which `safnet export` has as well.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/command/options.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

struct CollectiveWords {
  CollectiveOptions uses;
  ProblemOptions problem;
  RunSettings settings;
  std::optional<std::uint32_t> seconds;
  std::string node = "auto", slot = "lockstep", grants = "auto", hosts = "full";
  // For collectives on scan_nodes.
  std::string destinations;
  ScanManner manner;  // flits and link latency are those of `settings`

  void declare(CLI::App& command);
  /// The collective that was asked for. Throws std::invalid_argument for options that it does not use.
  const CollectiveName& collective() const;
  /// Whether the best of all algorithms is to be taken, not the best one for routers.
  bool takes_the_best(const Problem& asked) const;
  /// A run on routers, or by a timetable.
  RunRequest run_request(Problem asked) const;
  /// A run on nodes that find out by themselves which of them are active.
  ScanRequest scan_request(const Problem& asked) const;

 private:
  bool asks_for_routers() const;
  void declare_schedule_options(CLI::App& command);
  void declare_scan_options(CLI::App& command);
};

}  // namespace safnet
