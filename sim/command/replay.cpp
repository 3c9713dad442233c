// replay - `safnet replay`: run a schedule on the hardware.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cpp_model/transform/policy_of_schedule.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/report/schedule_report.hpp"

namespace safnet {
namespace {

struct ReplayOptions {
  ScheduleSource source;
  ReplayRequest request;
  std::string node = "tdm", trace;
  bool force = false, json = false;
  std::uint32_t flits = 0, link_latency = 0;
  WaveOptions wave;
  std::vector<const CLI::Option*> for_tdm;  // mean nothing on pifo_nodes
};

int replay_on_pifo(const ReplayOptions& options, const CheckedSchedule& checked, VariantStore& store) {
  for (const CLI::Option* option : options.for_tdm) {
    if (option->count() != 0 && option->results().back() != option->get_default_str())
      throw std::invalid_argument(fmt::format("{}: expected no --node pifo beside it", option->get_name()));
  }
  const Schedule& schedule = checked.file.schedule;
  const Policy policy = policy_of_schedule(schedule);
  RunRequest request(problem_solved_by(schedule));
  request.flits = options.flits == 0 ? 1 : static_cast<int>(options.flits);
  request.link_latency = static_cast<int>(options.link_latency);
  request.threads = options.request.threads;
  request.wave = options.request.wave;
  request.whole_network = options.request.whole_network;
  request.keep_trace = options.request.keep_trace;
  const std::uint64_t planned = steps_of(schedule);
  const Algorithm algorithm{
      .name = schedule.algorithm,
      .collective = request.problem.collective,
      .source = "read from a file",
      .description = "",
      .domain = "",
      .why_not = {},
      .policy = {},
      .closed_form = [planned](const Problem&) { return std::optional<std::uint64_t>(planned); }};
  const RunResult result = run_policy(request, algorithm, policy, store);
  if (!options.trace.empty()) write_any_schedule(schedule_of_run(request, result), options.trace);
  if (!request.wave.path.empty())
    write_wave_view(request.wave.path, schedule.network, result.parameters, request.wave.nodes);
  print_report(options.json, checked, request, result);
  return result.exit_code();
}

int replay_on_tdm(const ReplayOptions& options, CheckedSchedule& checked, VariantStore& store) {
  Schedule& schedule = checked.file.schedule;
  if (options.flits != 0) schedule = in_lockstep(std::move(schedule), options.flits, options.link_latency);
  ReplayRequest request = options.request;
  ProgressLine line;
  line.follow(request);
  const TdmProgram program = compile_program(schedule);
  if (request.whole_network || !store.is_built(replay_parameters(schedule, program, request)))
    line.show_building();
  const ReplayResult result = replay(schedule, program, request, store);
  line.clear();
  if (!options.trace.empty()) write_any_schedule(schedule_of_replay(schedule, result.trace), options.trace);
  if (!request.wave.path.empty())
    write_tdm_wave_view(request.wave.path, schedule.network, request.wave.nodes);
  print_report(options.json, checked, result);
  return checked.report.valid() ? result.exit_code() : std::max(1, result.exit_code());
}

int replay(ReplayOptions& options) {
  require_writable_folder("--wave", options.wave.path);
  require_schedule_file("--trace", options.trace);
  CheckedSchedule checked{options.source.path, options.source.read(), {}};
  options.request.wave = options.wave.request(checked.file.schedule.network);
  options.request.keep_trace = !options.trace.empty();
  checked.report = check_schedule(checked.file.schedule, 3);
  if (!checked.report.valid() && !options.force) {
    checked.file.remarks.clear();
    fmt::print("{}  not run        --force runs it all the same\n", to_text(checked));
    return 1;
  }
  VariantStore& store = VariantStore::standard();
  return options.node == "pifo" ? replay_on_pifo(options, checked, store)
                                : replay_on_tdm(options, checked, store);
}

}  // namespace

Action declare_replay(CLI::App& command) {
  command.description("run a schedule on the hardware");
  auto options = std::make_shared<ReplayOptions>();
  ReplayRequest& request = options->request;
  options->source.declare(command);
  command
      .add_option("--node", options->node, "tdm: nodes that obey it; pifo: routers, with its steps as ranks")
      ->check(CLI::IsMember({"tdm", "pifo"}))
      ->capture_default_str();
  command
      .add_option("--flits", options->flits,
                  "give a schedule of steps packets of so many flits, in lockstep; 0: as the file says")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  command.add_option("--link-latency", options->link_latency, "with --flits: cycles of a link")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  options->for_tdm = {command.add_flag("--force", options->force, "run it even if it is not valid"),
                      command
                          .add_option("--buffers", request.buffers,
                                      "buffers of a node; 0: exactly as many as the schedule needs")
                          ->capture_default_str(),
                      command
                          .add_option("--program-depth", request.program_depth,
                                      "instructions that each program queue of a node holds")
                          ->capture_default_str(),
                      command
                          .add_option("--feed-interval", request.feed_interval,
                                      "cycles between two instructions from a host for one program")
                          ->capture_default_str()};
  declare_threads(command, request.threads, "threads; the result does not depend on them");
  options->wave.declare(command);
  command.add_option("--trace", options->trace, "write what the hardware did to a schedule file");
  command.add_flag("--whole-network", request.whole_network,
                   "run tdm_network.sv, elaborated as a whole: slow to build, the same cycles");
  declare_json(command, options->json);
  return [options] { return replay(*options); };
}

}  // namespace safnet
