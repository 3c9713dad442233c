#include "sim/library/run.hpp"

#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "sim/library/task_problem.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/replay.hpp"
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

Outcome outcome_of(const Account& account) {
  Outcome outcome;
  outcome.steps = account.steps;
  outcome.cycles = account.cycles;
  outcome.crossings = account.transmissions;
  outcome.delivered = account.delivered;
  outcome.expected = account.expected_deliveries;
  outcome.lost = account.lost;
  outcome.duplicated = account.duplicated;
  outcome.problems = account.problems;
  outcome.waits = account.waits;
  Trace trace = account.trace;
  sort_by_time(trace);
  for (const Transfer& t : trace.transfers)
    outcome.trace.crossings.push_back(
        {t.step, t.cycle, t.from, t.port, t.packet.source, t.packet.tag, t.flits});
  for (const Delivery& d : trace.deliveries)
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
  choose_node(nodes.kind, settings);
  if (settings.node == NodeChoice::kRouter && task.algorithm == "auto") settings.algorithm.clear();
  RunRequest request(problem_of(topology, task), settings);
  static_cast<HardwareOptions&>(request) = hardware_options(nodes);
  const RunResult result = run_collective(request, VariantStore::standard());
  Outcome outcome = outcome_of(result);
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
  if (nodes.queue_depth != 0)
    throw bad_input("queue_depth {}: expected none beside a plan; its nodes have buffers", nodes.queue_depth);
  const bool of_steps = plan.schedule().is_of_steps();
  if (!of_steps && (nodes.flits != 1 || nodes.link_latency != 0))
    throw bad_input("flits {}, link_latency {}: expected none beside this plan, which has its own",
                    nodes.flits, nodes.link_latency);
  const Schedule schedule =
      of_steps ? with_packets_in_step(plan.schedule(), nodes.flits, nodes.link_latency) : plan.schedule();
  const ReplayResult result = replay(schedule, request, VariantStore::standard());
  Outcome outcome = outcome_of(result);
  outcome.algorithm = plan.algorithm();
  outcome.lower_bound = plan.lower_bound();
  outcome.verdict = result.stuck                          ? Verdict::kStuck
                    : result.exit_code() != 0             ? Verdict::kFailed
                    : result.steps == outcome.lower_bound ? Verdict::kOptimal
                                                          : Verdict::kWithinBound;
  return outcome;
}

}  // namespace safnet::lab
