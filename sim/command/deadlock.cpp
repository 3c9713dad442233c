// deadlock - `safnet deadlock`: whether routers can ever wait for each other in a circle, for queues of any
// depth.
#include "cpp_model/check/deadlock.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <variant>

#include "cpp_model/graph/input.hpp"
#include "sim/command/collective_words.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/deadlock_report.hpp"

namespace safnet {
namespace {

struct DeadlockOptions {
  CollectiveWords words;
  bool trial = false, json = false;
};

int deadlock(const DeadlockOptions& options) {
  const CollectiveName& collective = options.words.collective();
  if (collective.scans)
    throw bad_input("{}: expected a collective on routers; scan_nodes have no queues", collective.name);
  CollectiveWords words = options.words;
  if (words.node == "auto" && (collective.traits & kOnPifo) != 0) words.node = "pifo";
  const RunRequest request = words.run_request(words.problem.problem(collective));
  const RunPlan plan = plan_run(request);
  const auto* routers = std::get_if<RunPlan::Routers>(&plan.what);
  const Problem& problem = plan.request.problem;
  DeadlockStudy study{
      .title = fmt::format("deadlock of {} on {}, {}, {}", to_string(problem.collective),
                           in_words(problem.graph), in_words(problem.ports), plan.algorithm->name),
      .graph = problem.graph,
      .analysis = {}};
  if (routers != nullptr)
    study.analysis = find_deadlock(problem.graph, problem.ports, routers->policy);
  else
    study.analysis = find_waits(problem.graph, *std::get<RunPlan::Timetable>(plan.what).program);
  if (options.trial) {
    if (routers == nullptr) throw bad_input("--try: expected routers, whose queues may be short");
    RunRequest shallow = plan.request;
    shallow.queue_depth = 1;
    study.trial = run_policy(shallow, *plan.algorithm, routers->policy, VariantStore::standard());
  }
  print_report(options.json, study);
  return study.is_free() ? 0 : 1;
}

}  // namespace

Action declare_deadlock(CLI::App& command) {
  command.description(
      "whether routers or timetables can ever wait for each other in a circle, whatever depth and time");
  auto options = std::make_shared<DeadlockOptions>();
  options->words.declare(command);
  command.add_flag("--try", options->trial,
                   "routers: then run it with queues of one place, and say whether it gets stuck");
  declare_json(command, options->json);
  return [options] { return deadlock(*options); };
}

}  // namespace safnet
