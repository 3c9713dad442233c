#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/check/validator.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "rtl_constants.hpp"
#include "sim/exchange/class_scan.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/pifo/host_feed.hpp"
#include "sim/pifo/pifo_recorder.hpp"
#include "sim/pifo/router_program.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/last_packets.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/queue_check.hpp"
#include "sim/run/reference.hpp"
#include "sim/run/replay.hpp"

namespace safnet {
namespace {

// A run of routers under a policy: the machine, who watches it, and what came of it.
class RouterRun {
 public:
  RouterRun(const RunRequest& request, const Policy& policy, Collective collective, RunResult& result)
      : request_(request),
        graph_(request.problem.graph),
        policy_(policy),
        result_(result),
        collective_(std::move(collective)),
        keeps_events_(keeps_events(request)),
        recorder_(graph_, collective_, result.parameters, keeps_events_),
        feed_(policy.injections, result.parameters, graph_.node_count(), request.hosts, result.window,
              [this](NodeId v) { return recorder_.rounds_got(v); }) {
    if (result.window != 0) recorder_.count_rounds(policy.injections.rounds, policy.injections.tag_stride);
    result.expected_deliveries = collective_.expected_deliveries();
    // No route passes a node twice, so that many transfers are more than any algorithm needs.
    most_transfers_ = 2 * result.expected_deliveries * graph_.node_count() + 64;
    if (policy.scan) scan_.emplace(graph_, result.parameters, *policy.scan, recorder_);
    if (result.parameters.port_model == rtl::safnet_pkg::kAllPort)
      result.queue_peaks.resize(graph_.link_count());
  }

  void make(VariantStore& store) {
    if (request_.model == NetworkModel::kSystemC) {
      check_reference_request(request_, kMaxTraceTransfers);
      machine_.emplace(graph_.node_count(), &recorder_, [this](MachineObserver* told) {
        return std::make_unique<ReferenceMachine>(graph_, policy_, result_.parameters, request_.hosts, told,
                                                  std::min(most_transfers_, kMaxTraceTransfers));
      });
      return;
    }
    label_use_ = LabelUse::if_sparse(graph_, policy_);
    if (label_use_) result_.hardware.used_bytes = bytes_of_node(result_.parameters, graph_, *label_use_);
    MachineObserver* observer = scan_ ? static_cast<MachineObserver*>(&*scan_) : &recorder_;
    machine_.emplace(make_machine(graph_, result_.hardware, request_, observer, store, result_));
  }

  void load() {
    if (request_.model == NetworkModel::kSystemC) return;  // the reference has it already
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      RouterProgram program =
          router_table(graph_, policy_, result_.parameters, v, label_use_ ? &*label_use_ : nullptr);
      if (scan_) {
        for (LabelEntry& entry : scan_->labels(v)) program.table.push_back(std::move(entry));
        (*machine_)->load(v, program);
      } else {
        feed_.load(**machine_, v, std::move(program));
      }
    }
    if (request_.hosts == HostStart::kEmpty) return;
    result_.host_waiting = feed_.left();
    for (NodeId v = 0; v < graph_.node_count(); ++v)
      result_.host_waiting += (*machine_)->packets_with_host(v);
  }

  void drive() {
    Drive drive(**machine_, patience_of(result_.parameters, result_.parameters.slot_cycles), request_.faults,
                request_.fault_until, static_cast<std::uint32_t>(result_.parameters.slot_cycles));
    drive.start([this] { return scan_first(); });
    if (request_.hosts == HostStart::kEmpty) feed_.feed(**machine_);
    std::uint32_t cycles = 0;
    result_.stuck = drive.run([&](NetworkTime now) {
      ++cycles;
      feed_.feed(**machine_);
      runaway_ = (cycles & 0x3f) == 0 && runs_away();
      if (request_.on_progress && (cycles & 0xff) == 0)
        request_.on_progress(recorder_.delivered(), result_.expected_deliveries, now.cycle);
      return !runaway_;
    });
  }

  void take_account() {
    safnet::take_account(result_, graph_, **machine_, recorder_,
                         scan_ ? scan_->problems() : std::vector<std::string>());
    if (scan_) result_.scan_cycles = scan_->cycles();
    if (runaway_) {
      result_.complain(
          "stopped: hosts got {} packets where {} were expected, links carried {}, and more were on their "
          "way",
          recorder_.hosts_got(), result_.expected_deliveries, recorder_.transmissions());
      std::ranges::rotate(result_.problems, result_.problems.end() - 1);  // it comes first
    }
    if (keeps_events_) result_.trace = recorder_.take_trace();
    if (result_.stuck) {
      result_.waits = explain_stuck_routers(graph_, **machine_, result_.parameters, *result_.hardware.kind,
                                            recorder_, policy_, result_.trace);
    } else if (keeps_events_) {
      const ValidationReport report = validate(graph_, collective_, request_.problem.ports, result_.trace,
                                               static_cast<std::uint32_t>(result_.parameters.link_latency));
      result_.validated = true;
      if (!report.valid) std::ranges::copy(report.problems, std::back_inserter(result_.problems));
      if (result_.problems.empty()) {
        Problems problems;
        judge_queues(*report.sends, **machine_, result_.parameters, result_.scan_cycles + 1, request_.hosts,
                     !result_.hardware.kind->sources.empty(), problems);
        result_.problems = problems.with_rest();
      }
    }
  }

 private:
  // The nodes of a policy with a scan (exchange_nodes) do it first; their hosts get their packets after it,
  // as these leave with the class that the scan found. False if the scan went wrong.
  bool scan_first() {
    if (!scan_) return true;
    scan_->run(**machine_);
    if (!scan_->problems().empty()) return false;
    load_program(**machine_, graph_.node_count(), [this](NodeId v) {
      RouterProgram program;
      program.packets = router_packets(policy_, result_.parameters, v);
      return program;
    });
    return true;
  }
  // Packets multiply, or go round without being delivered.
  bool runs_away() const {
    return recorder_.hosts_got() > 2 * result_.expected_deliveries + 64 ||
           recorder_.transmissions() > most_transfers_;
  }

  const RunRequest& request_;
  const Graph& graph_;
  const Policy& policy_;
  RunResult& result_;
  Collective collective_;
  bool keeps_events_;
  PifoRecorder recorder_;
  HostFeed feed_;
  std::optional<LabelUse> label_use_;
  std::optional<ClassScanWatch> scan_;
  std::optional<ObservedMachine> machine_;
  std::uint64_t most_transfers_ = 0;
  bool runaway_ = false;
};

// What is known before a run.
RunResult result_of(const RunPlan& plan, const Promise& promise) {
  RunResult result;
  result.algorithm = plan.algorithm->name;
  result.algorithm_source = plan.algorithm->source;
  result.choice = plan.why;
  result.hardware = plan.hardware;
  result.closed_form = promise.closed_form;
  result.lower_bound = promise.bound;
  return result;
}

// Messages of a host that may be on their way at once so that no queue is ever full. A packet of message k
// that is still on its way keeps its destination from beginning message k + window, and thereby all other
// hosts from beginning message k + 2 * window.
std::uint32_t messages_that_fit(const Policy& policy, const PifoParameters& parameters) {
  const std::uint64_t of_a_message =
      std::max<std::uint64_t>(1, policy.queue_bound / policy.injections.rounds);
  const auto depth = static_cast<std::uint64_t>(parameters.queue_depth);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, depth / (2 * of_a_message)));
}

// Whether a run that got stuck may do better with a window: the program chose the depth of the queues, and
// they are less deep than the policy needs.
bool can_wait(const RunRequest& request, const Policy& policy, const PifoParameters& parameters) {
  return policy.injections.rounds > 1 && request.window == 0 && request.queue_depth == 0 &&
         request.faults.empty() && request.tap == nullptr && request.model == NetworkModel::kRtl &&
         policy.queue_bound > static_cast<std::uint64_t>(parameters.queue_depth);
}

// Whether no packet leaves later for want of room for those of the hosts: they all fit, or each output has an
// injection port, with a place for the packet that leaves and one for the next.
bool holds_packets_of_hosts(const Policy& policy, const PifoParameters& parameters) {
  return policy.host_packets <= static_cast<std::uint32_t>(parameters.host_depth) ||
         (parameters.inject_ports == parameters.radix && parameters.host_depth >= 2);
}

// `window`: see RunResult.
RunResult run_routers(const RunPlan& plan, const RunPlan::Routers& routers, const Promise& promise,
                      std::uint32_t window, VariantStore& store) {
  const auto& [policy, parameters] = routers;
  RunResult result = result_of(plan, promise);
  result.parameters = parameters;
  result.order_ignored = plan.order_ignored;
  result.window = window;
  if (plan.algorithm->policy) result.pieces = plan.request.problem.pieces;

  RouterRun run(plan.request, policy, collective_of(plan.request.problem), result);
  run.make(store);
  const Stopwatch watch;
  run.load();
  run.drive();
  run.take_account();
  result.verdict = judge(promise, result, result.scan_cycles);
  if (!plan.request.keep_trace) result.trace = {};
  result.run_seconds = watch.seconds();
  return result;
}

RunResult run_routers(const RunPlan& plan, const RunPlan::Routers& routers, VariantStore& store) {
  const RunRequest& request = plan.request;
  const auto& [policy, parameters] = routers;
  if (policy.scan && (request.model == NetworkModel::kSystemC || request.whole_network))
    throw bad_input("{}: expected an algorithm whose nodes do not scan first",
                    request.model == NetworkModel::kSystemC ? "--model systemc" : "--whole-network");
  if (policy.scan && request.hosts == HostStart::kEmpty)
    throw bad_input("--hosts empty: expected an algorithm whose nodes do not scan first");
  collective_of(request.problem);  // refuses roots and active nodes that are none
  Promise promise = promise_of(request, *plan.algorithm, parameters.slot_cycles, parameters.hop_cycles());
  const bool as_deep_as_needed = policy.queue_bound <= static_cast<std::uint64_t>(parameters.queue_depth) &&
                                 holds_packets_of_hosts(policy, parameters);
  promise.closed_form_binds = request.queue_depth == 0 && request.host_depth == 0 && request.window == 0 &&
                              request.hosts == HostStart::kFull && as_deep_as_needed && !plan.order_ignored;
  const auto asked = static_cast<std::uint32_t>(request.window);
  RunResult result = run_routers(plan, routers, promise, asked, store);
  if (result.stuck && can_wait(request, policy, parameters)) {
    const double build_seconds = result.build_seconds, run_seconds = result.run_seconds;
    result = run_routers(plan, routers, promise, messages_that_fit(policy, parameters), store);
    result.build_seconds += build_seconds;
    result.run_seconds += run_seconds;
  }
  return result;
}

RunResult run_timetable(const RunPlan& plan, const RunPlan::Timetable& timetable, VariantStore& store) {
  const RunRequest& request = plan.request;
  const Schedule& schedule = *timetable.schedule;
  const Promise promise = promise_of(request, *plan.algorithm, static_cast<int>(schedule.slot_cycles),
                                     request.flits + request.link_latency);
  ReplayRequest replayed;
  static_cast<HardwareOptions&>(replayed) = request;
  const ReplayResult run = replay(schedule, *timetable.program, replayed, store);
  RunResult result = result_of(plan, promise);
  static_cast<Account&>(result) = run;
  result.node = NodeChoice::kTdm;
  PifoParameters& p = result.parameters;
  p.radix = run.parameters.radix;
  p.flits = run.parameters.flits;
  p.link_latency = run.parameters.link_latency;
  p.slot_cycles = run.parameters.slot_cycles;
  p.queue_depth = run.parameters.buffers;
  p.port_model = run.parameters.port_model;
  result.peak_transit_queue = result.measured_buffers = run.measured_buffers;
  result.planned_buffers = run.peak_buffers;
  if (request.keep_trace) result.plan = timetable.schedule;
  // Every transfer was in the cycle of the plan, or `problems` says otherwise: judging the plan judges the
  // run.
  const ScheduleReport report = check_schedule(schedule, 5);
  result.validated = true;
  for (const ScheduleViolation& violation : report.violations) result.problems.push_back(violation.text);
  result.verdict = judge(promise, result);
  return result;
}

}  // namespace

RunResult run(const RunPlan& plan, VariantStore& store) {
  if (const auto* routers = std::get_if<RunPlan::Routers>(&plan.what))
    return run_routers(plan, *routers, store);
  return run_timetable(plan, std::get<RunPlan::Timetable>(plan.what), store);
}

RunResult run_collective(const RunRequest& request, VariantStore& store) {
  return run(plan_run(request), store);
}

RunResult run_policy(const RunRequest& request, const Algorithm& algorithm, const Policy& policy,
                     VariantStore& store) {
  return run(plan_policy(request, algorithm, policy), store);
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

}  // namespace safnet
