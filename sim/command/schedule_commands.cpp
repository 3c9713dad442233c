#include "sim/command/schedule_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/fabric/wave_nodes.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/report/report.hpp"
#include "sim/run/run.hpp"
#include "sim/run/stopwatch.hpp"

namespace safnet {
namespace {

using Json = nlohmann::ordered_json;

std::string ratio(const boost::rational<std::uint64_t>& r) {
  return fmt::format("{}/{}", r.numerator(), r.denominator());
}

std::string title(const Schedule& schedule) {
  std::string text = fmt::format("{} on {} ({} nodes, {} links), {}",
                                 schedule.collective.empty() ? "schedule" : one_line(schedule.collective),
                                 one_line(schedule.network.spelling()), schedule.network.node_count(),
                                 schedule.network.link_count(), in_words(schedule.ports));
  if (!schedule.algorithm.empty()) text += ", " + one_line(schedule.algorithm);
  return text;
}

// What a valid schedule is, and what it asks of the hardware.
struct Figures {
  ScheduleMetrics metrics;
  std::uint32_t peak_buffers = 0, peak_packets = 0;
  std::string not_for_tdm;  // why no tdm_node can run it; empty: it can
};

Figures figures_of(const Schedule& schedule) {
  Figures figures;
  figures.metrics = measure(schedule);
  try {
    const TdmProgram program = compile_program(schedule);
    figures.peak_buffers = program.peak_buffers;
    figures.peak_packets = program.peak_packets;
  } catch (const std::invalid_argument& error) {
    figures.not_for_tdm = error.what();
  }
  return figures;
}

void add_figures(Json& json, const Schedule& schedule, const Figures& figures) {
  const ScheduleMetrics& m = figures.metrics;
  json["steps"] = m.steps;
  json["cycles"] = m.cycles;
  json["slot_cycles"] = schedule.slot_cycles;
  json["link_latency"] = schedule.link_latency;
  json["flits"] = schedule.packets.longest();
  json["packets"] = m.packets;
  json["destinations"] = m.destinations;
  json["sends"] = m.sends;
  json["most_hops"] = m.most_hops;
  json["links_used"] = m.links_used;
  json["busiest_link_flits"] = m.busiest_link_flits;
  json["utilisation"] = ratio(m.utilisation);
  if (figures.not_for_tdm.empty()) {
    json["peak_buffers"] = figures.peak_buffers;
    json["peak_packets"] = figures.peak_packets;
  } else {
    json["peak_buffers"] = json["peak_packets"] = nullptr;
    json["not_for_tdm"] = figures.not_for_tdm;
  }
}

std::string figures_text(const Schedule& schedule, const Figures& figures) {
  const ScheduleMetrics& m = figures.metrics;
  std::string text =
      fmt::format("  steps          {} ({} cycles, {} per slot)\n", m.steps, m.cycles, schedule.slot_cycles);
  text += fmt::format("  packets        {}, {} destinations, {} sends, at most {} hops\n", m.packets,
                      m.destinations, m.sends, m.most_hops);
  text += fmt::format("  links          {} of {} used, {} flits on the busiest, utilisation {}\n",
                      m.links_used, m.links, m.busiest_link_flits, ratio(m.utilisation));
  text += figures.not_for_tdm.empty()
              ? fmt::format("  buffers        {} a node at most, for {} packets at once\n",
                            figures.peak_buffers, figures.peak_packets)
              : fmt::format("  buffers        no tdm_node can run it: {}\n", figures.not_for_tdm);
  return text;
}

ReadSchedule read(const ScheduleSource& source) {
  ScheduleReading reading;
  reading.topology = source.topology;
  reading.ports = parse_port_model(source.ports);
  if (source.topology.empty() && source.path.ends_with(".xml")) {
    throw std::invalid_argument(
        fmt::format("{}: MSCCL programs hold no network; expected --topology, such as --topology ring:4",
                    in_quotes(source.path)));
  }
  return read_any_schedule(source.path, reading);
}

// Nothing if there are none.
void print_violations(const ScheduleReport& report) {
  if (report.valid()) return;
  fmt::print("  valid          no, {} violation{}\n", report.count, report.count == 1 ? "" : "s");
  for (const ScheduleViolation& violation : report.violations) fmt::print("  {}\n", violation.text);
}

Json violations_json(const ScheduleReport& report) {
  Json all = Json::array();
  for (const ScheduleViolation& violation : report.violations)
    all.push_back({{"rule", to_string(violation.rule)}, {"text", violation.text}});
  return all;
}

// Hosts that get a packet, over all packets of one message; 0 where that is not known beforehand.
std::uint64_t deliveries_of_a_message(const Problem& problem) {
  const std::uint64_t n = problem.graph.processor_count();
  switch (problem.collective) {
    case CollectiveKind::kBroadcast:
      return n - 1;
    case CollectiveKind::kMultinodeBroadcast:
      return n * (n - 1);
    case CollectiveKind::kReduction:
      return 1;
    case CollectiveKind::kMultinodeAccumulation:
    case CollectiveKind::kAllreduce:
      return n;
    case CollectiveKind::kMultipath:
      return 0;
    default:
      return packets_of_a_message(problem);
  }
}

// The problem that a schedule solves. Throws std::invalid_argument if it does not say.
Problem problem_of(const Schedule& schedule) {
  Problem problem{.graph = schedule.network, .ports = schedule.ports, .root = schedule.root};
  problem.collective = parse_collective(schedule.collective);
  std::vector<bool> active(schedule.network.node_count());
  if (problem.collective == CollectiveKind::kConcurrentBroadcast) {
    for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
      problem.active.push_back(schedule.packets.origin(p));
    std::ranges::sort(problem.active);
    return problem;
  }
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    if (problem.collective == CollectiveKind::kPartialExchange) active[schedule.packets.origin(p)] = true;
    if (problem.collective != CollectiveKind::kPartialGather) continue;
    for (const NodeId v : schedule.packets.destinations(p)) active[v] = true;
  }
  for (NodeId v = 0; v < active.size(); ++v) {
    if (active[v]) problem.active.push_back(v);
  }
  const std::uint64_t of_a_message = deliveries_of_a_message(problem);
  if (of_a_message != 0) {
    const std::uint64_t messages = schedule.packets.destination_count() / of_a_message;
    problem.messages = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(messages, 1, kMaxMessages));
  }
  return problem;
}

// The fewest slots that it could have; nothing if it does not say what it solves.
std::optional<LowerBound> bound_of(const Schedule& schedule) {
  if (schedule.collective.empty()) return std::nullopt;
  try {
    const bool in_steps = schedule.slot_cycles == schedule.packets.longest() + schedule.link_latency;
    const Problem problem = problem_of(schedule);
    LowerBound bound = in_steps ? tightest_bound(problem, steps_of(schedule)) : lower_bound(problem);
    std::uint32_t shortest = schedule.packets.longest();
    for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
      shortest = std::min(shortest, schedule.packets.flits(p));
    if (schedule.slot_cycles == 1) bound.steps *= shortest;  // a packet keeps a link busy for so many cycles
    return bound;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

int plan_command(const Problem& problem, const PlanOptions& options) {
  if (problem.collective == CollectiveKind::kMultipath)
    throw std::invalid_argument(
        "multipath: expected another collective; no algorithm plans it, see safnet run");
  const Stopwatch begin;
  Choice choice;
  if (options.algorithm.empty() || options.algorithm == "auto") {
    choice = choose_algorithm(problem, true);
  } else {
    choice.algorithm = &find_planner(problem, options.algorithm);
  }
  Schedule schedule = choice.plan ? std::move(*choice.plan) : plan_of(*choice.algorithm, problem);
  schedule.operation = parse_operation(options.operation);
  const double plan_seconds = begin.seconds();
  Problem split = problem;
  if (choice.algorithm->pieces) split.pieces = choice.algorithm->pieces(problem);
  const std::uint32_t flits = (options.flits + split.pieces - 1) / split.pieces;
  LowerBound bound = choice.reason.empty() ? tightest_bound(split, steps_of(schedule)) : choice.bound;
  if (!options.lockstep) bound.steps *= flits;  // a packet keeps a link busy for so many cycles
  if (options.reverse) {
    schedule = reverse(schedule);
    schedule.operation = parse_operation(options.operation);
    schedule.algorithm = choice.algorithm->name;
  }
  schedule = options.lockstep ? in_lockstep(std::move(schedule), flits, options.link_latency)
                              : free_running(std::move(schedule), flits, options.link_latency);
  const Stopwatch check_begin;
  const ScheduleReport report = check_schedule(schedule, 5);
  const double check_seconds = check_begin.seconds();
  const Figures figures = figures_of(schedule);
  if (!options.output.empty()) write_any_schedule(schedule, options.output);

  const std::uint64_t steps = figures.metrics.steps;
  if (options.json) {
    Json json;
    json["topology"] = printable(problem.graph.spelling());
    json["nodes"] = problem.graph.node_count();
    json["collective"] = schedule.collective;
    json["ports"] = to_string(problem.ports);
    json["algorithm"] = choice.algorithm->name;
    json["source"] = choice.algorithm->source;
    json["choice"] = choice.reason;
    add_figures(json, schedule, figures);
    json["lower_bound"] = bound.steps;
    json["lower_bound_reason"] = bound.reason;
    json["valid"] = report.valid();
    json["violations"] = violations_json(report);
    json["plan_seconds"] = plan_seconds;
    json["check_seconds"] = check_seconds;
    fmt::print("{}\n", json.dump());
    return report.valid() ? 0 : 1;
  }
  fmt::print("{} [{}]\n", title(schedule), choice.algorithm->source);
  if (!choice.reason.empty()) fmt::print("  chosen         {}: {}\n", choice.algorithm->name, choice.reason);
  fmt::print("{}", figures_text(schedule, figures));
  fmt::print("  lower bound    {} steps ({}): {}\n", bound.steps, bound.reason,
             steps == bound.steps ? "optimal" : fmt::format("{} more", steps - std::min(steps, bound.steps)));
  fmt::print("  valid          {}\n",
             report.valid() ? "yes" : fmt::format("no, {} violations", report.count));
  for (const ScheduleViolation& violation : report.violations) fmt::print("  {}\n", violation.text);
  fmt::print("  time           {:.2f} s planned, {:.2f} s checked\n", plan_seconds, check_seconds);
  if (!options.output.empty()) fmt::print("  written        {}\n", one_line(options.output));
  return report.valid() ? 0 : 1;
}

int check_command(const ScheduleSource& source, bool json_wanted) {
  const ReadSchedule file = read(source);
  const Schedule& schedule = file.schedule;
  const ScheduleReport report = check_schedule(schedule);
  if (json_wanted) {
    Json json;
    json["file"] = printable(source.path);
    json["topology"] = printable(schedule.network.spelling());
    json["nodes"] = schedule.network.node_count();
    json["collective"] = printable(schedule.collective);
    json["ports"] = to_string(schedule.ports);
    json["valid"] = report.valid();
    json["violation_count"] = report.count;
    json["violations"] = violations_json(report);
    if (report.valid()) {
      add_figures(json, schedule, figures_of(schedule));
      if (const auto bound = bound_of(schedule)) {
        json["lower_bound"] = bound->steps;
        json["lower_bound_reason"] = bound->reason;
      }
    }
    json["remarks"] = file.remarks;
    fmt::print("{}\n", json.dump());
    return report.valid() ? 0 : 1;
  }
  fmt::print("{}\n", title(schedule));
  for (const std::string& remark : file.remarks) fmt::print("  read           {}\n", remark);
  if (!report.valid()) {
    print_violations(report);
    return 1;
  }
  const Figures figures = figures_of(schedule);
  fmt::print("  valid          yes\n{}", figures_text(schedule, figures));
  if (const auto bound = bound_of(schedule))
    fmt::print("  lower bound    {} steps ({})\n", bound->steps, bound->reason);
  return 0;
}

namespace {

void refuse_tdm_options(const ReplayOptions& options) {
  const auto refuse_if = [](bool given, const char* option) {
    if (given) throw std::invalid_argument(fmt::format("{}: expected no --node pifo beside it", option));
  };
  const ReplayRequest absent;
  refuse_if(options.request.buffers != absent.buffers, "--buffers");
  refuse_if(options.request.program_depth != absent.program_depth, "--program-depth");
  refuse_if(options.request.feed_interval != absent.feed_interval, "--feed-interval");
}

int replay_on_pifo(const ReadSchedule& file, const std::string& path, const ReplayOptions& options,
                   VariantStore& store) {
  const Schedule& schedule = file.schedule;
  if (options.force) throw std::invalid_argument("--force: expected no --node pifo beside it");
  refuse_tdm_options(options);
  const Policy policy = policy_of_schedule(schedule);
  RunRequest request(problem_of(schedule));
  request.flits = options.flits == 0 ? 1 : static_cast<int>(options.flits);
  request.link_latency = static_cast<int>(options.link_latency);
  request.threads = options.request.threads;
  request.wave = options.request.wave;
  request.whole_network = options.request.whole_network;
  request.keep_trace = !options.trace.empty();
  Algorithm algorithm{.name = schedule.algorithm,
                      .collective = request.problem.collective,
                      .source = "read from a file",
                      .description = "",
                      .domain = "",
                      .why_not = {},
                      .policy = {},
                      .closed_form = {}};
  const std::uint64_t planned = steps_of(schedule);
  algorithm.closed_form = [planned](const Problem&) { return std::optional<std::uint64_t>(planned); };
  const RunResult result = run_policy(request, algorithm, policy, store);
  if (!options.trace.empty()) write_any_schedule(schedule_of_run(request, result), options.trace);
  if (!options.request.wave.path.empty())
    result.hardware.kind->write_wave_view(options.request.wave.path, schedule.network, result.hardware,
                                          request.wave.nodes);
  if (options.json) {
    Json json;
    json["file"] = printable(path);
    json["planned_steps"] = planned;
    json.update(to_json(request, result));
    json["remarks"] = file.remarks;
    fmt::print("{}\n", json.dump());
    return result.exit_code();
  }
  fmt::print("{}\n", title(schedule));
  for (const std::string& remark : file.remarks) fmt::print("  read           {}\n", remark);
  fmt::print("  node           pifo: labels are packets, ranks the planned steps\n");
  fmt::print("  steps          {} ({} cycles, {} per slot), planned {}\n", result.steps, result.cycles,
             result.parameters.slot_cycles, planned);
  fmt::print("  packets        {} of {} delivered, {} lost, {} duplicated, {} transmissions\n",
             result.delivered, result.expected_deliveries, result.lost, result.duplicated,
             result.transmissions);
  fmt::print("  queues         peak {} packets ({} in transit)\n", result.peak_queue,
             result.peak_transit_queue);
  fmt::print("  time           {:.2f} s build, {:.2f} s run\n", result.build_seconds, result.run_seconds);
  for (const std::string& line : result.problems) fmt::print("  problem: {}\n", line);
  for (const std::string& line : result.waits) fmt::print("  stuck: {}\n", line);
  return result.exit_code();
}

}  // namespace

int replay_command(const ScheduleSource& source, ReplayOptions options, VariantStore& store) {
  ReadSchedule file = read(source);
  Schedule& schedule = file.schedule;
  if (!options.wave_nodes.empty())
    options.request.wave.nodes = parse_wave_nodes(options.wave_nodes, schedule.network);
  if (!options.wave_cycles.empty()) parse_wave_cycles(options.wave_cycles, options.request.wave);
  const ScheduleReport report = check_schedule(schedule, 3);
  if (!report.valid() && !options.force) {
    fmt::print("{}\n", title(schedule));
    print_violations(report);
    fmt::print("  not run        --force runs it all the same\n");
    return 1;
  }
  if (options.pifo) return replay_on_pifo(file, source.path, options, store);
  if (options.flits != 0) schedule = in_lockstep(std::move(schedule), options.flits, options.link_latency);

  ProgressLine line;
  const TdmProgram program = compile_program(schedule);
  const TdmParameters parameters = replay_parameters(schedule, program, options.request);
  if (options.request.whole_network || !store.is_built(tdm_hardware(parameters)))
    line.show("building the hardware for these parameters (once)...", true);
  options.request.on_progress = [&](std::uint64_t done, std::uint64_t all, std::uint32_t cycle) {
    line.show(fmt::format("cycle {}: {} of {} delivered", cycle, done, all));
  };
  options.request.keep_trace = !options.trace.empty();
  const ReplayResult result = replay(schedule, program, options.request, store);
  const int exit_code = report.valid() ? result.exit_code() : std::max(1, result.exit_code());
  line.clear();
  if (!options.trace.empty()) write_any_schedule(schedule_of_replay(schedule, result.trace), options.trace);
  if (!options.request.wave.path.empty())
    result.hardware.kind->write_wave_view(options.request.wave.path, schedule.network, result.hardware,
                                          options.request.wave.nodes);
  if (options.json) {
    Json json;
    json["file"] = printable(source.path);
    json["topology"] = printable(schedule.network.spelling());
    json["nodes"] = schedule.network.node_count();
    json["collective"] = printable(schedule.collective);
    json["ports"] = to_string(schedule.ports);
    json["valid"] = report.valid();
    json["violations"] = violations_json(report);
    json["planned_steps"] = result.planned_steps;
    json["planned_cycles"] = result.planned_cycles;
    json["steps"] = result.steps;
    json["cycles"] = result.cycles;
    json["slot_cycles"] = result.parameters.slot_cycles;
    json["sends"] = schedule.sends.size();
    json["transmissions"] = result.transmissions;
    json["on_time"] = result.on_time;
    json["late"] = result.late;
    json["delivered"] = result.delivered;
    json["expected_deliveries"] = result.expected_deliveries;
    json["lost"] = result.lost;
    json["duplicated"] = result.duplicated;
    json["peak_buffers"] = result.peak_buffers;
    json["peak_packets"] = result.peak_packets;
    json["measured_buffers"] = result.measured_buffers;
    json["buffers"] = result.parameters.buffers;
    if (const auto bound = bound_of(schedule)) {
      json["lower_bound"] = bound->steps;
      json["lower_bound_reason"] = bound->reason;
    }
    json["stuck"] = result.stuck;
    json["build_seconds"] = result.build_seconds;
    json["run_seconds"] = result.run_seconds;
    json["problems"] = result.problems;
    json["waits"] = result.waits;
    json["remarks"] = file.remarks;
    fmt::print("{}\n", json.dump());
    return exit_code;
  }
  fmt::print("{}\n", title(schedule));
  for (const std::string& remark : file.remarks) fmt::print("  read           {}\n", remark);
  print_violations(report);
  fmt::print("  steps          {} ({} cycles, {} per slot), planned {} ({} cycles)\n", result.steps,
             result.cycles, result.parameters.slot_cycles, result.planned_steps, result.planned_cycles);
  if (const auto bound = bound_of(schedule))
    fmt::print("  lower bound    {} steps ({})\n", bound->steps, bound->reason);
  fmt::print("  sends          {} of {} in the very cycle of the plan, {} late\n", result.on_time,
             schedule.sends.size(), result.late);
  fmt::print("  packets        {} of {} delivered, {} lost, {} duplicated\n", result.delivered,
             result.expected_deliveries, result.lost, result.duplicated);
  fmt::print("  buffers        {} a node built, {} planned, {} in use at most\n", result.parameters.buffers,
             result.peak_buffers, result.measured_buffers);
  fmt::print("  time           {:.2f} s build, {:.2f} s run\n", result.build_seconds, result.run_seconds);
  for (const std::string& problem : result.problems) fmt::print("  problem: {}\n", problem);
  for (const std::string& wait : result.waits) fmt::print("  stuck: {}\n", wait);
  if (exit_code == 0) fmt::print("  as planned, to the cycle\n");
  return exit_code;
}

int convert_command(const ScheduleSource& source, const std::string& output) {
  const ReadSchedule file = read(source);
  write_any_schedule(file.schedule, output);
  for (const std::string& remark : file.remarks) fmt::print("read     {}\n", remark);
  fmt::print("written  {}: {} packets, {} sends\n", one_line(output), file.schedule.packets.size(),
             file.schedule.sends.size());
  return 0;
}

}  // namespace safnet
