// report - `safnet report`: a schedule or the trace of a run as a page, for Perfetto, or as a table.
#include <memory>

#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/view_options.hpp"
#include "sim/report/run_story.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

struct ReportOptions {
  ScheduleSource source;
  ViewOptions view;
};

int report(const ReportOptions& options) {
  if (!options.view.any()) throw bad_input("report: expected -o FILE.html, --perfetto or --transfers");
  options.view.check();
  CheckedSchedule checked{options.source.path, options.source.read(), {}};
  require_memory_of_check(checked.file.schedule);
  checked.report = check_schedule(checked.file.schedule);
  const RunStory story = story_of(checked);
  options.view.write(Recording(std::move(checked.file.schedule)), story);
  return 0;
}

}  // namespace

Action declare_report(CLI::App& command) {
  command.description("a schedule, or the trace of a run, as a page for browsers");
  auto options = std::make_shared<ReportOptions>();
  options->source.declare(command);
  options->view.declare(command, "-o");
  return [options] { return report(*options); };
}

}  // namespace safnet
