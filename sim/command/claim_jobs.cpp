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
#include "sim/run/dynamic_claim.hpp"
#include "sim/run/scan_check.hpp"
#include "sim/machine/system.hpp"

namespace safnet {

// Planned once for all runs of a case, and forgotten after the last of them.
class SharedPlan {
 public:
  void add_user() { ++users_; }
  std::shared_ptr<const Schedule> get(const Algorithm& algorithm, const Problem& problem) {
    const std::lock_guard guard(mutex_);
    if (!steps_) steps_ = std::make_shared<const Schedule>(plan_of(algorithm, problem));
    return steps_;
  }
  void give_back() {
    const std::lock_guard guard(mutex_);
    if (--users_ == 0) steps_.reset();
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Schedule> steps_;
  std::size_t users_ = 0;
};

namespace {

// The words of an option that is not at its default.
template <class Value>
std::string option(const char* name, const Value& value, const Value& absent) {
  return value == absent ? "" : fmt::format(" {} {}", name, value);
}
std::string option(const char* name, const std::vector<NodeId>& nodes) {
  return nodes.empty() ? "" : fmt::format(" {} {}", name, fmt::join(nodes, ","));
}
std::string flag(const char* name, bool set) { return set ? fmt::format(" {}", name) : ""; }

// The command that does the same.
std::string name_of(const ScheduledCase& job) {
  const ClaimCase& c = job.wanted;
  return fmt::format("{} {} {} --ports {}", c.topology, to_string(c.collective), c.algorithm,
                     to_string(c.ports)) +
         option("--root", c.root, NodeId{0}) + option("--destination", c.destination, kNoNode) +
         option("--messages", c.messages, 1U) + option("--tree", c.tree, std::string()) +
         option("--queue-depth", c.queue_depth, 0) + option("--active", c.active) +
         flag("--node pifo", job.request.node == NodeChoice::kRouter) +
         (job.lockstep ? fmt::format(" --flits {} --link-latency {}", kLockstepFlits, kLockstepLatency) : "");
}

std::string name_of(const OnlineCase& c) {
  const PartialBroadcastSettings& s = c.settings;
  return fmt::format("{} {} --active {}", c.topology, c.collective, fmt::join(c.active, ",")) +
         option("--destinations", c.destinations) + fmt::format(" --flits {}", s.flits) +
         flag("--header-flits 1", s.header_flits != 0) +
         (s.latency != 0 ? fmt::format(" --link-latency {}", s.latency) : "") + flag("--split", s.split) +
         flag("--single-class", s.single_class) + flag("--alternating", s.alternating) +
         flag("--pass-on-first", c.pass_on_first) + flag("--known-ranks", s.known_ranks);
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

// What is wrong with a run's outcome; empty if it is as expected.
std::string judge(const ClaimCase& wanted, const RunRequest& request, const RunResult& result) {
  if (!wanted.expected_problem.empty()) return judge_failure(wanted.expected_problem, result);
  if (!result.problems.empty()) return result.problems[0];
  if (result.verdict == Verdict::kStuck) return "stuck: " + result.waits.at(0);
  if (wanted.relation == Relation::kAtLeast && result.steps < wanted.expected_steps) {
    return fmt::format("{} steps, expected {} or more", result.steps, wanted.expected_steps);
  }
  // Routers that follow a timetable may be ahead of it, never behind.
  const bool may_be_early = request.node == NodeChoice::kRouter && result.steps < wanted.expected_steps;
  if (wanted.relation == Relation::kExactly && result.steps != wanted.expected_steps && !may_be_early) {
    return fmt::format("{} steps, expected {}", result.steps, wanted.expected_steps);
  }
  if (!wanted.inspect) return {};
  return wanted.inspect({result.steps, result.delay_sum, result.delivered, &request.problem.graph,
                         &result.trace, result.transmissions, result.peak_queue, result.peak_transit_queue,
                         &result.queue_peaks, result.cycles, result.scan_cycles,
                         static_cast<std::uint32_t>(result.parameters.flits),
                         static_cast<std::uint32_t>(result.parameters.link_latency)});
}

std::string judge(const OnlineCase& wanted, const ScanRequest& request, const ScanResult& result) {
  if (!result.problems.empty()) return result.problems[0];
  if (result.cycles != wanted.expected_cycles)
    return fmt::format("{} cycles, expected {}", result.cycles, wanted.expected_cycles);
  if (request.keep_transfers) {
    if (const std::string difference = compare_with_model(request, result); !difference.empty())
      return difference;
  }
  if (!wanted.inspect) return {};
  const auto phase = [&](ScanPhase which) { return result.phase_cycles[static_cast<std::size_t>(which)]; };
  return wanted.inspect({result.cycles, result.last_delivery, phase(ScanPhase::kClassScan),
                         phase(ScanPhase::kRankScan), phase(ScanPhase::kPack), phase(ScanPhase::kBroadcast),
                         phase(ScanPhase::kCombine), phase(ScanPhase::kUnpack), result.flits_sent});
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

void run(const ClaimCheck& check, ClaimOutcome& outcome, VariantStore&, NodePool&) {
  outcome.name = check.name;
  outcome.printed = check.printed;
  outcome.on_hardware = false;
  const Stopwatch begin;
  outcome.problem = check.check();
  outcome.seconds = begin.seconds();
}

void run(ScheduledCase& job, ClaimOutcome& outcome, VariantStore& store, NodePool& pool) {
  outcome.name = name_of(job);
  outcome.printed = job.wanted.printed;
  outcome.lockstep = job.lockstep;
  outcome.expected = job.wanted.expected_steps;
  outcome.nodes = job.request.problem.graph.node_count();
  outcome.completed = job.wanted.expected_problem.empty();
  RunResult result;
  if (job.planned) {
    job.planned->request.pool = &pool;
    result = run(*job.planned, store);
    job.planned.reset();
  } else {
    RunRequest request = job.request;
    request.pool = &pool;
    request.steps = job.plan->get(find_any_algorithm(request.problem, request.algorithm), request.problem);
    result = run_collective(request, store);
    request.steps.reset();
    job.plan->give_back();
  }
  outcome.measured = result.steps;
  outcome.seconds = result.run_seconds;
  outcome.problem = judge(job.wanted, job.request, result);
}

void run(const OnlineCase& wanted, ClaimOutcome& outcome, VariantStore& store, NodePool& pool) {
  outcome.name = name_of(wanted);
  outcome.printed = wanted.printed;
  outcome.unit = ClaimOutcome::Unit::kCycles;
  outcome.expected = wanted.expected_cycles;
  ScanRequest request = request_of(wanted);
  request.pool = &pool;
  outcome.nodes = request.network.graph().node_count();
  const ScanResult result = run_scan(request, store);
  outcome.measured = result.cycles;
  outcome.seconds = result.run_seconds;
  outcome.problem = judge(wanted, request, result);
}

void run(const DynamicCase& wanted, ClaimOutcome& outcome, VariantStore& store, NodePool& pool) {
  outcome.name = name_of(wanted);
  outcome.printed = wanted.printed;
  outcome.unit = ClaimOutcome::Unit::kNothing;
  DynamicBroadcastRequest request = dynamic_request(wanted);
  request.pool = &pool;
  outcome.nodes = request.network.graph().node_count();
  const DynamicBroadcastResult result = run_dynamic_broadcast(request, store);
  outcome.seconds = result.run_seconds;
  outcome.problem = judge(wanted, result);
}

// Small enough to give every packet a label of its own, of a kind that routers can do by labels, and without
// nodes that take a minute to build.
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
  auto graph = graphs.find(wanted.topology);
  if (graph == graphs.end()) graph = graphs.emplace(wanted.topology, make_topology(wanted.topology)).first;
  return {.graph = graph->second,
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
  const bool on_routers_too =
      !algorithm.policy && wanted.expected_problem.empty() && runs_on_pifo_nodes(problem, algorithm);
  ScheduledCase job{wanted, RunRequest(std::move(problem)), false,
                    algorithm.policy ? nullptr : std::make_shared<SharedPlan>(), nullptr};
  job.request.algorithm = wanted.algorithm;
  job.request.queue_depth = wanted.queue_depth;
  job.request.keep_trace = static_cast<bool>(wanted.inspect);
  job.request.exact_buffers = false;
  for (const NodeChoice node : {NodeChoice::kAutomatic, NodeChoice::kRouter}) {
    if (node == NodeChoice::kRouter && !on_routers_too) continue;
    for (const bool lockstep : {false, true}) {
      job.request.node = node;
      job.lockstep = lockstep;
      job.request.flits = lockstep ? kLockstepFlits : 1;
      job.request.link_latency = lockstep ? kLockstepLatency : 0;
      job.wanted.expected_steps =
          lockstep && wanted.expected_in_lockstep ? *wanted.expected_in_lockstep : wanted.expected_steps;
      if (job.plan) job.plan->add_user();
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
    return scan_hardware(scan_parameters(dynamic_request(*dynamic)));
  return std::nullopt;
}

ClaimOutcome run_claim_job(ClaimJob& job, VariantStore& store, NodePool& pool) {
  ClaimOutcome outcome;
  try {
    std::visit([&](auto& what) { run(what, outcome, store, pool); }, job.what);
  } catch (const std::exception& error) {
    outcome.problem = error.what();
  }
  return outcome;
}

}  // namespace safnet
