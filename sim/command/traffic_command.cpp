#include "sim/command/traffic_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/line_plot.hpp"
#include "sim/report/output_file.hpp"
#include "sim/report/table.hpp"
#include "sim/run/load_sweep.hpp"

namespace safnet {
namespace {

constexpr std::string_view kTrace = "trace:";
constexpr const char* kUsualRate = "0.1";
constexpr std::size_t kMostLoads = 200;
constexpr std::uint32_t kLongestPhase = 100'000'000;
// A trace is carried to its end, as long as something moves.
constexpr std::uint32_t kTraceDrain = kLongestPhase;

double as_double(const Rational& value) { return value.convert_to<double>(); }
double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}
double mean(const DelayStatistics& delays) { return ratio(delays.sum, delays.count); }

// What is to be run, and what is known of it beforehand.
struct Study {
  Graph graph;
  std::string name;  // of the traffic
  PacketRoutes routes;
  std::optional<TrafficPattern> pattern;
  std::vector<TracedPackets> trace;  // if there is no pattern
  std::uint64_t senders = 0;
  std::optional<TrafficLimit> limit;  // of a pattern
};

// One load and what came of it.
struct LoadPoint {
  Rational rate = 0;
  TrafficResult result;
};

// As far as it was run.
std::uint64_t window_cycles(const TrafficResult& result) {
  if (!result.window_opened()) return 0;
  return std::min(result.window.last, result.end_cycle) - result.window.first + 1;
}
double per_node_and_cycle(std::uint64_t flits, const TrafficResult& result, const Study& study) {
  return ratio(flits, window_cycles(result) * study.senders);
}
double offered(const TrafficResult& result, const Study& study) {
  return per_node_and_cycle(result.offered_flits, result, study);
}
double accepted(const TrafficResult& result, const Study& study) {
  return per_node_and_cycle(result.accepted_flits, result, study);
}
double busiest_link(const TrafficResult& result) {
  return ratio(result.busiest_link_flits, window_cycles(result));
}
double mean_link(const TrafficResult& result, const Study& study) {
  return ratio(result.link_flits, window_cycles(result) * study.graph.link_count());
}
double mean_hops(const TrafficResult& result) {
  return ratio(result.measured_hops, result.measured_delivered);
}

Rational idle_latency(const Study& study, const PifoParameters& parameters) {
  return zero_load_latency(parameters, study.limit->mean_hops);
}

const char* verdict(const TrafficResult& result) {
  return result.stuck               ? "stuck"
         : !result.problems.empty() ? "failed"
         : result.saturated         ? "saturated"
                                    : "carried";
}

std::string link_in_words(const Graph& graph, LinkId link) {
  return fmt::format("from node {} to node {}", graph.node_name(graph.link_source(link)),
                     graph.node_name(graph.link_target(link)));
}

std::string heading(const Study& study, const TrafficRequest& request) {
  const Graph& graph = study.graph;
  return fmt::format("{} traffic on {} ({} nodes, {} links), {}, {}, packets of {} flit{}", study.name,
                     one_line(graph.spelling()), graph.node_count(), graph.link_count(),
                     in_words(study.routes.ports()), study.routes.algorithm().name, request.flits,
                     request.flits == 1 ? "" : "s");
}

std::string limit_in_words(const Study& study) {
  const TrafficLimit& limit = *study.limit;
  const Rational throughput = limit.throughput();
  return fmt::format("{}{} flits per sending node and cycle ({})", in_decimal(throughput),
                     in_decimal(throughput).find('/') == std::string::npos
                         ? ""
                         : fmt::format(" = {:.4f}", as_double(throughput)),
                     limit.limited_by);
}

void window_to_text(const Study& study, const TrafficRequest& request, const TrafficResult& r,
                    const std::function<void(const char* name, const std::string& words)>& line) {
  const std::string asked = study.pattern ? fmt::format(", {} asked for", in_decimal(request.rate)) : "";
  line("offered", fmt::format("{:.4f} flits per sending node and cycle{}", offered(r, study), asked));
  line("accepted", fmt::format("{:.4f}", accepted(r, study)));
  if (study.limit) line("limit", limit_in_words(study));
  const auto delays = [](const DelayStatistics& d) {
    return fmt::format("mean {:.2f}, median {}, 99th percentile {}, largest {} cycles", mean(d), d.median,
                       d.percentile_99, d.largest);
  };
  line("latency", delays(r.latency) + ", from generation on");
  line("in the network", delays(r.network_latency) + ", from the first link on");
  if (study.limit) {
    line("idle network",
         fmt::format("mean latency {:.2f} cycles, {} hops", as_double(idle_latency(study, r.parameters)),
                     in_decimal(study.limit->mean_hops)));
  }
  line("hops", fmt::format("mean {:.2f}", mean_hops(r)));
  line("links", fmt::format("busy {:.4f} of the time, the busiest {:.4f} ({})", mean_link(r, study),
                            busiest_link(r), link_in_words(study.graph, r.busiest_link)));
  line("at sources",
       fmt::format("{} packets before the window, {} after it", r.backlog_before, r.backlog_after));
  line("window", fmt::format("cycles {} to {} of {}: {} packets, {} of them delivered", r.window.first,
                             r.window.last, r.end_cycle, r.measured, r.measured_delivered));
}

std::string to_text(const Study& study, const TrafficRequest& request, const TrafficResult& r) {
  std::string text = heading(study, request);
  text += study.pattern ? fmt::format(", seed {}\n", request.seed) : "\n";
  const auto line = [&text](const char* name, const std::string& words) {
    text += fmt::format("  {:<15}{}\n", name, words);
  };
  if (r.window_opened()) {
    window_to_text(study, request, r, line);
  } else {
    line("window", fmt::format("not opened in cycle {}: stuck in cycle {}", r.window.first, r.end_cycle));
  }
  line("packets",
       fmt::format("{} of {} delivered, {} lost, {} duplicated, {} withdrawn at sources, {} in the network",
                   r.delivered, r.generated, r.lost, r.duplicated, r.at_sources, r.in_network));
  line("queues", fmt::format("{} packets per input, {} of the host", r.parameters.queue_depth,
                             r.parameters.host_depth));
  line("verdict", verdict(r));
  line("time", fmt::format("{:.2f} s build, {:.2f} s run", r.build_seconds, r.run_seconds));
  for (const std::string& problem : r.problems) text += "  problem: " + problem + "\n";
  for (const std::string& wait : r.waits) text += "  stuck: " + wait + "\n";
  return text;
}

nlohmann::ordered_json to_json(const DelayStatistics& delays) {
  return {{"count", delays.count},   {"sum", delays.sum},           {"mean", mean(delays)},
          {"median", delays.median}, {"p99", delays.percentile_99}, {"largest", delays.largest}};
}

nlohmann::ordered_json to_json(const Study& study, const LoadPoint& point) {
  const TrafficResult& r = point.result;
  nlohmann::ordered_json json;
  if (study.pattern) json["rate"] = in_decimal(point.rate);
  if (r.window_opened()) {
    json["offered"] = offered(r, study);
    json["accepted"] = accepted(r, study);
    json["offered_flits"] = r.offered_flits;
    json["accepted_flits"] = r.accepted_flits;
    json["latency"] = to_json(r.latency);
    json["network_latency"] = to_json(r.network_latency);
    json["mean_hops"] = mean_hops(r);
    json["mean_link_utilisation"] = mean_link(r, study);
    json["busiest_link_utilisation"] = busiest_link(r);
    json["busiest_link"] = {{"node", study.graph.link_source(r.busiest_link)},
                            {"port", study.graph.link_port(r.busiest_link)}};
    json["backlog_before"] = r.backlog_before;
    json["backlog_after"] = r.backlog_after;
  }
  json["window"] = {r.window.first, r.window.last};
  json["cycles"] = r.end_cycle;
  json["measured"] = r.measured;
  json["measured_delivered"] = r.measured_delivered;
  json["generated"] = r.generated;
  json["delivered"] = r.delivered;
  json["lost"] = r.lost;
  json["duplicated"] = r.duplicated;
  json["at_sources"] = r.at_sources;
  json["in_network"] = r.in_network;
  json["transmissions"] = r.transmissions;
  json["verdict"] = verdict(r);
  json["problems"] = r.problems;
  json["waits"] = r.waits;
  return json;
}

nlohmann::ordered_json to_json(const Study& study, const TrafficRequest& request,
                               const std::vector<LoadPoint>& points) {
  const PifoParameters& p = points.front().result.parameters;
  nlohmann::ordered_json json;
  json["topology"] = printable(study.graph.spelling());
  json["nodes"] = study.graph.node_count();
  json["links"] = study.graph.link_count();
  json["traffic"] = printable(study.name);
  json["senders"] = study.senders;
  json["ports"] = to_string(study.routes.ports());
  json["algorithm"] = study.routes.algorithm().name;
  if (study.pattern) json["seed"] = request.seed;
  json["flits"] = request.flits;
  json["link_latency"] = request.link_latency;
  json["grant_cycles"] = p.grant_cycles;
  json["queue_depth"] = p.queue_depth;
  json["host_depth"] = p.host_depth;
  if (study.limit) {
    const Rational throughput = study.limit->throughput(), idle = idle_latency(study, p);
    json["limit"] = throughput.str();
    json["limited_by"] = study.limit->limited_by;
    json["idle_latency"] = idle.str();
    json["idle_hops"] = study.limit->mean_hops.str();
  }
  json["loads"] = nlohmann::ordered_json::array();
  for (const LoadPoint& point : points) json["loads"].push_back(to_json(study, point));
  return json;
}

Table table_of(const Study& study, const std::vector<LoadPoint>& points) {
  Table table{{"rate", "offered", "accepted", "mean", "median", "p99", "largest", "in network", "hops",
               "busiest link", "mean link", "at sources", "measured", "measured delivered", "verdict"},
              {}};
  for (const LoadPoint& point : points) {
    const TrafficResult& r = point.result;
    if (!r.window_opened()) {
      std::vector<std::string> row(table.columns.size());
      row.front() = in_decimal(point.rate);
      row.back() = verdict(r);
      table.rows.push_back(std::move(row));
      continue;
    }
    table.rows.push_back({in_decimal(point.rate), fmt::format("{:.4f}", offered(r, study)),
                          fmt::format("{:.4f}", accepted(r, study)), fmt::format("{:.2f}", mean(r.latency)),
                          std::to_string(r.latency.median), std::to_string(r.latency.percentile_99),
                          std::to_string(r.latency.largest), fmt::format("{:.2f}", mean(r.network_latency)),
                          fmt::format("{:.2f}", mean_hops(r)), fmt::format("{:.4f}", busiest_link(r)),
                          fmt::format("{:.4f}", mean_link(r, study)), std::to_string(r.backlog_after),
                          std::to_string(r.measured), std::to_string(r.measured_delivered), verdict(r)});
  }
  return table;
}

LinePlot plot_of(const Study& study, const TrafficRequest& request, const std::vector<LoadPoint>& points) {
  LinePlot plot;
  plot.title = fmt::format("{} traffic on {}, {}, {} flit{}", study.name, one_line(study.graph.spelling()),
                           in_words(study.routes.ports()), request.flits, request.flits == 1 ? "" : "s");
  plot.x_label = "offered load, flits per sending node and cycle";
  plot.y_label = "latency, cycles";
  plot.logarithmic = true;
  PlotSeries means{"mean", {}}, tails{"99th percentile", {}}, in_network{"mean in the network", {}};
  for (const LoadPoint& point : points) {
    const TrafficResult& r = point.result;
    if (r.latency.count == 0) continue;
    const double x = as_double(point.rate);
    const bool open = r.saturated || r.stuck;
    if (open) plot.hollow_means = "saturated: grows with the window";
    means.points.push_back({x, mean(r.latency), open});
    tails.points.push_back({x, static_cast<double>(r.latency.percentile_99), open});
    in_network.points.push_back({x, mean(r.network_latency), open});
  }
  plot.series = {means, tails, in_network};
  plot.limits.push_back({as_double(study.limit->throughput()), "limit by channel loads"});
  return plot;
}

void refuse_without(bool used, std::string_view option, const std::string& word, const char* what) {
  if (!word.empty() && !used)
    throw std::invalid_argument(fmt::format("{} {}: expected {}", option, in_quotes(word), what));
}

NodeId parse_hot_spot(const std::string& word, const Graph& graph) {
  try {
    return graph.parse_node(word);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--hot-spot {}: {}", in_quotes(word), error.what()));
  }
}

Study make_study(const TrafficOptions& options) {
  const bool traced = options.pattern.starts_with(kTrace);
  const bool hot = options.pattern == "hot-spot";
  refuse_without(hot, "--hot-spot", options.hot_spot, "the pattern hot-spot beside it");
  refuse_without(hot, "--hot-fraction", options.hot_fraction, "the pattern hot-spot beside it");
  refuse_without(!traced, "--rate", options.rate, "a pattern; a trace says when packets are generated");
  refuse_without(!traced, "--sweep", options.sweep, "a pattern; a trace says when packets are generated");
  refuse_without(options.rate.empty(), "--sweep", options.sweep, "no --rate beside it");
  refuse_without(!options.sweep.empty(), "--csv", options.csv, "--sweep beside it");
  refuse_without(!options.sweep.empty(), "--plot", options.plot, "--sweep beside it");
  refuse_without(options.plot.ends_with(".svg"), "--plot", options.plot, "a name that ends in .svg");
  refuse_same_file(options.csv, options.plot);
  const Graph graph = make_topology(options.topology);
  const PortModel ports = parse_port_model(options.ports);
  if (traced) {
    std::vector<TracedPackets> trace = read_traffic_trace(options.pattern.substr(kTrace.size()), graph);
    Study study{graph, one_line(options.pattern), PacketRoutes(graph, ports, options.algorithm), {}, {}, 0,
                {}};
    study.senders = sources_of(trace);
    study.trace = std::move(trace);
    return study;
  }
  const NodeId hot_spot = options.hot_spot.empty() ? 0 : parse_hot_spot(options.hot_spot, graph);
  const Rational fraction =
      parse_fraction("--hot-fraction", options.hot_fraction.empty() ? "0.1" : options.hot_fraction);
  TrafficPattern pattern(options.pattern, graph, hot_spot, fraction);
  Study study{graph, pattern.name(), PacketRoutes(graph, ports, options.algorithm), {}, {}, pattern.senders(),
              {}};

  study.pattern = std::move(pattern);
  return study;
}

TrafficPhases phases_of(const TrafficOptions& options, const Study& study) {
  TrafficPhases phases;
  if (!study.pattern) phases = {0, study.trace.back().cycle, kTraceDrain};
  const auto set = [](const char* option, const std::optional<std::uint32_t>& word, std::uint32_t low,
                      std::uint32_t& phase) {
    if (!word) return;
    if (*word < low || *word > kLongestPhase) {
      throw std::invalid_argument(
          fmt::format("{} {}: expected {} to {} cycles", option, *word, low, kLongestPhase));
    }
    phase = *word;
  };
  set("--warm-up", options.warm_up, 0, phases.warm_up);
  if (!study.pattern && !options.measure) {
    if (phases.warm_up >= phases.measure) {
      throw std::invalid_argument(
          fmt::format("--warm-up {}: expected fewer than {}, the last cycle of the trace", phases.warm_up,
                      phases.measure));
    }
    phases.measure -= phases.warm_up;
  }
  set("--measure", options.measure, 1, phases.measure);
  set("--drain-limit", options.drain_limit, 0, phases.drain_limit);
  return phases;
}

TrafficResult run_point(const TrafficRequest& request, const Study& study, VariantStore& store) {
  return study.pattern ? run_traffic(request, study.routes, *study.pattern, store)
                       : run_traffic(request, study.routes, study.trace, store);
}

int exit_code(const std::vector<LoadPoint>& points) {
  int code = 0;
  for (const LoadPoint& point : points) code = std::max(code, point.result.exit_code());
  return code;
}

int one_load(const TrafficOptions& options, TrafficRequest request, const Study& study, VariantStore& store) {
  ProgressLine line;
  request.on_progress = [&](std::uint64_t, std::uint64_t, std::uint32_t cycle) { line.show(fmt::format("cycle {}", cycle)); };
  const std::vector<LoadPoint> points{{request.rate, run_point(request, study, store)}};
  line.clear();
  if (options.json) {
    fmt::print("{}\n", to_json(study, request, points).dump());
  } else {
    fmt::print("{}", to_text(study, request, points[0].result));
  }
  return exit_code(points);
}

int many_loads(const TrafficOptions& options, const TrafficRequest& request, const Study& study,
               std::vector<LoadPoint> points, VariantStore& store) {
  run_loads(points.size(), request.threads, [&](std::size_t i, NodePool& pool) {
    TrafficRequest one = request;
    one.rate = points[i].rate;
    one.threads = 1;
    one.pool = &pool;
    points[i].result = run_point(one, study, store);
  });
  if (options.json) {
    fmt::print("{}\n", to_json(study, request, points).dump());
  } else {
    fmt::print("{}, seed {}\n", heading(study, request), request.seed);
    fmt::print("limit {}; idle network: mean latency {:.2f} cycles\n\n{}", limit_in_words(study),
               as_double(idle_latency(study, points[0].result.parameters)),
               safnet::to_text(table_of(study, points)));
    for (const LoadPoint& point : points) {
      for (const std::string& problem : point.result.problems)
        fmt::print("problem at {}: {}\n", in_decimal(point.rate), problem);
      for (const std::string& wait : point.result.waits)
        fmt::print("stuck at {}: {}\n", in_decimal(point.rate), wait);
    }
  }
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table_of(study, points)));
  if (!options.plot.empty()) write_whole_file(options.plot, to_svg(plot_of(study, request, points)));
  return exit_code(points);
}

}  // namespace

int traffic_command(const TrafficOptions& options, VariantStore& store) {
  Study study = make_study(options);
  TrafficRequest request = options.request;
  const PifoParameters parameters = traffic_parameters(request, study.routes);
  if (study.pattern)
    study.limit = traffic_limit(study.routes, *study.pattern, port_cycles_per_flit(parameters));
  request.phases = phases_of(options, study);
  std::vector<LoadPoint> points;
  if (!options.sweep.empty()) {
    for (const Rational& rate : parse_fractions("--sweep", options.sweep, kMostLoads)) {
      check_rate(rate, fmt::format("--sweep {}: rate", in_quotes(options.sweep)));
      points.push_back({rate, {}});
      request.rate = rate;
      check_traffic(request, study.routes, *study.pattern);
    }
  } else if (study.pattern) {
    request.rate = parse_fraction("--rate", options.rate.empty() ? kUsualRate : options.rate);
    check_traffic(request, study.routes, *study.pattern);
  }
  build_hardware(pifo_hardware(parameters), store);
  if (points.empty()) return one_load(options, request, study, store);
  return many_loads(options, request, study, std::move(points), store);
}

}  // namespace safnet
