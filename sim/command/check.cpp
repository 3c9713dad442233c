// check - `safnet check`: is a schedule valid? If not, the first violations in words.
#include <memory>
#include <optional>

#include "cpp_model/check/forwarding_check.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "sim/command/certificate_option.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

struct CheckOptions {
  ScheduleSource source;
  CertificateOption certificate;
  std::optional<std::uint32_t> forwarding;
  bool json = false;
};

// Of the bound of what a valid schedule solves.
void write_certificate(const CertificateOption& certificate, const Schedule& schedule) {
  if (certificate.path.empty()) return;
  const bool differ = schedule.network.has_unequal_links();
  if (!differ && schedule.slot_cycles != schedule.packets.longest() + schedule.link_latency)
    throw bad_input(
        "--certificate: expected a schedule in steps, one whose slots last as long as a packet takes");
  const Problem problem = problem_solved_by(schedule);
  const LowerBound bound =
      differ ? bound_of(schedule).value_or(LowerBound{}) : tightest_bound(problem, steps_of(schedule));
  certificate.write(problem, bound, shortest_packet(schedule), schedule.link_latency);
}

int check(const CheckOptions& options) {
  options.certificate.check(true);
  refuse_same_file("--certificate", options.certificate.path, "the schedule", options.source.path);
  CheckedSchedule checked{options.source.path, options.source.read(), {}};
  require_memory_of_check(checked.file.schedule);
  checked.report = check_schedule(checked.file.schedule);
  if (options.forwarding) check_forwarding(checked.file.schedule, *options.forwarding, checked.report);
  print_report(options.json, checked);
  if (checked.report.valid()) write_certificate(options.certificate, checked.file.schedule);
  return checked.report.valid() ? 0 : 1;
}

}  // namespace

Action declare_check(CLI::App& command) {
  command.description("is a schedule valid? If not, the first violations in words");
  auto options = std::make_shared<CheckOptions>();
  options->source.declare(command);
  options->certificate.declare(command);
  declare_forwarding(command, options->forwarding);
  declare_json(command, options->json);
  return [options] { return check(*options); };
}

}  // namespace safnet
