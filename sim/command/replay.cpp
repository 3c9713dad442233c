// replay - `safnet replay`: run a schedule on the hardware.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/run_story.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

struct ReplayOptions {
  ScheduleSource source;
  ReplayRequest request;
  std::string node = "tdm";
  SharedRouterKind router;  // null if `node` is "tdm"
  bool force = false, json = false;
  std::uint32_t flits = 0, link_latency = 0;
  int queue_depth = 0, host_depth = 0;  // of routers, as in RunSettings
  RecordOptions record;
  ViewOptions view;
  std::vector<const CLI::Option*> for_tdm;      // options that routers have no use for
  std::vector<const CLI::Option*> for_routers;  // options that tdm_nodes have no use for
};

// Throws std::invalid_argument, naming the first of these options that was given another value than its own.
void refuse_given(const std::vector<const CLI::Option*>& options, const std::string& expected) {
  for (const CLI::Option* option : options) {
    if (option->count() != 0 && option->results().back() != option->get_default_str())
      throw bad_input("{}: expected {} beside it", option->get_name(), expected);
  }
}

int replay_on_routers(const ReplayOptions& options, const CheckedSchedule& checked) {
  const Schedule& schedule = checked.file.schedule;
  const Policy policy = policy_of_schedule(schedule, options.router->name);
  RunRequest request(problem_solved_by(schedule));
  request.flits = options.flits == 0 ? 1 : static_cast<int>(options.flits);
  request.link_latency = static_cast<int>(options.link_latency);
  static_cast<HardwareOptions&>(request) = options.request;
  request.router = options.router;
  request.fitted = options.request.fitted;
  request.queue_depth = options.queue_depth;
  request.host_depth = options.host_depth;
  const std::uint64_t planned = steps_of(schedule);
  const Algorithm algorithm{
      .name = schedule.algorithm,
      .collective = request.problem.collective,
      .source = "read from a file",
      .closed_form = [planned](const Problem&) { return std::optional<std::uint64_t>(planned); }};
  const RunResult result = run_policy(request, algorithm, policy, VariantStore::standard());
  options.record.write(request, schedule.network, result.hardware,
                       {.flits = static_cast<std::uint32_t>(request.flits), .last_delivery = result.cycles},
                       [&] { return schedule_of_run(request, result); });
  if (options.view.any())
    options.view.write(Recording(schedule_of_run(request, result)), story_of(request, result));
  print_report(options.json, checked, request, result);
  return result.exit_code();
}

int replay_on_tdm(const ReplayOptions& options, CheckedSchedule& checked) {
  Schedule& schedule = checked.file.schedule;
  if (options.flits != 0 && schedule.network.has_unequal_links()) {
    throw bad_input(
        "--flits {}: expected none where links differ in latency or width, as packets have no common step",
        options.flits);
  }
  if (options.flits != 0) schedule = in_lockstep(std::move(schedule), options.flits, options.link_latency);
  const ReplayResult result = safnet::replay(schedule, options.request, VariantStore::standard());
  options.record.write(
      options.request, schedule.network, result.hardware,
      {.flits = schedule.packets.longest(), .first_late = result.first_late, .last_delivery = result.cycles},
      [&] { return schedule_of_replay(schedule, result.trace); });
  if (options.view.any())
    options.view.write(Recording(schedule_of_replay(schedule, result.trace)), story_of(checked, result));
  print_report(options.json, checked, result);
  return checked.report.valid() ? result.exit_code() : std::max(1, result.exit_code());
}

int replay(ReplayOptions& options) {
  CheckedSchedule checked{options.source.path, options.source.read(), {}};
  if (options.node != "tdm") options.router = find_router_kind(options.node, "tdm");
  if (options.router != nullptr)
    refuse_given(options.for_tdm, "no --node " + one_line(options.node));
  else
    refuse_given(options.for_routers, "--node pifo, fifo or a folder");
  options.record.apply(options.request, checked.file.schedule.network);
  options.view.apply(options.request);
  require_memory_of_check(checked.file.schedule);
  checked.report = check_schedule(checked.file.schedule, 3);
  if (!checked.report.valid() && !options.force) {
    if (!options.json) checked.file.remarks.clear();
    print_report(options.json, checked);
    if (!options.json) fmt::print("  not run        --force runs it all the same\n");
    return 1;
  }
  ProgressLine line(options.request);
  return options.router != nullptr ? replay_on_routers(options, checked) : replay_on_tdm(options, checked);
}

}  // namespace

Action declare_replay(CLI::App& command) {
  command.description("run a schedule on the hardware");
  auto options = std::make_shared<ReplayOptions>();
  ReplayRequest& request = options->request;
  options->source.declare(command);
  command.add_option(
      "--node", options->node,
      "tdm: nodes that obey it; pifo: routers, with its steps as ranks; fifo, or a folder with a router of "
      "your own: routers without ranks");
  add_number(command, "--flits", options->flits, 0, kMostFlits,
             "give a schedule of steps packets of so many flits, in lockstep; 0: as the file says");
  add_number(command, "--link-latency", options->link_latency, 0, kMostLatency,
             "with --flits: cycles of a link");
  options->for_tdm = {
      command.add_flag("--force", options->force, "run it even if it is not valid"),
      add_number(command, "--buffers", request.buffers, 0, kMostBuffers,
                 "buffers of a node; 0: 128, or the next of a few sizes if the schedule needs more"),
      add_number(command, "--program-depth", request.program_depth, 2, 1024,
                 "instructions that each program queue of a node holds"),
      add_number(command, "--feed-interval", request.feed_interval, 1, 1024,
                 "cycles between two instructions from a host for one program")};
  options->for_routers = {
      add_number(command, "--queue-depth", options->queue_depth, 0, kMostQueued,
                 "routers: packets per link; 0: as many as can ever wait"),
      add_number(command, "--host-depth", options->host_depth, 0, kMostQueued,
                 "routers: packets of its own that a node takes, for each injection port; 0: all")};
  declare_fitted(command, request.fitted);
  declare_threads(command, request.threads, "threads; the result does not depend on them");
  declare_model(command, request.model);
  options->record.declare(command, "tdm_network.sv");
  options->view.declare(command);
  declare_json(command, options->json);
  return [options] { return replay(*options); };
}

}  // namespace safnet
