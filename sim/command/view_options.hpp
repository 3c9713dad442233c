// view_options - files in which a run or a schedule can be looked at: a page, a trace for Perfetto, a table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cpp_model/schedule/recording.hpp"
#include "sim/run/hardware_options.hpp"

namespace safnet {

/// --report, --perfetto and --transfers, and which steps go into the first two.
struct ViewOptions {
  std::string report, steps, perfetto, transfers;

  void declare(CLI::App& command);
  bool any() const { return !report.empty() || !perfetto.empty() || !transfers.empty(); }
  /// Throws std::invalid_argument naming the option, for files that cannot be written and steps that are
  /// none.
  void check() const;
  /// The same, and has the run keep what it does, if a file is asked for.
  void apply(HardwareOptions& options) const;
  /// Writes --perfetto and --transfers.
  void write(const Recording& recording) const;
};

}  // namespace safnet
