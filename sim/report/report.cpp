#include "sim/report/report.hpp"

#include <fmt/format.h>

#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

double mean_delay(const RunResult& result) {
  return result.delivered == 0
             ? 0.0
             : static_cast<double>(result.delay_sum) / static_cast<double>(result.delivered);
}

// Cycles that are published for a scan and the exchange after it, if any are.
std::optional<std::uint64_t> published_cycles(const RunRequest& request, const RunResult& result) {
  if (result.scan_cycles == 0 || !result.closed_form) return std::nullopt;
  return row_column_classes_bound_cycles(*square_side(request.problem.graph), request.problem.active.size(),
                                         static_cast<std::uint32_t>(result.parameters.slot_cycles),
                                         static_cast<std::uint32_t>(1 + request.link_latency));
}

constexpr std::size_t kMaxReportedLinks = 4096;  // a report is to be read

// The queues that held a packet, by node and output port.
nlohmann::ordered_json used_queues(const Graph& graph, const std::vector<QueuePeak>& peaks) {
  nlohmann::ordered_json queues = nlohmann::ordered_json::array();
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId port = 0; port < graph.degree(v); ++port) {
      const QueuePeak& peak = peaks[graph.link(v, port)];
      if (peak.stored == 0) continue;
      queues.push_back({{"node", v}, {"port", port}, {"stored", peak.stored}, {"waiting", peak.waiting}});
    }
  }
  return queues;
}

}  // namespace

std::string to_string(NetworkModel model) { return model == NetworkModel::kRtl ? "rtl" : "systemc"; }

nlohmann::ordered_json to_json(const RunRequest& request, const RunResult& result) {
  const Problem& problem = request.problem;
  const PifoParameters& p = result.parameters;
  nlohmann::ordered_json json;
  json["topology"] = printable(problem.graph.spelling());
  json["nodes"] = problem.graph.node_count();
  json["links"] = problem.graph.link_count();
  json["collective"] = to_string(problem.collective);
  json["algorithm"] = result.algorithm;
  if (!result.choice.empty()) json["choice"] = result.choice;
  json["node"] = to_string(result.node);
  json["model"] = to_string(request.model);
  json["ports"] = to_string(problem.ports);
  json["root"] = problem.root;
  json["messages"] = problem.messages;
  if (problem.collective == CollectiveKind::kMultipath) json["destination"] = destination_of(problem);
  json["flits"] = request.flits;
  if (result.pieces != 1) {
    json["pieces"] = result.pieces;
    json["piece_flits"] = p.flits;
  }
  json["link_latency"] = request.link_latency;
  json["steps"] = result.steps;
  json["cycles"] = result.cycles;
  if (result.scan_cycles != 0) json["scan_cycles"] = result.scan_cycles;
  if (const auto cycles = published_cycles(request, result)) json["published_bound_cycles"] = *cycles;
  json["slot_cycles"] = result.parameters.slot_cycles;
  json["grant_cycles"] = result.parameters.grant_cycles;
  json["queue_depth"] = result.parameters.queue_depth;
  if (result.closed_form) {
    json["closed_form"] = *result.closed_form;
  } else {
    json["closed_form"] = nullptr;
  }
  json["lower_bound"] = result.lower_bound.steps;
  json["lower_bound_reason"] = result.lower_bound.reason;
  json["verdict"] = to_string(result.verdict);
  json["transmissions"] = result.transmissions;
  json["delivered"] = result.delivered;
  json["expected_deliveries"] = result.expected_deliveries;
  json["lost"] = result.lost;
  json["duplicated"] = result.duplicated;
  json["peak_queue"] = result.peak_queue;
  json["peak_transit_queue"] = result.peak_transit_queue;
  if (!result.queue_peaks.empty() && result.queue_peaks.size() <= kMaxReportedLinks)
    json["queue_peaks"] = used_queues(problem.graph, result.queue_peaks);
  if (result.node == NodeChoice::kTdm) {
    json["peak_buffers"] = result.planned_buffers;
    json["measured_buffers"] = result.measured_buffers;
    json["late"] = result.late;
  }
  json["delay_sum"] = result.delay_sum;
  json["mean_delay"] = mean_delay(result);
  json["validated"] = result.validated;
  json["node_evaluations"] = result.node_evaluations;
  json["build_seconds"] = result.build_seconds;
  json["run_seconds"] = result.run_seconds;
  json["problems"] = result.problems;
  json["waits"] = result.waits;
  return json;
}

std::string to_text(const RunRequest& request, const RunResult& result) {
  const Problem& problem = request.problem;
  const PifoParameters& p = result.parameters;
  std::string text =
      fmt::format("{}{} on {} ({} nodes, {} links), {}, {} [{}]\n", to_string(problem.collective),
                  problem.messages == 1 ? "" : fmt::format(" of {} messages", problem.messages),
                  one_line(problem.graph.spelling()), problem.graph.node_count(), problem.graph.link_count(),
                  in_words(problem.ports), result.algorithm, result.algorithm_source);
  if (!result.choice.empty())
    text += fmt::format("  chosen         {}: {}\n", result.algorithm, result.choice);
  if (result.node == NodeChoice::kTdm) text += "  node           tdm: every node obeys the timetable\n";
  if (request.model != NetworkModel::kRtl) {
    text += fmt::format("  model          {}, not the RTL\n", to_string(request.model));
  }
  text += fmt::format(
      "  steps          {} ({} cycles, {} per slot{})\n", result.steps, result.cycles, p.slot_cycles,
      result.scan_cycles == 0 ? ""
                              : fmt::format("; {} of them are a scan before the first", result.scan_cycles));
  if (result.pieces != 1) {
    text += fmt::format("  pieces         {} of each packet, {} of {} flits\n", result.pieces, p.flits,
                        request.flits);
  }
  text +=
      fmt::format("  closed form    {}\n", result.closed_form ? std::to_string(*result.closed_form) : "none");
  if (const auto cycles = published_cycles(request, result))
    text += fmt::format("  published      {} cycles at most, with p t_p for the scan\n", *cycles);
  text += fmt::format("  lower bound    {} ({})\n", result.lower_bound.steps, result.lower_bound.reason);
  text += fmt::format("  verdict        {}\n", to_string(result.verdict));
  text += fmt::format("  packets        {} of {} delivered, {} lost, {} duplicated, {} transmissions\n",
                      result.delivered, result.expected_deliveries, result.lost, result.duplicated,
                      result.transmissions);
  text +=
      result.node == NodeChoice::kTdm
          ? fmt::format("  buffers        {} a node built, {} planned, {} in use at most; {} sends late\n",
                        p.queue_depth, result.planned_buffers, result.measured_buffers, result.late)
          : fmt::format("  queues         peak {} packets ({} in transit), {} deep\n", result.peak_queue,
                        result.peak_transit_queue, p.queue_depth);
  text += fmt::format("  mean delay     {:.2f} steps\n", mean_delay(result));
  text += fmt::format("  trace          {}\n", !result.validated ? "not replayed"
                                               : result.problems.empty()
                                                   ? "replayed: causality and port limits hold"
                                                   : "replayed");
  text += fmt::format("  time           {:.2f} s build, {:.2f} s run\n", result.build_seconds,
                      result.run_seconds);
  for (const std::string& problem_line : result.problems) text += "  problem: " + problem_line + "\n";
  for (const std::string& wait : result.waits) text += "  stuck: " + wait + "\n";
  return text;
}

}  // namespace safnet
