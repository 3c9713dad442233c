// run - `safnet run`: one collective on the hardware, on whatever kind of node can carry it out.
#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/command/certificate_option.hpp"
#include "sim/command/collective_words.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/run_story.hpp"
#include "sim/run/scan_check.hpp"
#include "sim/run/scan_recording.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {
namespace {

struct RunOptions {
  CollectiveWords words;
  NetworkModel model = NetworkModel::kRtl;
  unsigned threads = 1;
  RecordOptions record;
  ViewOptions view;
  CertificateOption certificate;
  bool json = false;
};

// What the best algorithm for nodes that decide for themselves takes, in words; empty if there is none or it
// is the one that was chosen. Without a closed form it is tried, unless that would take long.
std::string beside(const RunResult& result, const Problem& problem) {
  if (!some_policy_applies(problem)) return "";
  auto [best, steps] = best_policy(problem);
  if (best->name == result.algorithm) return "";
  if (!steps && result.transmissions <= kMostTriedSends) steps = steps_of(plan_of(*best, problem));
  return fmt::format("; routers by {} ({}) take {}", best->name, best->source,
                     steps ? fmt::format("{} steps", *steps) : "a number of steps that no formula has");
}

// What the same run takes on the whole of which the network is what remains; nothing for any other network.
std::optional<WholeFigures> run_on_whole_network(const RunOptions& options, const Problem& problem) {
  const std::optional<Problem> whole = on_whole_network(problem);
  if (!whole) return std::nullopt;
  RunRequest request = options.words.run_request(*whole);
  request.model = options.model;
  request.threads = options.threads;
  ProgressLine line(request);
  const RunResult result = run_collective(request, VariantStore::standard());
  if (result.exit_code() != 0)
    throw std::runtime_error(
        fmt::format("{}: the run on the whole network fails", one_line(whole->graph.spelling())));
  return WholeFigures{whole->graph.spelling(), result.steps, result.lower_bound.steps};
}

// On routers, or by a timetable.
int run_by_schedule(const RunOptions& options, Problem problem) {
  const CollectiveWords& words = options.words;
  options.certificate.check(words.slot == "lockstep" && words.hosts == "full");
  RunRequest request = words.run_request(std::move(problem));
  const bool chooses = words.takes_the_best(request.problem);
  request.model = options.model;
  request.threads = options.threads;
  options.record.apply(request, request.problem.graph);
  options.view.apply(request);
  ProgressLine line(request);
  RunResult result = run_collective(request, VariantStore::standard());
  if (chooses && !request.forwarding) result.choice += beside(result, request.problem);
  line.clear();
  options.record.write(request, request.problem.graph, result.hardware,
                       {.flits = static_cast<std::uint32_t>(request.flits),
                        .start = result.scan_cycles + 1,
                        .first_late = result.first_late,
                        .last_delivery = result.cycles},
                       [&] { return schedule_of_run(request, result); });
  if (options.view.any())
    options.view.write(Recording(schedule_of_run(request, result)), story_of(request, result));
  print_report(options.json, request, result, run_on_whole_network(options, request.problem));
  options.certificate.write(request.problem, result.lower_bound, static_cast<std::uint32_t>(request.flits),
                            static_cast<std::uint32_t>(request.link_latency));
  return result.exit_code();
}

// On nodes that find out by themselves which of them are active.
int run_by_scan(const RunOptions& options, const Problem& problem) {
  ScanRequest request = options.words.scan_request(problem);
  const Graph& graph = request.network.graph();
  options.record.apply(request, graph);
  options.view.apply(request);
  request.keep_transfers = is_compared(request);
  ProgressLine line(request);
  ScanResult result = run_scan(request, VariantStore::standard());
  judge_scan(request, result);
  line.clear();
  options.record.write(request, graph, result.hardware,
                       {.flits = result.settings.cast_flits, .last_delivery = result.last_delivery});
  if (options.view.any())
    options.view.write(recording_of(request, result.settings, std::move(result.trace)),
                       story_of(request, result));
  print_report(options.json, request, result);
  return result.exit_code();
}

int run(const RunOptions& options) {
  const CollectiveName& collective = options.words.collective();
  Problem problem = options.words.problem.problem(collective);
  return collective.scans ? run_by_scan(options, problem) : run_by_schedule(options, std::move(problem));
}

}  // namespace

Action declare_run(CLI::App& command) {
  command.description("run one collective on the hardware");
  auto options = std::make_shared<RunOptions>();
  options->words.declare(command);
  const auto add = [&](CLI::Option* option) { options->words.uses.add(option, kOnSchedules); };
  declare_threads(command, options->threads, "threads; the result does not depend on them");
  add(command.get_option("--threads"));
  options->record.declare(command, "pifo_network.sv");
  add(command.get_option("--trace"));
  add(command.get_option("--whole-network"));
  options->view.declare(command);
  add(options->certificate.declare(command));
  add(declare_model(command, options->model));
  declare_json(command, options->json);
  return [options] { return run(*options); };
}

}  // namespace safnet
