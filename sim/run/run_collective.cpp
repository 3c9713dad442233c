// run_collective - which algorithm on which kind of node, and a timetable's run in the terms of all runs.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "sim/machine/reference.hpp"
#include "sim/run/limits.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

// What is to be run, decided.
struct Chosen {
  const Algorithm* algorithm = nullptr;
  NodeKind node = NodeKind::kPifo;
  std::string why;
  std::shared_ptr<const Schedule> steps;  // if it has been planned already
  std::optional<LowerBound> bound;        // if more is known than lower_bound() finds
};

Chosen choose(const RunRequest& request) {
  const Problem& problem = request.problem;
  Chosen chosen;
  if (request.algorithm == "auto" || (request.algorithm.empty() && !some_policy_applies(problem))) {
    Choice choice = choose_algorithm(problem, request.node == NodeKind::kTdm);
    chosen.algorithm = choice.algorithm;
    chosen.why = std::move(choice.reason);
    chosen.bound = std::move(choice.bound);
    if (choice.plan) chosen.steps = std::make_shared<const Schedule>(std::move(*choice.plan));
  } else if (request.algorithm.empty()) {
    chosen.algorithm = &find_algorithm(problem, "");
  } else {
    chosen.algorithm = &find_any_algorithm(problem, request.algorithm);
  }
  if (request.steps) chosen.steps = request.steps;
  chosen.node = request.node != NodeKind::kAutomatic ? request.node
                : chosen.algorithm->policy           ? NodeKind::kPifo
                                                     : NodeKind::kTdm;
  return chosen;
}

Schedule with_packets(Schedule steps, const RunRequest& request) {
  const auto flits = static_cast<std::uint32_t>(request.flits);
  const auto latency = static_cast<std::uint32_t>(request.link_latency);
  return request.slot == SlotMode::kLockstep ? in_lockstep(std::move(steps), flits, latency)
                                             : free_running(std::move(steps), flits, latency);
}

ReplayRequest replay_request(const RunRequest& request) {
  ReplayRequest replayed;
  replayed.threads = request.threads;
  replayed.skip_idle = request.skip_idle;
  replayed.keep_trace = request.keep_trace;
  replayed.whole_network = request.whole_network;
  replayed.exact_buffers = request.exact_buffers;
  replayed.pool = request.pool;
  replayed.wave = request.wave;
  replayed.faults = request.faults;
  replayed.fault_until = request.fault_until;
  replayed.on_progress = request.on_progress;
  return replayed;
}

void refuse_pifo_options(const RunRequest& request) {
  const auto refuse = [](const char* option) {
    throw std::invalid_argument(
        fmt::format("{}: expected an algorithm for pifo_nodes; a timetable runs on tdm_nodes", option));
  };
  if (request.queue_depth != 0) refuse("--queue-depth");
  if (request.host_depth != 0) refuse("--host-depth");
  if (request.grants == GrantMode::kOn) refuse("--grants on");
  if (request.model == NetworkModel::kSystemC) refuse("--model systemc");
}

Verdict judge(const RunResult& result, bool stuck) {
  if (stuck) return Verdict::kStuck;
  if (!result.problems.empty()) return Verdict::kFailed;
  if (result.steps == result.lower_bound.steps) return Verdict::kOptimal;
  if (result.closed_form && result.steps == *result.closed_form) return Verdict::kAsPublished;
  return result.closed_form && result.steps > *result.closed_form ? Verdict::kWorse : Verdict::kWithinBound;
}

RunResult run_timetable(const RunRequest& request, Chosen chosen, VariantStore& store) {
  const Problem& problem = request.problem;
  refuse_pifo_options(request);
  check_range("--flits", request.flits, 1, 64);
  check_range("--link-latency", request.link_latency, 0, 64);
  const Schedule schedule =
      with_packets(chosen.steps ? std::move(*chosen.steps) : plan_of(*chosen.algorithm, problem), request);
  if (const std::string wrong = why_not_packets_of(problem, schedule); !wrong.empty())
    throw std::logic_error(fmt::format("algorithm {}: {}", chosen.algorithm->name, wrong));
  RunResult result;
  result.algorithm = chosen.algorithm->name;
  result.algorithm_source = chosen.algorithm->source;
  result.choice = chosen.why;
  result.node = NodeKind::kTdm;
  result.lower_bound = request.bound ? *request.bound : lower_bound(problem);
  const bool in_steps =
      schedule.slot_cycles == static_cast<std::uint32_t>(request.flits + request.link_latency);
  if (in_steps) result.closed_form = chosen.algorithm->closed_form(problem);
  if (!in_steps) result.lower_bound.steps *= static_cast<std::uint64_t>(request.flits);

  const TdmProgram program = compile_program(schedule);
  const ReplayRequest replayed = replay_request(request);
  const TdmParameters hardware = replay_parameters(schedule, program, replayed);
  if (request.on_build && (request.whole_network || !store.is_built(hardware)))
    request.on_build(hardware.radix > 16);
  const ReplayResult run = replay(schedule, program, replayed, store);
  NodeParameters& p = result.parameters;
  p.radix = run.parameters.radix;
  p.flits = run.parameters.flits;
  p.link_latency = run.parameters.link_latency;
  p.slot_cycles = run.parameters.slot_cycles;
  p.queue_depth = run.parameters.buffers;
  p.port_model = run.parameters.port_model;
  result.steps = run.steps;
  result.cycles = run.cycles;
  result.transmissions = run.transmissions;
  result.delivered = run.delivered;
  result.expected_deliveries = run.expected_deliveries;
  result.lost = run.lost;
  result.duplicated = run.duplicated;
  result.peak_queue = result.peak_transit_queue = result.measured_buffers = run.measured_buffers;
  result.planned_buffers = run.peak_buffers;
  result.late = run.late;
  result.delay_sum = run.delay_sum;
  result.build_seconds = run.build_seconds;
  result.run_seconds = run.run_seconds;
  result.node_evaluations = run.node_evaluations;
  result.problems = run.problems;
  result.waits = run.waits;
  result.trace = run.trace;
  if (request.keep_trace) result.plan = std::make_shared<const Schedule>(schedule);
  // Every transfer was in the cycle of the plan, or `problems` says otherwise: judging the plan judges the
  // run.
  const ScheduleReport report = check_schedule(schedule, 5);
  result.validated = true;
  for (const ScheduleViolation& violation : report.violations) result.problems.push_back(violation.text);
  if (in_steps && result.problems.empty() &&
      std::uint64_t{result.cycles} !=
          std::uint64_t{result.steps} * static_cast<std::uint64_t>(p.slot_cycles)) {
    result.problems.push_back(
        fmt::format("{} cycles are not {} steps of {} cycles", result.cycles, result.steps, p.slot_cycles));
  }
  if (!run.stuck && result.steps < result.lower_bound.steps && result.problems.empty()) {
    result.problems.push_back(
        fmt::format("{} steps are fewer than the lower bound of {}", result.steps, result.lower_bound.steps));
  }
  result.verdict = judge(result, run.stuck);
  if (result.verdict == Verdict::kWorse) {
    result.problems.push_back(
        fmt::format("{} steps are more than the closed form, {}", result.steps, *result.closed_form));
  }
  return result;
}

// What the algorithm makes of the request's packets.
RunRequest in_pieces(RunRequest request, const Algorithm& algorithm) {
  if (!algorithm.pieces) return request;
  request.problem.pieces = algorithm.pieces(request.problem);
  const int pieces = static_cast<int>(request.problem.pieces);
  request.flits = (request.flits + pieces - 1) / pieces;
  return request;
}

// The timetable as a policy of pifo_nodes.
RunResult run_timetable_as_policy(const RunRequest& request, const Chosen& chosen, VariantStore& store) {
  const Schedule steps = chosen.steps ? *chosen.steps : plan_of(*chosen.algorithm, request.problem);
  RunResult result = run_policy(request, *chosen.algorithm, policy_of_schedule(steps), store);
  result.choice = chosen.why;
  return result;
}

}  // namespace

const std::string& to_string(NodeKind kind) {
  static const std::array<std::string, 3> names{"auto", "pifo", "tdm"};
  return names.at(static_cast<std::size_t>(kind));
}

RunResult run_collective(const RunRequest& wanted, VariantStore& store) {
  Chosen chosen = choose(wanted);
  RunRequest request = in_pieces(wanted, *chosen.algorithm);
  if (chosen.bound) {
    request.bound = chosen.bound;
  } else if (chosen.algorithm->searches) {
    request.bound = tightest_bound(request.problem, std::numeric_limits<std::uint64_t>::max());
  }
  if (chosen.node == NodeKind::kTdm) return run_timetable(request, std::move(chosen), store);
  if (!chosen.algorithm->policy) return run_timetable_as_policy(request, chosen, store);
  RunResult result = run_policy(request, *chosen.algorithm, chosen.algorithm->policy(request.problem), store);
  result.choice = chosen.why;
  result.pieces = request.problem.pieces;
  return result;
}

Schedule schedule_of_run(const RunRequest& request, const RunResult& result) {
  if (result.plan) return schedule_of_replay(*result.plan, result.trace);
  Problem problem = request.problem;
  problem.pieces = result.pieces;
  // A scan is no part of the schedule: it ends before cycle 1.
  Trace trace = result.trace;
  for (Transfer& transfer : trace.transfers) transfer.cycle -= result.scan_cycles;
  Schedule schedule = schedule_of_trace(problem.graph, collective_of(problem), problem.ports, trace,
                                        static_cast<std::uint32_t>(request.link_latency),
                                        static_cast<std::uint32_t>(result.parameters.slot_cycles));
  schedule.algorithm = result.algorithm;
  schedule.description = "what the hardware did";
  return schedule;
}

AnyParameters parameters_of(const RunRequest& wanted) {
  const Chosen chosen = choose(wanted);
  const RunRequest request = in_pieces(wanted, *chosen.algorithm);
  if (chosen.node == NodeKind::kPifo && chosen.algorithm->policy) {
    const Policy policy = chosen.algorithm->policy(request.problem);
    return node_parameters(choose_parameters(request, policy), policy);
  }
  const Schedule steps = chosen.steps ? *chosen.steps : plan_of(*chosen.algorithm, request.problem);
  if (chosen.node == NodeKind::kPifo) return choose_parameters(request, policy_of_schedule(steps));
  refuse_pifo_options(request);
  check_range("--flits", request.flits, 1, 64);
  check_range("--link-latency", request.link_latency, 0, 64);
  const Schedule schedule = with_packets(steps, request);
  return replay_parameters(schedule, compile_program(schedule), replay_request(request));
}

}  // namespace safnet
