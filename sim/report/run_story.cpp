#include "sim/report/run_story.hpp"

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "sim/report/run_report.hpp"

namespace safnet {
namespace {

// "12 steps (60 cycles)", or without the cycles where both are the same.
std::string steps_and_cycles(std::uint64_t steps, std::uint64_t cycles) {
  const std::string text = counted(steps, "step");
  return steps == cycles ? text : fmt::format("{} ({})", text, counted(cycles, "cycle"));
}

// What is wrong, for runs that did not end well.
std::string failure(const Account& account) {
  const std::string so_far =
      fmt::format("{} of {} packets had been delivered", account.delivered, account.expected_deliveries);
  if (account.stuck) return fmt::format("Stuck: nothing moves any more. {}.", so_far);
  return fmt::format("Failed: {}. {}.", counted(account.problems.size(), "check"), so_far);
}

RunStory::Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOptimal:
      return RunStory::Tone::kGood;
    case Verdict::kWorse:
    case Verdict::kFailed:
    case Verdict::kStuck:
      return RunStory::Tone::kBad;
    default:
      return RunStory::Tone::kPlain;
  }
}

void add_account(RunStory& story, const Account& account) {
  story.problems = account.problems;
  story.waits = account.waits;
}

// What came of nodes that find out by themselves who is active: two words and a sentence for runs that ended
// well.
void set_outcome(RunStory& story, const Account& account, const char* good, const std::string& headline) {
  const bool passed = account.exit_code() == 0;
  story.verdict = passed ? good : "failed";
  story.tone = passed ? RunStory::Tone::kGood : RunStory::Tone::kBad;
  story.headline = passed ? headline : failure(account);
  add_account(story, account);
}

std::string title_of(const Schedule& schedule) {
  return fmt::format("{} on {}, {}",
                     schedule.collective.empty() ? "A schedule" : one_line(schedule.collective),
                     one_line(schedule.network.spelling()), in_words(schedule.ports));
}

}  // namespace

RunStory story_of(const RunRequest& request, const RunResult& result) {
  const Problem& problem = request.problem;
  RunStory story;
  story.title = fmt::format("{} on {}, {}, by {}", to_string(problem.collective),
                            one_line(problem.graph.spelling()), in_words(problem.ports), result.algorithm);
  story.report = to_text(request, result);
  story.bound = result.lower_bound;
  // Where packets start in any cycle, steps are cycles, of which a packet takes as many as it has flits.
  if (const int flits = result.parameters.flits; result.parameters.slot_cycles == 1 && flits > 1)
    story.bound.witness.count += fmt::format(", {} cycles each", flits);
  story.verdict = to_string(result.verdict);
  story.tone = tone_of(result.verdict);
  add_account(story, result);
  if (result.exit_code() != 0) {
    story.headline = failure(result);
    return story;
  }
  story.headline =
      fmt::format("The hardware took {}; {} delivered and checked by payload. ",
                  steps_and_cycles(result.steps, result.cycles), counted(result.delivered, "packet"));
  if (result.closed_form)
    story.headline += fmt::format("The closed form of {} is {}. ", result.algorithm, *result.closed_form);
  story.headline += fmt::format("No algorithm can take fewer than {}.", result.lower_bound.steps);
  return story;
}

RunStory story_of(const CheckedSchedule& checked, const ReplayResult& result) {
  const Schedule& schedule = checked.file.schedule;
  RunStory story;
  story.title = title_of(schedule) + ", replayed";
  story.report = to_text(checked, result);
  if (const auto bound = bound_of(schedule)) story.bound = *bound;
  add_account(story, result);
  const bool as_planned = result.exit_code() == 0 && result.late == 0;
  story.verdict = result.stuck ? "stuck" : as_planned ? "as planned" : "not as planned";
  story.tone = as_planned ? RunStory::Tone::kGood : RunStory::Tone::kBad;
  story.headline =
      result.exit_code() != 0
          ? failure(result)
          : fmt::format("The hardware took {}; {} of {} sends began in the very cycle of the plan.",
                        steps_and_cycles(result.steps, result.cycles), result.on_time, schedule.sends.size());
  return story;
}

RunStory story_of(const TrafficStudy& study) {
  const TrafficStudy::Point& point = study.points.front();
  const TrafficResult& result = point.result;
  RunStory story;
  story.title = fmt::format("{} traffic on {}, {}", study.name, one_line(study.graph.spelling()),
                            in_words(study.routes.ports()));
  if (study.pattern) story.title += fmt::format(", {} flits per node and cycle", rate_in_words(point));
  story.report = to_text(study);
  add_account(story, result);
  story.verdict = result.exit_code() == 3   ? "stuck"
                  : result.exit_code() != 0 ? "failed"
                  : result.saturated        ? "saturated"
                                            : "carried";
  story.tone = result.exit_code() != 0 ? RunStory::Tone::kBad
               : result.saturated      ? RunStory::Tone::kPlain
                                       : RunStory::Tone::kGood;
  story.headline =
      result.exit_code() != 0
          ? failure(result)
          : fmt::format("{} in {}, {} of those in cycles {} to {}, whose mean latency is {:.1f} cycles.",
                        counted(result.generated, "packet"), counted(result.end_cycle, "cycle"),
                        result.measured, result.window.first, result.window.last,
                        ratio(result.latency.sum, result.latency.count));
  return story;
}

RunStory story_of(const SoftwareRequest& request, const PacketRoutes& routes, const SoftwareResult& result) {
  RunStory story;
  story.title = fmt::format("{} on {}, by software", to_string(request.collective),
                            one_line(routes.graph().spelling()));
  story.report = to_text(request, routes, result);
  set_outcome(
      story, result, "delivered",
      fmt::format("Hosts passed packets on to each other; the network carried each to one host. The last of "
                  "{} came in cycle {}.",
                  counted(result.delivered, "packet"), result.cycles));
  return story;
}

RunStory story_of(const ScanRequest& request, const ScanResult& result) {
  RunStory story;
  story.title =
      fmt::format("{} on {}, {} active", to_string(request.collective),
                  one_line(request.network.graph().spelling()), counted(request.active.size(), "node"));
  story.report = to_text(request, result);
  set_outcome(
      story, result, "as published",
      fmt::format("The nodes found out by themselves who is active. The hardware took {}, as the closed "
                  "form has it; {} delivered and checked by payload.",
                  counted(result.cycles, "cycle"), counted(result.delivered, "packet")));
  return story;
}

RunStory story_of(const DynamicBroadcastStudy& study) {
  const DynamicBroadcastStudy::Point& point = study.points.front();
  const DynamicBroadcastResult& result = point.result;
  RunStory story;
  story.title = fmt::format("dynamic broadcasting on {}, {} packets per node and slot",
                            one_line(point.request.network.graph().spelling()), rate_in_words(point));
  story.report = to_text(study);
  set_outcome(story, result, "all broadcast",
              fmt::format("{} arrived at random and were broadcast in {}; from arrival to the end of its "
                          "interval a packet took {:.1f} cycles in the mean.",
                          counted(result.arrived, "packet"), counted(result.intervals, "interval"),
                          ratio(result.delay.sum, std::uint64_t{result.delay.count} << kTickBits)));
  return story;
}

RunStory story_of(const CheckedSchedule& checked) {
  const Schedule& schedule = checked.file.schedule;
  RunStory story;
  story.title = title_of(schedule);
  story.report = to_text(checked);
  const bool valid = checked.report.valid();
  if (const auto bound = bound_of(schedule); bound && valid) story.bound = *bound;
  story.verdict = valid ? "valid" : "not valid";
  story.tone = valid ? RunStory::Tone::kGood : RunStory::Tone::kBad;
  for (const ScheduleViolation& violation : checked.report.violations)
    story.problems.push_back(violation.text);
  story.headline =
      fmt::format("A schedule of {} sends in {}, as it is in {}: nothing was run for this page.",
                  schedule.sends.size(), counted(steps_of(schedule), "step"), one_line(checked.path));
  return story;
}

}  // namespace safnet
