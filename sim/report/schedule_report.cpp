#include "sim/report/schedule_report.hpp"

#include <algorithm>
#include <stdexcept>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/schedule/forwarding.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "sim/report/run_report.hpp"

namespace safnet {
std::uint32_t shortest_packet(const Schedule& schedule) {
  std::uint32_t flits = schedule.packets.longest();
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
    flits = std::min(flits, schedule.packets.flits(p));
  return flits;
}

std::optional<LowerBound> bound_of(const Schedule& schedule) {
  if (schedule.collective.empty()) return std::nullopt;
  try {
    const bool in_steps = schedule.slot_cycles == schedule.packets.longest() + schedule.link_latency;
    const Problem problem = problem_solved_by(schedule);
    if (schedule.network.has_unequal_links()) {
      if (schedule.slot_cycles != 1 || schedule.packets.size() == 0) return std::nullopt;
      // A file may say any numbers; the search for a bound counts cycles.
      constexpr std::uint64_t kMostCycles = 1 << 20;
      const Graph& network = schedule.network;
      if (std::uint64_t{schedule.packets.longest()} * network.most_cycles_per_flit() + schedule.link_latency +
              network.largest_own_latency() >
          kMostCycles)
        return std::nullopt;
      return lower_bound_in_cycles(problem, shortest_packet(schedule), schedule.link_latency);
    }
    LowerBound bound = in_steps ? tightest_bound(problem, steps_of(schedule)) : lower_bound(problem);
    if (schedule.slot_cycles == 1)
      bound.steps *= shortest_packet(schedule);  // a packet keeps a link busy for so many cycles
    return bound;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

namespace {

std::string title(const Schedule& schedule) {
  return fmt::format("{} on {}, {}{}",
                     schedule.collective.empty() ? "schedule" : one_line(schedule.collective),
                     in_words(schedule.network), in_words(schedule.ports),
                     schedule.algorithm.empty() ? "" : ", " + one_line(schedule.algorithm));
}

TextReport headed(const CheckedSchedule& checked) {
  TextReport text(title(checked.file.schedule));
  add_known(text, checked.file.schedule.network);
  text.lines("read", checked.file.remarks);
  return text;
}

Json head_json(const CheckedSchedule& checked) {
  const Schedule& schedule = checked.file.schedule;
  Json json{{"file", printable(checked.path)},        {"topology", printable(schedule.network.spelling())},
            {"nodes", schedule.network.node_count()}, {"collective", printable(schedule.collective)},
            {"ports", to_string(schedule.ports)},     {"valid", checked.report.valid()}};
  add_known(json, schedule.network);
  return json;
}

// The figures of a valid schedule, and the buffers that it needs.
struct Figures {
  ScheduleMetrics metrics;
  std::uint32_t longest_forwarding;
  std::uint32_t peak_buffers = 0, peak_packets = 0;
  std::string not_for_tdm;  // why no tdm_node can run it; empty: it can

  explicit Figures(const Schedule& schedule)
      : metrics(measure(schedule)), longest_forwarding(Forwarding(schedule).longest()) {
    try {
      const TdmProgram program = compile_program(schedule);
      peak_buffers = program.peak_buffers;
      peak_packets = program.peak_packets;
    } catch (const std::invalid_argument& error) {
      not_for_tdm = error.what();
    }
  }
  std::string utilisation() const {
    return fmt::format("{}/{}", metrics.utilisation.numerator(), metrics.utilisation.denominator());
  }
};

void add_figures(Json& json, const Schedule& schedule) {
  const Figures figures(schedule);
  ADD_MEMBERS(json, figures.metrics, steps, cycles);
  ADD_MEMBERS(json, schedule, slot_cycles, link_latency);
  json["flits"] = schedule.packets.longest();
  ADD_MEMBERS(json, figures.metrics, packets, destinations, sends, most_hops, links_used, busiest_link_flits);
  json["utilisation"] = figures.utilisation();
  json["longest_forwarding"] = figures.longest_forwarding;
  ADD_MEMBERS(json, figures, peak_buffers, peak_packets);
  if (!figures.not_for_tdm.empty())
    json.update({{"peak_buffers", nullptr}, {"peak_packets", nullptr}, {"not_for_tdm", figures.not_for_tdm}});
}

void add_figures(TextReport& text, const Schedule& schedule, const Figures& figures) {
  const ScheduleMetrics& m = figures.metrics;
  text.line("steps", "{} ({} cycles, {} per slot)", m.steps, m.cycles, schedule.slot_cycles);
  text.line("packets", "{}, {} destinations, {} sends, at most {} hops", m.packets, m.destinations, m.sends,
            m.most_hops);
  text.line("forwarding", "over {} in a row at most", counted(figures.longest_forwarding, "link"));
  text.line("links", "{} of {} used, {} flits on the busiest, utilisation {}", m.links_used, m.links,
            m.busiest_link_flits, figures.utilisation());
  if (figures.not_for_tdm.empty()) {
    text.line("buffers", "{} a node at most, for {} packets at once", figures.peak_buffers,
              figures.peak_packets);
  } else {
    text.line("buffers", "no tdm_node can run it: {}", figures.not_for_tdm);
  }
}

// Flits that are to cross links, a flit as often as it does.
std::uint64_t planned_flit_hops(const Schedule& schedule) {
  std::uint64_t flits = 0;
  for (const Send& send : schedule.sends) flits += schedule.packets.flits(send.packet);
  return flits;
}

Json violations_json(const ScheduleReport& report) {
  return json_array(report.violations, [](const ScheduleViolation& violation) {
    return Json{{"rule", to_string(violation.rule)}, {"text", violation.text}};
  });
}

// Adds nothing if there are none.
void add_violations(TextReport& text, const ScheduleReport& report) {
  if (report.valid()) return;
  text.line("valid", "no, {}", counted(report.count, "violation"));
  for (const ScheduleViolation& violation : report.violations) text.sentence(violation.text);
}

void add_bound(Json& json, const Schedule& schedule) {
  if (const auto bound = bound_of(schedule)) add_bound(json, *bound);
}
void add_bound(TextReport& text, const Schedule& schedule) {
  if (const auto bound = bound_of(schedule))
    text.line("lower bound", "{} steps ({})", bound->steps, bound->reason);
}

}  // namespace

Json to_json(const PlannedSchedule& planned) {
  const Algorithm& algorithm = *planned.choice.algorithm;
  Json json{{"topology", printable(planned.problem.graph.spelling())},
            {"nodes", planned.problem.graph.node_count()},
            {"collective", planned.schedule.collective},
            {"ports", to_string(planned.problem.ports)},
            {"algorithm", algorithm.name},
            {"source", algorithm.source},
            {"choice", planned.choice.reason}};
  add_known(json, planned.problem.graph);
  add_figures(json, planned.schedule);
  add_bound(json, planned.bound);
  add_whole(json, planned.whole);
  json.update({{"valid", planned.report.valid()}, {"violations", violations_json(planned.report)}});
  ADD_MEMBERS(json, planned, plan_seconds, check_seconds);
  return json;
}

std::string to_text(const PlannedSchedule& planned) {
  const Algorithm& algorithm = *planned.choice.algorithm;
  TextReport text(fmt::format("{} [{}]", title(planned.schedule), algorithm.source));
  add_known(text, planned.problem.graph);
  if (!planned.choice.reason.empty()) text.line("chosen", "{}: {}", algorithm.name, planned.choice.reason);
  const Figures figures(planned.schedule);
  add_figures(text, planned.schedule, figures);
  const std::uint64_t steps = figures.metrics.steps, bound = planned.bound.steps;
  text.line("lower bound", "{} steps ({}): {}", bound, planned.bound.reason,
            steps == bound ? "optimal" : fmt::format("{} more", steps - std::min(steps, bound)));
  add_whole(text, planned.whole);
  if (planned.report.valid()) text.line("valid", "yes");
  add_violations(text, planned.report);
  text.line("time", "{:.2f} s planned, {:.2f} s checked", planned.plan_seconds, planned.check_seconds);
  if (!planned.written_to.empty()) text.line("written", "{}", one_line(planned.written_to));
  return text.text();
}

Json to_json(const CheckedSchedule& checked) {
  Json json = head_json(checked);
  json.update({{"violation_count", checked.report.count}, {"violations", violations_json(checked.report)}});
  if (checked.report.valid()) {
    add_figures(json, checked.file.schedule);
    add_bound(json, checked.file.schedule);
  }
  json["remarks"] = checked.file.remarks;
  return json;
}

std::string to_text(const CheckedSchedule& checked) {
  TextReport text = headed(checked);
  add_violations(text, checked.report);
  if (checked.report.valid()) {
    text.line("valid", "yes");
    add_figures(text, checked.file.schedule, Figures(checked.file.schedule));
    add_bound(text, checked.file.schedule);
  }
  return text.text();
}

Json to_json(const CheckedSchedule& checked, const ReplayResult& r) {
  Json json = head_json(checked);
  json["violations"] = violations_json(checked.report);
  json["model"] = to_string(r.model);
  ADD_MEMBERS(json, r, planned_steps, planned_cycles, steps, cycles);
  ADD_MEMBERS(json, r.parameters, slot_cycles);
  json["sends"] = checked.file.schedule.sends.size();
  ADD_MEMBERS(json, r, transmissions, on_time, late, first_late, delivered, expected_deliveries, lost,
              duplicated, peak_buffers, peak_packets, measured_buffers);
  ADD_MEMBERS(json, r.parameters, buffers);
  json["flit_hops"] = planned_flit_hops(checked.file.schedule);
  if (r.fitted) json["hardware"] = hardware_json(r.hardware, checked.file.schedule.network);
  add_bound(json, checked.file.schedule);
  ADD_MEMBERS(json, r, stuck, build_seconds, run_seconds, problems, waits);
  ADD_MEMBERS(json, checked.file, remarks);
  return json;
}

std::string to_text(const CheckedSchedule& checked, const ReplayResult& r) {
  const Schedule& schedule = checked.file.schedule;
  TextReport text = headed(checked);
  add_violations(text, checked.report);
  add_model(text, r.model);
  text.line("steps", "{} ({} cycles, {} per slot), planned {} ({} cycles)", r.steps, r.cycles,
            r.parameters.slot_cycles, r.planned_steps, r.planned_cycles);
  add_bound(text, schedule);
  text.line("sends", "{} of {} in the very cycle of the plan, {} late", r.on_time, schedule.sends.size(),
            r.late);
  text.line("packets", "{}", deliveries_in_words(r));
  if (r.model == NetworkModel::kRtl)
    text.line("buffers", "{} a node built, {} planned, {} in use at most", r.parameters.buffers,
              r.peak_buffers, r.measured_buffers);
  else
    text.line("buffers", "one for each packet, {} of a node in use at most", r.measured_buffers);
  text.outcome(r);
  if (checked.report.valid() && r.exit_code() == 0) text.sentence("as planned, to the cycle");
  return text.text();
}

Json to_json(const CheckedSchedule& checked, const RunRequest& request, const RunResult& result) {
  Json json{{"file", printable(checked.path)}, {"planned_steps", *result.closed_form}};
  json.update(to_json(request, result));
  json["remarks"] = checked.file.remarks;
  return json;
}

std::string to_text(const CheckedSchedule& checked, const RunRequest& request, const RunResult& r) {
  TextReport text = headed(checked);
  text.line("node", "{}: labels are packets, {}", one_line(request.router->name),
            request.router->follows_orders ? "ranks the planned steps"
                                           : "which leave in order of arrival, not of the plan");
  add_model(text, request.model);
  text.line("steps", "{} ({} cycles, {} per slot), planned {}", r.steps, r.cycles, r.parameters.slot_cycles,
            *r.closed_form);
  text.line("packets", "{}, {} transmissions", deliveries_in_words(r), r.transmissions);
  text.line("queues", "peak {} packets ({} in transit)", r.peak_queue, r.peak_transit_queue);
  text.outcome(r);
  return text.text();
}

}  // namespace safnet
