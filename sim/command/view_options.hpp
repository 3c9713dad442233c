// view_options - files in which a run or a schedule can be looked at: a page, a trace for Perfetto, a table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cpp_model/schedule/recording.hpp"
#include "sim/page/run_page.hpp"
#include "sim/run/hardware_options.hpp"

namespace safnet {

/// --report, --perfetto and --transfers, and which steps go into the first two.
struct ViewOptions {
  std::string report, steps, perfetto, transfers;

  /// `page_option`: how the command calls the option for the page.
  void declare(CLI::App& command, const std::string& page_option = "--report");
  bool any() const { return !report.empty() || !perfetto.empty() || !transfers.empty(); }
  /// Throws std::invalid_argument naming the option, for files that cannot be written and steps that are
  /// none.
  void check() const;
  /// The same, and has the run keep what it does, if a file is asked for.
  void apply(HardwareOptions& options) const;
  /// Writes the files. The story's command is filled in.
  void write(const Recording& recording, RunStory story) const;

 private:
  std::string page_option_;
};

}  // namespace safnet
