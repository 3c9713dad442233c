// check - `safnet check`: is a schedule valid? If not, the first violations in words.
#include <memory>
#include <optional>

#include "cpp_model/check/forwarding_check.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

struct CheckOptions {
  ScheduleSource source;
  std::optional<std::uint32_t> forwarding;
  bool json = false;
};

int check(const CheckOptions& options) {
  CheckedSchedule checked{options.source.path, options.source.read(), {}};
  require_memory_of_check(checked.file.schedule);
  checked.report = check_schedule(checked.file.schedule);
  if (options.forwarding) check_forwarding(checked.file.schedule, *options.forwarding, checked.report);
  print_report(options.json, checked);
  return checked.report.valid() ? 0 : 1;
}

}  // namespace

Action declare_check(CLI::App& command) {
  command.description("is a schedule valid? If not, the first violations in words");
  auto options = std::make_shared<CheckOptions>();
  options->source.declare(command);
  declare_forwarding(command, options->forwarding);
  declare_json(command, options->json);
  return [options] { return check(*options); };
}

}  // namespace safnet
