// load_sweep - what `traffic` and `dynamic-broadcast` share: runs at one load or at many, reported as text,
// JSON, table, picture and page.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/system/output_file.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/command/view_options.hpp"
#include "sim/page/curve_page.hpp"
#include "sim/page/line_plot.hpp"
#include "sim/page/table_page.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace safnet {

/// Throws std::invalid_argument naming the option, for views that cannot be written, or not of a sweep.
inline void check_views(const SweepOptions& loads, const ViewOptions& view) {
  view.check();
  if (!loads.many()) return;
  for (const auto& [option, word] : {std::pair("--report-steps", &view.steps),
                                     {"--perfetto", &view.perfetto},
                                     {"--transfers", &view.transfers}})
    refuse_unless(word->empty(), option, *word, "one load, not a --sweep beside it");
  refuse_same_file("--report", view.report, "--csv", loads.csv);
}

/// What went wrong at any load, a line each.
template <class Study>
std::vector<std::string> problems_of(const Study& study) {
  std::vector<std::string> lines;
  for (const auto& point : study.points) {
    for (const std::string& problem : point.result.problems)
      lines.push_back(fmt::format("problem at {}: {}", rate_in_words(point), problem));
    for (const std::string& wait : point.result.waits)
      lines.push_back(fmt::format("stuck at {}: {}", rate_in_words(point), wait));
  }
  return lines;
}

/// The page of a sweep. A page of a known name in a folder of pages leads to their index.
template <class Study>
void write_sweep_page(const std::string& path, const Study& study) {
  CurvePage page;
  page.plot = plot_of(study);
  page.headline = sweep_title(study);
  page.sentences = measured_in_words(study);
  page.problems = problems_of(study);
  page.command = invocation();
  const Table table = table_of(study);
  page.columns = table.columns;
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    page.rows.push_back({.x = load_of(study.points[i]),
                         .cells = table.rows[i],
                         .bad = study.points[i].result.exit_code() != 0});
  }
  write_whole_file(path, curve_page(page, is_in_page_folder(path)));
}

/// Prints a study, which has `points`, each with a `result`, and writes the files that are asked for: of the
/// `view` the page of a sweep. Returns the exit code: the worst of all points.
template <class Study>
int report_loads(const SweepOptions& options, const Study& study, const ViewOptions& view = {}) {
  if (options.json || !options.many()) {
    print_report(options.json, study);
  } else {
    fmt::print("{}{}", sweep_heading(study), to_text(table_of(study)));
    for (const std::string& line : problems_of(study)) fmt::print("{}\n", line);
  }
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table_of(study)));
  if (!options.plot.empty()) write_whole_file(options.plot, to_svg(plot_of(study)));
  if (options.many() && !view.report.empty()) write_sweep_page(view.report, study);
  int code = 0;
  for (const auto& point : study.points) code = std::max(code, point.result.exit_code());
  return code;
}

}  // namespace safnet
