#include "sim/command/claim_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <mutex>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "sim/machine/system.hpp"
#include "sim/run/dynamic_broadcast.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {

struct SharedPlan {
  std::once_flag planned;
  std::shared_ptr<const Schedule> steps;
};

namespace {

// An option as words of a command; empty if it is at its default, `absent`.
template <class Value>
std::string option(const char* name, const Value& value, const Value& absent) {
  return value == absent ? "" : fmt::format(" {} {}", name, value);
}
std::string option(const char* name, const std::vector<NodeId>& nodes) {
  return nodes.empty() ? "" : fmt::format(" {} {}", name, fmt::join(nodes, ","));
}
std::string flag(const char* name, bool set) { return set ? fmt::format(" {}", name) : ""; }

// A job's name: the arguments of the command that does the same, or what a check computes.
std::string name_of(const ClaimCheck& check) { return check.name; }

std::string name_of(const ScheduledCase& job) {
  return fmt::format("{} {} {} --ports {}", job.topology, to_string(job.collective), job.algorithm,
                     to_string(job.ports)) +
         option("--root", job.root, NodeId{0}) + option("--destination", job.destination, kNoNode) +
         option("--messages", job.messages, 1U) + option("--tree", job.tree, std::string()) +
         option("--queue-depth", job.queue_depth, 0) + option("--active", job.active) +
         flag("--node pifo", job.request.node == NodeChoice::kRouter) +
         (job.lockstep ? fmt::format(" --flits {} --link-latency {}", kLockstepFlits, kLockstepLatency) : "");
}

std::string name_of(const OnlineCase& c) {
  const PartialBroadcastSettings& s = c.settings;
  return fmt::format("{} {} --active {}", c.topology, c.collective, fmt::join(c.active, ",")) +
         option("--destinations", c.destinations) + fmt::format(" --flits {}", s.flits) +
         flag("--header-flits 1", s.header_flits != 0) + option("--link-latency", s.latency, 0U) +
         flag("--split", s.split) + flag("--single-class", s.single_class) +
         flag("--alternating", s.alternating) + flag("--pass-on-first", c.pass_on_first) +
         flag("--known-ranks", s.known_ranks);
}

std::string name_of(const DynamicCase& c) {
  const PartialBroadcastSettings& s = c.settings;
  return fmt::format("dynamic-broadcast {} --flits {}", c.topology, s.flits) + flag("--split", s.split) +
         flag("--header-flits 1", s.header_flits != 0) + option("--link-latency", s.latency, 0U) +
         fmt::format(" --rate {:.6f} --packets {} --seed {}", Rational(c.rate * s.flits).convert_to<double>(),
                     c.packets, c.seed);
}

// Empty if the run went wrong in the way that was expected.
std::string judge_failure(const std::string& expected, const RunResult& result) {
  const auto is_expected = [&](const std::string& what) { return what.find(expected) != std::string::npos; };
  if (std::ranges::any_of(result.problems, is_expected)) return {};
  if (result.verdict == Verdict::kStuck && is_expected(result.waits.at(0))) return {};
  const std::string instead = !result.problems.empty() ? result.problems[0]
                              : !result.waits.empty()  ? result.waits[0]
                                                       : to_string(result.verdict);
  return fmt::format("{}; expected '{}'", instead, expected);
}

RunOutcome outcome_of(const RunRequest& request, const RunResult& result) {
  return {result.steps,
          result.delay_sum,
          result.delivered,
          &request.problem.graph,
          &result.trace,
          result.transmissions,
          result.peak_queue,
          result.peak_transit_queue,
          &result.queue_peaks,
          result.cycles,
          result.scan_cycles,
          static_cast<std::uint32_t>(result.parameters.flits),
          static_cast<std::uint32_t>(result.parameters.link_latency)};
}

// What is wrong with a run's outcome; empty if it is as expected.
std::string judge(const ClaimCase& wanted, Relation relation, const RunRequest& request,
                  const RunResult& result) {
  if (!wanted.expected_problem.empty()) {
    if (std::string other = judge_failure(wanted.expected_problem, result); !other.empty()) return other;
    return wanted.inspect ? wanted.inspect(outcome_of(request, result)) : std::string();
  }
  if (!result.problems.empty()) return result.problems[0];
  if (result.verdict == Verdict::kStuck) return "stuck: " + result.waits.at(0);
  if (!holds(result.steps, relation, wanted.expected_steps))
    return fmt::format("{} steps, expected {}{}", result.steps, to_words(relation), wanted.expected_steps);
  return wanted.inspect ? wanted.inspect(outcome_of(request, result)) : std::string();
}

OnlineOutcome outcome_of(const ScanResult& result) {
  const auto phase = [&](ScanPhase which) { return result.phase_cycles[static_cast<std::size_t>(which)]; };
  return {result.cycles,
          result.last_delivery,
          phase(ScanPhase::kClassScan),
          phase(ScanPhase::kRankScan),
          phase(ScanPhase::kPack),
          phase(ScanPhase::kBroadcast),
          phase(ScanPhase::kCombine),
          phase(ScanPhase::kUnpack),
          result.flits_sent};
}

std::string judge(const OnlineCase& wanted, const ScanRequest& request, const ScanResult& result) {
  if (!result.problems.empty()) return result.problems[0];
  if (result.cycles != wanted.expected_cycles)
    return fmt::format("{} cycles, expected {}", result.cycles, wanted.expected_cycles);
  if (request.keep_transfers) {
    if (const std::string difference = compare_with_model(request, result); !difference.empty())
      return difference;
  }
  return wanted.inspect ? wanted.inspect(outcome_of(result)) : std::string();
}

DynamicOutcome outcome_of(const DynamicBroadcastResult& result) {
  DynamicOutcome outcome;
  outcome.packets = result.broadcast;
  outcome.mean_delay = Rational(result.delay.sum, result.delay.count) / (std::uint64_t{1} << kTickBits);
  outcome.final_backlog = result.final_backlog;
  outcome.intervals = result.intervals;
  outcome.counted_in_time = result.counted_in_time;
  for (const auto& [active, count] : result.by_active) outcome.cycles_of[active] = count.cycles;
  return outcome;
}

// Notes what came out of the quantity that the paper states, and that the one does not contradict the other
// if so. `measured` is taken where the case does not say what to measure.
template <class... Outcome>
void hold_against_print(const std::optional<Printed<Outcome...>>& printed, const Rational& measured,
                        ClaimOutcome& result, const Outcome&... outcome) {
  if (!printed || !result.problem.empty()) return;
  result.found = printed->measure ? printed->measure(outcome...) : measured;
  if (!printed->is_contradicted_by(result.found)) {
    result.problem = fmt::format("{} {} do not contradict the paper's {}", result.found.str(),
                                 printed->quantity.empty() ? result.unit_word() : printed->quantity,
                                 printed->in_words(result.unit_word()));
  }
}

ScanRequest request_of(const OnlineCase& wanted) {
  ScanRequest request(make_digit_network(wanted.topology));
  request.collective = parse_collective(wanted.collective, kOnScan);
  request.active = wanted.active;
  request.destinations = wanted.destinations;
  apply(wanted.settings, request);
  request.pass_on_first = wanted.pass_on_first;
  request.keep_transfers = has_model(request.collective);
  return request;
}

DynamicBroadcastRequest request_of(const DynamicCase& wanted) {
  DynamicBroadcastRequest request(make_digit_network(wanted.topology));
  apply(wanted.settings, request);
  request.rate = wanted.rate * request.flits;
  request.packets = wanted.packets;
  request.seed = wanted.seed;
  check_dynamic_broadcast(request);
  return request;
}

// What is known of a job before it is run, apart from its name and what the paper says of it.
void describe(const ClaimCheck&, ClaimOutcome& outcome) { outcome.decided_by = Decider::kComputation; }

void describe(const ScheduledCase& job, ClaimOutcome& outcome) {
  const bool timetable = job.plan != nullptr, on_routers = job.request.node == NodeChoice::kRouter;
  outcome.decided_by = !timetable   ? Decider::kRouter
                       : on_routers ? Decider::kPlannedRouter
                                    : Decider::kTimetable;
  const bool may_differ = timetable && on_routers && job.relation == Relation::kExactly;
  outcome.relation = may_differ ? *job.relation_on_routers : job.relation;
  outcome.lockstep = job.lockstep;
  outcome.expected = job.expected_steps;
  outcome.nodes = job.request.problem.graph.node_count();
  outcome.completed = job.expected_problem.empty();
}

void describe(const OnlineCase& wanted, ClaimOutcome& outcome) {
  outcome.decided_by = Decider::kScanNode;
  outcome.unit = ClaimOutcome::Unit::kCycles;
  outcome.expected = wanted.expected_cycles;
  outcome.nodes = make_digit_network(wanted.topology).graph().node_count();
}

void describe(const DynamicCase& wanted, ClaimOutcome& outcome) {
  outcome.decided_by = Decider::kDynamic;
  outcome.unit = ClaimOutcome::Unit::kNothing;
  outcome.nodes = make_digit_network(wanted.topology).graph().node_count();
}

// Runs a job. `outcome` is what is known of it before; what is measured is added, and judged.
void run(const ClaimCheck& check, ClaimOutcome& outcome, NodePool&) {
  const Stopwatch begin;
  outcome.problem = check.check();
  hold_against_print(check.printed, 0, outcome);
  outcome.seconds = begin.seconds();
}

// Whether a run is repeated with hosts that start with empty queues: on routers that are the same then. Nodes
// that scan first inject after that.
bool repeats_with_empty_hosts(const ScheduledCase& job, const RunPlan& plan) {
  const auto* routers = std::get_if<RunPlan::Routers>(&plan.what);
  if (routers == nullptr || !job.expected_problem.empty() || routers->policy.scan) return false;
  return job.ports != PortModel::kAllPort || routers->parameters.inject_ports == routers->parameters.radix;
}

// Runs the same again with empty queues at the start. What is expected: as many steps as before, and one in
// which the hosts inject their first packets.
void run_with_empty_hosts(RunPlan plan, const RunResult& full, ClaimOutcome& outcome) {
  plan.request.hosts = HostStart::kEmpty;
  plan.request.keep_trace = false;
  plan.request.bound = full.lower_bound;
  plan.request.closed_form = full.closed_form;
  const RunResult result = run(plan, VariantStore::standard());
  outcome.seconds += result.run_seconds;
  const auto complain = [&outcome](const std::string& what) {
    if (outcome.problem.empty()) outcome.problem = "with empty hosts: " + what;
  };
  if (!result.problems.empty()) return complain(result.problems[0]);
  if (result.stuck) return complain("stuck: " + result.waits.at(0));
  outcome.with_empty_hosts = result.steps;
  if (result.steps != full.steps + 1)
    complain(
        fmt::format("{} steps, expected {}, one more than with full ones", result.steps, full.steps + 1));
}

void run(ScheduledCase& job, ClaimOutcome& outcome, NodePool& pool) {
  RunResult result;
  std::optional<RunPlan> again;
  if (job.planned) {
    job.planned->request.pool = &pool;
    result = run(*job.planned, VariantStore::standard());
    if (repeats_with_empty_hosts(job, *job.planned)) again = *job.planned;
    job.planned.reset();
  } else {
    RunRequest request = job.request;
    request.pool = &pool;
    std::call_once(job.plan->planned, [&] {
      const Algorithm& algorithm = find_any_algorithm(request.problem, request.algorithm);
      job.plan->steps = std::make_shared<const Schedule>(plan_of(algorithm, request.problem));
    });
    request.steps = job.plan->steps;
    job.plan.reset();
    const RunPlan plan = plan_run(request);
    result = run(plan, VariantStore::standard());
    if (repeats_with_empty_hosts(job, plan)) again = plan;
  }
  outcome.measured = result.steps;
  outcome.seconds = result.run_seconds;
  outcome.problem = judge(job, outcome.relation, job.request, result);
  const Rational measured = outcome.completed ? outcome.measured : 0;
  hold_against_print(job.printed, measured, outcome, outcome_of(job.request, result));
  if (again && outcome.problem.empty()) run_with_empty_hosts(std::move(*again), result, outcome);
}

void run(const OnlineCase& wanted, ClaimOutcome& outcome, NodePool& pool) {
  ScanRequest request = request_of(wanted);
  request.pool = &pool;
  const ScanResult result = run_scan(request, VariantStore::standard());
  outcome.measured = result.cycles;
  outcome.seconds = result.run_seconds;
  outcome.problem = judge(wanted, request, result);
  hold_against_print(wanted.printed, result.cycles, outcome, outcome_of(result));
}

void run(const DynamicCase& wanted, ClaimOutcome& outcome, NodePool& pool) {
  DynamicBroadcastRequest request = request_of(wanted);
  request.pool = &pool;
  const DynamicBroadcastResult result = run_dynamic_broadcast(request, VariantStore::standard());
  outcome.seconds = result.run_seconds;
  if (!result.problems.empty()) {
    outcome.problem = result.problems[0];
    return;
  }
  const DynamicOutcome found = outcome_of(result);
  outcome.problem = wanted.inspect(found);
  hold_against_print(wanted.printed, 0, outcome, found);
}

// Whether a timetable is also run on pifo_nodes: networks that are small enough to give every packet its own
// label, collectives that labels can express, and nodes that do not take a minute to build.
bool runs_on_pifo_nodes(const Problem& problem, const Algorithm& algorithm) {
  constexpr NodeId kMaxNodes = 40;
  constexpr PortId kMaxPorts = 8;
  constexpr std::array kByLabels{CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                 CollectiveKind::kGather, CollectiveKind::kTotalExchange};
  return problem.ports == PortModel::kAllPort && problem.graph.max_degree() <= kMaxPorts &&
         problem.graph.node_count() <= kMaxNodes && std::ranges::count(kByLabels, problem.collective) != 0 &&
         why_no_policy(plan_of(algorithm, problem)).empty();
}

Problem problem_of(const ClaimCase& wanted, std::map<std::string, Graph>& graphs) {
  if (!graphs.contains(wanted.topology)) graphs.emplace(wanted.topology, make_topology(wanted.topology));
  return {.graph = graphs.at(wanted.topology),
          .collective = wanted.collective,
          .ports = wanted.ports,
          .root = wanted.root,
          .tree = wanted.tree,
          .destination = wanted.destination,
          .active = wanted.active,
          .messages = wanted.messages};
}

// The runs of a case: on the nodes that its algorithm is for and, if that is a timetable which routers can
// follow, on those as well.
void add_runs(std::vector<ClaimJob>& jobs, std::size_t claim, const ClaimCase& wanted, Problem problem) {
  const Algorithm& algorithm = find_any_algorithm(problem, wanted.algorithm);
  const bool on_routers_too = !algorithm.policy && wanted.relation_on_routers &&
                              wanted.expected_problem.empty() && runs_on_pifo_nodes(problem, algorithm);
  ScheduledCase job{wanted, RunRequest(std::move(problem)), false,
                    algorithm.policy ? nullptr : std::make_shared<SharedPlan>(), nullptr};
  job.request.algorithm = wanted.algorithm;
  job.request.queue_depth = wanted.queue_depth;
  job.request.keep_trace = wanted.inspect || (wanted.printed && wanted.printed->measure);
  for (const NodeChoice node : {NodeChoice::kAutomatic, NodeChoice::kRouter}) {
    if (node == NodeChoice::kRouter && !on_routers_too) continue;
    for (const bool lockstep : {false, true}) {
      job.request.node = node;
      job.lockstep = lockstep;
      job.request.flits = lockstep ? kLockstepFlits : 1;
      job.request.link_latency = lockstep ? kLockstepLatency : 0;
      job.expected_steps =
          lockstep && wanted.expected_in_lockstep ? *wanted.expected_in_lockstep : wanted.expected_steps;
      jobs.push_back({claim, job});
    }
  }
}

}  // namespace

std::vector<ClaimJob> claim_jobs(const std::vector<const Claim*>& chosen, bool full) {
  std::vector<ClaimJob> jobs;
  std::map<std::string, Graph> graphs;  // built once each
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const auto add_all = [&](const auto& cases) {
      if (!cases) return;
      for (auto& each : cases(full)) jobs.push_back({c, std::move(each)});
    };
    add_all(chosen[c]->checks);
    add_all(chosen[c]->online);
    add_all(chosen[c]->dynamic);
    if (!chosen[c]->cases) continue;
    for (const ClaimCase& wanted : chosen[c]->cases(full))
      add_runs(jobs, c, wanted, problem_of(wanted, graphs));
  }
  return jobs;
}

std::optional<Hardware> plan_hardware(ClaimJob& job) {
  if (auto* scheduled = std::get_if<ScheduledCase>(&job.what); scheduled != nullptr && !scheduled->plan) {
    scheduled->planned = std::make_shared<RunPlan>(plan_run(scheduled->request));
    return scheduled->planned->hardware;
  }
  if (const auto* online = std::get_if<OnlineCase>(&job.what))
    return scan_hardware(scan_parameters(request_of(*online)));
  if (const auto* dynamic = std::get_if<DynamicCase>(&job.what))
    return scan_hardware(scan_parameters(request_of(*dynamic)));
  return std::nullopt;
}

ClaimOutcome outcome_before_run(const ClaimJob& job) {
  ClaimOutcome outcome;
  const auto describe_job = [&](const auto& what) {
    outcome.name = name_of(what);
    if (what.printed) outcome.printed = *what.printed;
    describe(what, outcome);
  };
  std::visit(describe_job, job.what);
  return outcome;
}

ClaimOutcome run_claim_job(ClaimJob& job, NodePool& pool) {
  ClaimOutcome outcome;
  try {
    outcome = outcome_before_run(job);
    std::visit([&](auto& what) { run(what, outcome, pool); }, job.what);
  } catch (const std::exception& error) {
    outcome.problem = error.what();
  }
  return outcome;
}

}  // namespace safnet
