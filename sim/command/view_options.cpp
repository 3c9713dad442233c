#include "sim/command/view_options.hpp"

#include "cpp_model/interchange/perfetto.hpp"
#include "cpp_model/interchange/transfer_table.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"

namespace safnet {

void ViewOptions::declare(CLI::App& command, const std::string& page_option) {
  page_option_ = page_option;
  command.add_option(page_option, report, "write a page that shows it in a browser, FILE.html");
  command.add_option("--report-steps", steps, "only these steps, FROM:TO, in the page and for Perfetto");
  command.add_option("--perfetto", perfetto, "write a trace for ui.perfetto.dev");
  command.add_option("--transfers", transfers, "write a row per packet and link, FILE.csv or .csv.gz");
}

void ViewOptions::check() const {
  require_writable_folder(page_option_.c_str(), report);
  require_writable_folder("--perfetto", perfetto);
  require_writable_folder("--transfers", transfers);
  refuse_unless(report.ends_with(".html"), page_option_, report, "a name that ends in .html");
  refuse_unless(transfers.ends_with(".csv") || transfers.ends_with(".csv.gz"), "--transfers", transfers,
                "a name that ends in .csv or .csv.gz");
  refuse_unless(!report.empty() || !perfetto.empty(), "--report-steps", steps,
                "--report or --perfetto beside it");
  if (!steps.empty()) parse_steps("--report-steps", steps);
}

void ViewOptions::apply(HardwareOptions& options) const {
  check();
  if (any()) options.keep_trace = true;
}

void ViewOptions::write(const Recording& recording, RunStory story) const {
  const CycleRange shown =
      cycles_of_steps(recording.schedule, steps.empty() ? StepRange{} : parse_steps("--report-steps", steps));
  if (!report.empty()) {
    story.command = invocation();
    write_whole_file(report, run_page(story, recording, shown));
  }
  if (!perfetto.empty()) write_perfetto(recording, shown, perfetto);
  if (!transfers.empty()) write_transfer_table(recording, transfers);
}

}  // namespace safnet
