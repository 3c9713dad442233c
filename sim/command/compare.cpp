// compare - `safnet compare`: in what two schedules, or traces of runs, on the same network differ.
#include <memory>

#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/comparison_report.hpp"

namespace safnet {
namespace {

struct CompareOptions {
  ScheduleSource first, second;  // both have the topology and ports of the first
  bool json = false;
};

int compare(CompareOptions& options) {
  options.second.topology = options.first.topology;
  options.second.ports = options.first.ports;
  ComparedSchedules compared{
      options.first.path, options.second.path, options.first.read(), options.second.read(), {}};
  compared.difference = difference_between(compared.first.schedule, compared.second.schedule);
  print_report(options.json, compared);
  return compared.difference.none() ? 0 : 1;
}

}  // namespace

Action declare_compare(CLI::App& command) {
  command.description("in what two schedules, or traces of runs, differ");
  auto options = std::make_shared<CompareOptions>();
  options->first.declare(command, "first");
  command.add_option("second", options->second.path, "the file to compare it with")->required();
  declare_json(command, options->json);
  return [options] { return compare(*options); };
}

}  // namespace safnet
