// compare - `safnet compare`: in what two schedules, or traces of runs, on the same network differ.
#include <memory>
#include <utility>

#include "cpp_model/system/output_file.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/report/comparison_report.hpp"

namespace safnet {
namespace {

struct CompareOptions {
  ScheduleSource first, second;  // both are read with the options of the first
  bool json = false;
  std::string page;
};

int compare(CompareOptions& options) {
  require_writable_folder("-o", options.page);
  refuse_unless(options.page.ends_with(".html"), "-o", options.page, "a name that ends in .html");
  const std::string second = std::exchange(options.second, options.first).path;
  options.second.path = second;
  ComparedSchedules compared{
      options.first.path, options.second.path, options.first.read(), options.second.read(), {}};
  compared.difference = difference_between(compared.first.schedule, compared.second.schedule);
  const bool equal = compared.difference.none();
  if (!options.page.empty()) {
    ComparisonStory story = story_of(compared);
    story.command = invocation();
    write_whole_file(options.page, compare_page(story, Recording(compared.first.schedule),
                                                Recording(compared.second.schedule)));
  }
  print_report(options.json, compared);
  return equal ? 0 : 1;
}

}  // namespace

Action declare_compare(CLI::App& command) {
  command.description("in what two schedules, or traces of runs, differ");
  auto options = std::make_shared<CompareOptions>();
  options->first.declare(command, "first");
  command.add_option("second", options->second.path, "the file to compare it with")->required();
  command.add_option("-o", options->page, "also write a page that shows both in lockstep, FILE.html");
  declare_json(command, options->json);
  return [options] { return compare(*options); };
}

}  // namespace safnet
