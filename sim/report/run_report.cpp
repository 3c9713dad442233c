#include "sim/report/run_report.hpp"

#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxReportedLinks = 4096;  // a report is to be read

const char* model_name(NetworkModel model) { return model == NetworkModel::kRtl ? "rtl" : "systemc"; }

// Cycles that are published for a scan and the exchange after it, if any are.
std::optional<std::uint64_t> published_cycles(const RunRequest& request, const RunResult& result) {
  if (result.scan_cycles == 0 || !result.closed_form) return std::nullopt;
  return row_column_classes_bound_cycles(*square_side(request.problem.graph), request.problem.active.size(),
                                         static_cast<std::uint32_t>(result.parameters.slot_cycles),
                                         static_cast<std::uint32_t>(1 + request.link_latency));
}

// The queues that held a packet, by node and output port.
Json used_queues(const Graph& graph, const std::vector<QueuePeak>& peaks) {
  Json queues = Json::array();
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

Json to_json(const RunRequest& request, const RunResult& r) {
  const Problem& problem = request.problem;
  const PifoParameters& p = r.parameters;
  Json json = network_json(problem.graph);
  json.update({{"collective", to_string(problem.collective)}, {"algorithm", r.algorithm}});
  if (!r.choice.empty()) json["choice"] = r.choice;
  json.update({{"node", r.node == NodeChoice::kTdm ? to_string(r.node) : request.router->name},
               {"model", model_name(request.model)},
               {"ports", to_string(problem.ports)},
               {"root", problem.root},
               {"messages", problem.messages}});
  if (problem.collective == CollectiveKind::kMultipath) json["destination"] = destination_of(problem);
  json["flits"] = request.flits;
  if (r.pieces != 1) json.update({{"pieces", r.pieces}, {"piece_flits", p.flits}});
  json.update({{"link_latency", request.link_latency}, {"steps", r.steps}, {"cycles", r.cycles}});
  if (r.scan_cycles != 0) json["scan_cycles"] = r.scan_cycles;
  if (const auto cycles = published_cycles(request, r)) json["published_bound_cycles"] = *cycles;
  json.update({{"slot_cycles", p.slot_cycles},
               {"grant_cycles", p.grant_cycles},
               {"queue_depth", p.queue_depth},
               {"closed_form", or_null(r.closed_form)},
               {"lower_bound", r.lower_bound.steps},
               {"lower_bound_reason", r.lower_bound.reason},
               {"verdict", to_string(r.verdict)},
               {"transmissions", r.transmissions},
               {"delivered", r.delivered},
               {"expected_deliveries", r.expected_deliveries},
               {"lost", r.lost},
               {"duplicated", r.duplicated},
               {"peak_queue", r.peak_queue},
               {"peak_transit_queue", r.peak_transit_queue}});
  if (!r.queue_peaks.empty() && r.queue_peaks.size() <= kMaxReportedLinks)
    json["queue_peaks"] = used_queues(problem.graph, r.queue_peaks);
  if (r.node == NodeChoice::kTdm) {
    json.update(
        {{"peak_buffers", r.planned_buffers}, {"measured_buffers", r.measured_buffers}, {"late", r.late}});
  }
  json.update({{"delay_sum", r.delay_sum},
               {"mean_delay", ratio(r.delay_sum, r.delivered)},
               {"validated", r.validated},
               {"node_evaluations", r.node_evaluations},
               {"build_seconds", r.build_seconds},
               {"run_seconds", r.run_seconds},
               {"problems", r.problems},
               {"waits", r.waits}});
  return json;
}

std::string to_text(const RunRequest& request, const RunResult& r) {
  const Problem& problem = request.problem;
  const PifoParameters& p = r.parameters;
  TextReport text(fmt::format("{}{} on {}, {}, {} [{}]", to_string(problem.collective),
                              problem.messages == 1 ? "" : fmt::format(" of {} messages", problem.messages),
                              in_words(problem.graph), in_words(problem.ports), r.algorithm,
                              r.algorithm_source));
  if (!r.choice.empty()) text.line("chosen", "{}: {}", r.algorithm, r.choice);
  if (r.node == NodeChoice::kTdm) text.line("node", "tdm: every node obeys the timetable");
  if (r.node == NodeChoice::kRouter && !request.router->follows_orders) {
    text.line("node", "{}{}", one_line(request.router->name),
              r.order_ignored
                  ? ": packets leave in order of arrival, whatever ranks and orders the algorithm has"
                  : "");
  }
  if (request.model != NetworkModel::kRtl) text.line("model", "{}, not the RTL", model_name(request.model));
  text.line("steps", "{} ({} cycles, {} per slot{})", r.steps, r.cycles, p.slot_cycles,
            r.scan_cycles == 0 ? "" : fmt::format("; {} of them are a scan before the first", r.scan_cycles));
  if (r.pieces != 1)
    text.line("pieces", "{} of each packet, {} of {} flits", r.pieces, p.flits, request.flits);
  text.line("closed form", "{}", r.closed_form ? std::to_string(*r.closed_form) : "none");
  if (const auto cycles = published_cycles(request, r))
    text.line("published", "{} cycles at most, with p t_p for the scan", *cycles);
  text.line("lower bound", "{} ({})", r.lower_bound.steps, r.lower_bound.reason);
  text.line("verdict", "{}", to_string(r.verdict));
  text.line("packets", "{} of {} delivered, {} lost, {} duplicated, {} transmissions", r.delivered,
            r.expected_deliveries, r.lost, r.duplicated, r.transmissions);
  if (r.node == NodeChoice::kTdm) {
    text.line("buffers", "{} a node built, {} planned, {} in use at most; {} sends late", p.queue_depth,
              r.planned_buffers, r.measured_buffers, r.late);
  } else {
    text.line("queues", "peak {} packets ({} in transit), {} deep", r.peak_queue, r.peak_transit_queue,
              p.queue_depth);
  }
  text.line("mean delay", "{:.2f} steps", ratio(r.delay_sum, r.delivered));
  text.line("trace", "{}",
            !r.validated         ? "not replayed"
            : r.problems.empty() ? "replayed: causality and port limits hold"
                                 : "replayed");
  text.outcome(r);
  return text.text();
}

}  // namespace safnet
