// load_sweep - what `traffic` and `dynamic-broadcast` share: runs at one load or at many, reported as text,
// JSON, table and picture.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/system/output_file.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/report/line_plot.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace safnet {

/// Prints a study, which has `points`, each with a `result`, and writes the files that are asked for. Returns
/// the exit code: the worst of all points.
template <class Study>
int report_loads(const SweepOptions& options, const Study& study) {
  if (options.json || !options.many()) {
    print_report(options.json, study);
  } else {
    fmt::print("{}{}", sweep_heading(study), to_text(table_of(study)));
    for (const auto& point : study.points) {
      for (const std::string& problem : point.result.problems)
        fmt::print("problem at {}: {}\n", rate_in_words(point), problem);
      for (const std::string& wait : point.result.waits)
        fmt::print("stuck at {}: {}\n", rate_in_words(point), wait);
    }
  }
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table_of(study)));
  if (!options.plot.empty()) write_whole_file(options.plot, to_svg(plot_of(study)));
  int code = 0;
  for (const auto& point : study.points) code = std::max(code, point.result.exit_code());
  return code;
}

}  // namespace safnet
