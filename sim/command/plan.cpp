// plan - `safnet plan`: work out a schedule, check it, write it to a file.
#include <memory>
#include <optional>
#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "sim/command/certificate_option.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

struct PlanOptions {
  CollectiveOptions uses;
  ProblemOptions problem;
  std::string algorithm = "auto", slot = "lockstep", operation = "sum", output;
  std::uint32_t flits = 1, link_latency = 0;
  std::optional<std::uint32_t> seconds, forwarding;
  bool reverse = false, json = false;
  CertificateOption certificate;
};

Choice choose(const Problem& problem, const std::string& algorithm,
              const std::optional<std::uint32_t>& seconds, const std::optional<std::uint32_t>& forwarding) {
  const bool is_auto = algorithm.empty() || algorithm == "auto";
  const std::uint32_t allowed = plan_seconds(seconds, is_auto, forwarding.has_value());
  if (is_auto && forwarding) return choose_within_forwarding(problem, ChosenFor::kPlans, *forwarding);
  if (is_auto) return choose_algorithm(problem, true, allowed);
  if (algorithm == kMessagesInTurn) return choose_in_turn(problem);
  Choice choice;
  choice.algorithm = &find_planner(problem, algorithm);
  return choice;
}

// A plan as it was asked for.
struct Work {
  Choice choice;
  Schedule schedule;
  Problem split;            // into the pieces of the algorithm
  std::uint32_t flits = 1;  // of a piece
  LowerBound bound;
  double seconds = 0;
};

Work work_out(const PlanOptions& options, const Problem& problem) {
  require_memory_of_plan(problem);
  const bool lockstep = options.slot == "lockstep";
  const Stopwatch begin;
  Choice choice = choose(problem, options.algorithm, options.seconds, options.forwarding);
  Schedule schedule = choice.plan ? std::move(*choice.plan) : plan_of(*choice.algorithm, problem);
  if (options.forwarding) require_forwarding(schedule, choice.algorithm->name, *options.forwarding);
  schedule.operation = parse_operation(options.operation);
  const double seconds = begin.seconds();
  Problem split = problem;
  if (choice.algorithm->pieces) split.pieces = choice.algorithm->pieces(problem);
  const std::uint32_t flits = (options.flits + split.pieces - 1) / split.pieces;
  LowerBound bound = choice.reason.empty() ? tightest_bound(split, steps_of(schedule)) : choice.bound;
  // Packets that take different times over different links have no common step.
  const bool differ = problem.graph.has_unequal_links() && (flits != 1 || options.link_latency != 0);
  if (differ) {
    bound = lower_bound_in_cycles(split, flits, options.link_latency);
  } else if (!lockstep) {
    bound.steps *= flits;  // a packet keeps a link busy for so many cycles
  }
  if (options.reverse) {
    schedule = reverse(schedule);
    schedule.operation = parse_operation(options.operation);
    schedule.algorithm = choice.algorithm->name;
  }
  schedule = lockstep && !differ ? in_lockstep(std::move(schedule), flits, options.link_latency)
                                 : free_running(std::move(schedule), flits, options.link_latency);
  return {std::move(choice), std::move(schedule), std::move(split), flits, std::move(bound), seconds};
}

// What the same takes if nothing is missing.
std::optional<WholeFigures> whole_figures(const PlanOptions& options, const Problem& problem) {
  const std::optional<Problem> whole = on_whole_network(problem);
  if (!whole) return std::nullopt;
  const Work work = work_out(options, *whole);
  return WholeFigures{whole->graph.spelling(), measure(work.schedule).steps, work.bound.steps};
}

int plan(const PlanOptions& options) {
  require_schedule_file("-o", options.output);
  options.certificate.check(options.slot == "lockstep");
  refuse_same_file("--certificate", options.certificate.path, "-o", options.output);
  refuse_unless(!options.reverse, "--certificate", options.certificate.path,
                "no --reverse beside it; plan the other collective instead");
  const CollectiveName& collective = options.problem.collective(kOnSchedules);
  options.uses.refuse_unused(collective);
  const Problem problem = options.problem.problem(collective);
  if (problem.collective == CollectiveKind::kMultipath)
    throw bad_input("multipath: expected another collective; no algorithm plans it, see safnet run");
  const auto [choice, schedule, split, flits, bound, plan_seconds] = work_out(options, problem);
  const Stopwatch check_begin;
  PlannedSchedule planned{problem, choice,       schedule, check_schedule(schedule, 5),
                          bound,   plan_seconds, 0,        options.output};
  planned.check_seconds = check_begin.seconds();
  planned.whole = whole_figures(options, problem);
  if (!options.output.empty()) write_any_schedule(schedule, options.output);
  print_report(options.json, planned);
  options.certificate.write(split, bound, flits, options.link_latency);
  return planned.report.valid() ? 0 : 1;
}

}  // namespace

Action declare_plan(CLI::App& command) {
  command.description("work out a schedule, check it, write it to a file");
  auto options = std::make_shared<PlanOptions>();
  options->problem.declare(command, options->uses);
  command.add_option(
      "--algorithm", options->algorithm,
      "see `safnet list algorithms`; auto: the best that applies; in-turn: with few packets in a "
      "node, message after message");
  declare_plan_seconds(command, options->seconds);
  declare_forwarding(command, options->forwarding);
  add_number(command, "--flits", options->flits, 1, kMostFlits, "flits in a packet");
  add_number(command, "--link-latency", options->link_latency, 0, kMostLatency, "cycles of a link");
  command.add_option("--slot", options->slot, "lockstep: a slot is a packet's time on a link; free: a cycle")
      ->check(CLI::IsMember({"lockstep", "free"}));
  command.add_flag("--reverse", options->reverse,
                   "backwards: a scatter becomes a gather, a broadcast a reduction");
  command.add_option("--operation", options->operation, "of a reduction: sum, min, max, and, or");
  command.add_option("-o", options->output, "FILE.json, .json.gz, .msccl.json or .xml");
  options->certificate.declare(command);
  declare_json(command, options->json);
  return [options] { return plan(*options); };
}

}  // namespace safnet
