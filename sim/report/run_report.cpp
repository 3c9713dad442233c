#include "sim/report/run_report.hpp"

#include <array>

#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxReportedLinks = 4096;  // with more links, a report leaves out its queue peaks

// Nobody asked for the window that the run had: a first run without one got stuck.
bool stuck_without_window(const RunRequest& request, const RunResult& result) {
  return result.window != 0 && request.window == 0;
}

// The published bound on the cycles of a scan and the exchange after it, if there is one.
std::optional<std::uint64_t> published_cycles(const RunRequest& request, const RunResult& result) {
  if (result.scan_cycles == 0 || !result.closed_form) return std::nullopt;
  const std::optional<NodeId> side = square_side(as_known(request.problem.graph));
  if (!side) return std::nullopt;
  return row_column_classes_bound_cycles(*side, request.problem.active.size(),
                                         static_cast<std::uint32_t>(result.parameters.slot_cycles),
                                         static_cast<std::uint32_t>(1 + request.link_latency));
}

// The queues that held a packet, by node and output port.
Json used_queues(const Graph& graph, const std::vector<QueuePeak>& peaks) {
  Json queues = Json::array();
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const auto& [stored, waiting] = peaks[link];
    if (stored == 0) continue;
    queues.push_back({{"node", graph.link_source(link)},
                      {"port", graph.link_port(link)},
                      {"stored", stored},
                      {"waiting", waiting}});
  }
  return queues;
}

// A bound of the papers, in slots of as many cycles as a packet has payload flits. It leaves out headers, and
// the rounding of parts to whole flits.
struct PublishedBound {
  Rational slots;
  std::string where;
};

// Nothing if the papers promise nothing.
std::optional<PublishedBound> published_bound(const ScanRequest& request) {
  const DigitShape& shape = request.network.shape();
  const std::uint64_t active = request.active.size();
  const Rational prefix_step(1, request.flits);
  if (request.collective != CollectiveKind::kPartialMultinodeBroadcast || request.known_ranks ||
      active == 0 || (request.single_class ? shape.ring && !request.split : shape.folded && request.split))
    return std::nullopt;
  if (request.single_class)
    return PublishedBound{mesh_single_class_bound(shape, active, prefix_step), "meshes, Lemma 2"};
  if (shape.folded) return PublishedBound{folded_whole_bound(shape, active, prefix_step), "folded cubes (4)"};
  if (request.split)
    return PublishedBound{mesh_split_bound(shape, active, prefix_step),
                          shape.ring ? "meshes (7)" : "meshes (8)"};
  return PublishedBound{mesh_whole_bound(shape, active, prefix_step), "meshes, section 3.2"};
}

// How packets travel, in words.
std::string manner(const ScanRequest& request, const ScanResult& result) {
  const ScanSettings& s = result.settings;
  const bool one_class = request.collective == CollectiveKind::kScan || s.class_count == 1;
  const bool halves = request.collective != CollectiveKind::kScan && s.two_pieces;
  std::string text = one_class   ? halves ? "one class, halves" : "one class"
                     : s.classed ? fmt::format("whole packets in {} classes", s.class_count)
                                 : fmt::format("packets split over {} classes{}", s.class_count,
                                               halves ? ", in halves" : "");
  if (s.alternate) text += ", alternating";
  if (s.pass_on_first) text += ", pass on first";
  if (s.known) text += ", known ranks";
  return text;
}

const char* verdict(const ScanResult& result) { return result.problems.empty() ? "as-published" : "failed"; }

}  // namespace

void add_model(TextReport& text, NetworkModel model) {
  if (model != NetworkModel::kRtl) text.line("model", "{}, not the RTL", to_string(model));
}

Json to_json(const RunRequest& request, const RunResult& r, const std::optional<WholeFigures>& whole) {
  const Problem& problem = request.problem;
  const PifoParameters& p = r.parameters;
  Json json = network_json(problem.graph);
  json.update({{"collective", to_string(problem.collective)}, {"algorithm", r.algorithm}});
  if (!r.choice.empty()) json["choice"] = r.choice;
  json.update({{"node", r.node == NodeChoice::kTdm ? to_string(r.node) : request.router->name},
               {"model", to_string(request.model)},
               {"ports", to_string(problem.ports)}});
  ADD_MEMBERS(json, problem, root, messages);
  if (problem.collective == CollectiveKind::kMultipath) json["destination"] = destination_of(problem);
  ADD_MEMBERS(json, request, flits);
  if (r.pieces != 1) json.update({{"pieces", r.pieces}, {"piece_flits", p.flits}});
  ADD_MEMBERS(json, request, link_latency);
  ADD_MEMBERS(json, r, steps, cycles);
  if (r.scan_cycles != 0) json["scan_cycles"] = r.scan_cycles;
  if (const auto cycles = published_cycles(request, r)) json["published_bound_cycles"] = *cycles;
  ADD_MEMBERS(json, p, slot_cycles, grant_cycles, queue_depth);
  json["closed_form"] = or_null(r.closed_form);
  add_bound(json, r.lower_bound);
  add_whole(json, whole);
  json["verdict"] = to_string(r.verdict);
  ADD_MEMBERS(json, r, transmissions, delivered, expected_deliveries, lost, duplicated, peak_queue,
              peak_transit_queue);
  if (!r.queue_peaks.empty() && r.queue_peaks.size() <= kMaxReportedLinks)
    json["queue_peaks"] = used_queues(problem.graph, r.queue_peaks);
  if (r.node == NodeChoice::kTdm) {
    json["peak_buffers"] = r.planned_buffers;
    ADD_MEMBERS(json, r, measured_buffers, late, first_late);
  }
  if (request.hosts == HostStart::kEmpty)
    json.update({{"hosts", "empty"}, {"inject_ports", p.inject_ports}, {"host_depth", p.host_depth}});
  if (r.host_waiting != 0) ADD_MEMBERS(json, r, host_waiting);
  if (r.window != 0) {
    ADD_MEMBERS(json, r, window);
    json["stuck_without_window"] = stuck_without_window(request, r);
  }
  ADD_MEMBERS(json, r, delay_sum);
  json["mean_delay"] = ratio(r.delay_sum, r.delivered);
  if (request.fitted) json["hardware"] = hardware_json(r.hardware, problem.graph);
  ADD_MEMBERS(json, r, validated, node_evaluations, build_seconds, run_seconds, problems, waits);
  return json;
}

std::string to_text(const RunRequest& request, const RunResult& r, const std::optional<WholeFigures>& whole) {
  const Problem& problem = request.problem;
  const PifoParameters& p = r.parameters;
  TextReport text(fmt::format("{}{} on {}, {}, {} [{}]", to_string(problem.collective),
                              problem.messages == 1 ? "" : fmt::format(" of {} messages", problem.messages),
                              in_words(problem.graph), in_words(problem.ports), r.algorithm,
                              r.algorithm_source));
  add_known(text, problem.graph);
  if (!r.choice.empty()) text.line("chosen", "{}: {}", r.algorithm, r.choice);
  if (r.node == NodeChoice::kTdm) text.line("node", "tdm: every node obeys the timetable");
  if (r.node == NodeChoice::kRouter && !request.router->follows_orders) {
    text.line("node", "{}{}", one_line(request.router->name),
              r.order_ignored
                  ? ": packets leave in order of arrival, whatever ranks and orders the algorithm has"
                  : "");
  }
  add_model(text, request.model);
  text.line("steps", "{} ({} cycles, {} per slot{})", r.steps, r.cycles, p.slot_cycles,
            r.scan_cycles == 0 ? "" : fmt::format("; {} of them are a scan before the first", r.scan_cycles));
  if (r.pieces != 1)
    text.line("pieces", "{} of each packet, {} of {} flits", r.pieces, p.flits, request.flits);
  text.line("closed form", "{}", r.closed_form ? std::to_string(*r.closed_form) : "none");
  if (const auto cycles = published_cycles(request, r))
    text.line("published", "{} cycles at most, with p t_p for the scan", *cycles);
  text.line("lower bound", "{} ({})", r.lower_bound.steps, r.lower_bound.reason);
  add_whole(text, whole);
  text.line("verdict", "{}", to_string(r.verdict));
  text.line("packets", "{}, {} transmissions", deliveries_in_words(r), r.transmissions);
  if (r.node == NodeChoice::kTdm) {
    text.line("buffers", "{} a node built, {} planned, {} in use at most; {} sends late", p.queue_depth,
              r.planned_buffers, r.measured_buffers, r.late);
  } else {
    text.line("queues", "peak {} packets ({} in transit), {} deep", r.peak_queue, r.peak_transit_queue,
              p.queue_depth);
  }
  if (request.hosts == HostStart::kEmpty) {
    text.line("hosts", "start with empty queues; {} injection port{} a node, {} packets deep", p.inject_ports,
              p.inject_ports == 1 ? "" : "s", p.host_depth);
  }
  if (r.host_waiting != 0) {
    text.line("hosts", "{} packets waited with their hosts for room{}{}", r.host_waiting,
              r.window == 0 ? "" : fmt::format("; a host had {} messages on their way at most", r.window),
              stuck_without_window(request, r) ? ": without such a window the run had got stuck" : "");
  }
  text.line("mean delay", "{:.2f} steps", ratio(r.delay_sum, r.delivered));
  text.line("trace", "{}",
            !r.validated         ? "not replayed"
            : r.problems.empty() ? "replayed: causality and port limits hold"
                                 : "replayed");
  text.outcome(r);
  return text.text();
}

Json to_json(const ScanRequest& request, const ScanResult& r) {
  Json json = network_json(request.network.graph());
  json["collective"] = to_string(request.collective);
  ADD_MEMBERS(json, request, active);
  json["classes"] = r.settings.class_count;
  ADD_MEMBERS(json, request, split, flits, header_flits, link_latency);
  json.update({{"packed_flits", r.settings.pack_flits}, {"broadcast_flits", r.settings.cast_flits}});
  ADD_MEMBERS(json, r, cycles, last_delivery);
  for (std::size_t p = 1; p < kScanPhases; ++p) json["phase_cycles"][kScanPhaseWords[p]] = r.phase_cycles[p];
  json.update({{"closed_form", scan_closed_form(request)}, {"published_slots", nullptr}});
  if (const auto bound = published_bound(request))
    json.update({{"published_slots", bound->slots.str()}, {"published_where", bound->where}});
  json["verdict"] = verdict(r);
  ADD_MEMBERS(json, r, delivered, expected_deliveries, lost, duplicated, returned);
  json["compared_with_model"] = !r.transfers.empty();
  ADD_MEMBERS(json, r, flits_sent, node_evaluations, build_seconds, run_seconds, problems);
  return json;
}

std::string to_text(const ScanRequest& request, const ScanResult& r) {
  TextReport text(fmt::format("{} on {}, {} active, {}", to_string(request.collective),
                              in_words(request.network.graph()), request.active.size(), manner(request, r)));
  std::vector<std::string> phases;
  for (std::size_t p = 1; p < kScanPhases; ++p) {
    if (r.phase_cycles[p] != 0) phases.push_back(fmt::format("{} {}", kScanPhaseWords[p], r.phase_cycles[p]));
  }
  text.line("cycles", "{}:{}{}", r.cycles, phases.empty() ? "" : " ", fmt::join(phases, " + "));
  text.line("last delivery", "cycle {}", r.last_delivery);
  text.line("closed form", "{} cycles", scan_closed_form(request));
  if (const auto bound = published_bound(request)) {
    text.line("published", "at most {} slots of {} cycles ({})", bound->slots.str(), request.flits,
              bound->where);
  }
  text.line("verdict", "{}", verdict(r));
  if (request.collective == CollectiveKind::kScan) {
    text.line("scan", "every node has its rank and the total; {} flits sent", r.flits_sent);
  } else {
    text.line("packets", "{}, {} flits sent", deliveries_in_words(r), r.flits_sent);
    text.line("packet", "{} flits while packed, {} while broadcast, header {}", r.settings.pack_flits,
              r.settings.cast_flits, r.settings.header_flit ? "in a flit of its own" : "in the first flit");
  }
  if (r.problems.empty() && !r.transfers.empty())
    text.line("trace", "every flit on every link as the model of the algorithm has it");
  text.outcome(r);
  return text.text();
}

}  // namespace safnet
