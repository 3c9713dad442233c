#include "sim/library/run.hpp"

#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/library/task_problem.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"

namespace safnet::lab {
namespace {

HardwareOptions hardware_options(const Nodes& nodes) {
  require("flits", nodes.flits, 1, kMostFlits);
  require("link_latency", nodes.link_latency, 0, kMostLatency);
  require("queue_depth", nodes.queue_depth, 0, kMostQueued);
  HardwareOptions options;
  options.keep_trace = nodes.trace;
  options.on_progress = nodes.on_progress;
  options.model = nodes.reference ? NetworkModel::kSystemC : NetworkModel::kRtl;
  return options;
}

Outcome outcome_of(Account&& account) {
  Outcome outcome;
  outcome.steps = account.steps;
  outcome.cycles = account.cycles;
  outcome.crossings = account.transmissions;
  outcome.delivered = account.delivered;
  outcome.expected = account.expected_deliveries;
  outcome.lost = account.lost;
  outcome.duplicated = account.duplicated;
  outcome.problems = std::move(account.problems);
  outcome.waits = std::move(account.waits);
  sort_by_time(account.trace);
  for (const Transfer& t : account.trace.transfers)
    outcome.trace.crossings.push_back(
        {t.step, t.cycle, t.from, t.port, t.packet.source, t.packet.tag, t.flits});
  for (const Delivery& d : account.trace.deliveries)
    outcome.trace.arrivals.push_back({d.step, d.cycle, d.node, d.port, d.packet.source, d.packet.tag});
  return outcome;
}

}  // namespace

Outcome run(const Topology& topology, const Task& task, const Nodes& nodes) {
  RunSettings settings;
  settings.algorithm = task.algorithm;
  settings.flits = static_cast<int>(nodes.flits);
  settings.link_latency = static_cast<int>(nodes.link_latency);
  settings.queue_depth = static_cast<int>(nodes.queue_depth);
  settings.fitted = nodes.fitted;
  if (nodes.kind != "auto") {
    settings.node = nodes.kind == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
    if (settings.node == NodeChoice::kRouter) settings.router = find_router_kind(nodes.kind, "auto, tdm");
    if (settings.node == NodeChoice::kRouter && task.algorithm == "auto") settings.algorithm.clear();
  }
  RunRequest request(problem_of(topology, task), settings);
  static_cast<HardwareOptions&>(request) = hardware_options(nodes);
  RunResult result = run_collective(request, VariantStore::standard());
  Outcome outcome = outcome_of(std::move(result));
  outcome.algorithm = result.algorithm;
  outcome.lower_bound = result.lower_bound.steps;
  outcome.verdict = static_cast<Verdict>(result.verdict);
  return outcome;
}

Outcome run(const Plan& plan, const Nodes& nodes) {
  if (nodes.kind != "auto" && nodes.kind != "tdm")
    throw bad_input("kind {}: expected auto or tdm; a plan runs on nodes that obey it",
                    in_quotes(nodes.kind));
  ReplayRequest request;
  static_cast<HardwareOptions&>(request) = hardware_options(nodes);
  request.fitted = nodes.fitted;
  const bool of_steps = plan.schedule().is_of_steps();
  const Schedule schedule =
      of_steps ? in_lockstep(plan.schedule(), nodes.flits, nodes.link_latency) : plan.schedule();
  ReplayResult result = replay(schedule, request, VariantStore::standard());
  const bool optimal = result.exit_code() == 0 && result.steps == plan.lower_bound();
  const bool stuck = result.stuck;
  Outcome outcome = outcome_of(std::move(result));
  outcome.algorithm = plan.algorithm();
  outcome.lower_bound = plan.lower_bound();
  outcome.verdict = stuck                       ? Verdict::kStuck
                    : !outcome.problems.empty() ? Verdict::kFailed
                    : optimal                   ? Verdict::kOptimal
                                                : Verdict::kWithinBound;
  return outcome;
}

}  // namespace safnet::lab
