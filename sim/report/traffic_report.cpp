#include "sim/report/traffic_report.hpp"

#include <algorithm>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/traffic/decimal.hpp"

namespace safnet {
namespace {

double mean(const DelayStatistics& delays) { return ratio(delays.sum, delays.count); }

// A result with the rates that follow from it, over the cycles of the window that were run.
struct Rates {
  const TrafficStudy& study;
  const TrafficResult& r;

  std::uint64_t cycles() const {
    return r.window_opened() ? std::min(r.window.last, r.end_cycle) - r.window.first + 1 : 0;
  }
  double offered() const { return ratio(r.offered_flits, cycles() * study.senders); }
  double accepted() const { return ratio(r.accepted_flits, cycles() * study.senders); }
  double busiest_link() const { return ratio(r.busiest_link_flits, cycles()); }
  double mean_link() const { return ratio(r.link_flits, cycles() * study.graph.link_count()); }
  double mean_hops() const { return ratio(r.measured_hops, r.measured_delivered); }
};

Rational idle_latency(const TrafficStudy& study) {
  return zero_load_latency(study.points.front().result.parameters, study.limit->mean_hops);
}

const char* verdict(const TrafficResult& r) {
  return r.stuck ? "stuck" : !r.problems.empty() ? "failed" : r.saturated ? "saturated" : "carried";
}

std::string heading(const TrafficStudy& study) {
  const RouterKind& router = *study.request.router;
  return fmt::format("{} traffic on {}, {}, {}, packets of {}{}", study.name, in_words(study.graph),
                     in_words(study.routes.ports()), study.routes.algorithm().name,
                     counted(static_cast<std::uint64_t>(study.request.flits), "flit"),
                     router.follows_orders ? "" : fmt::format(", node {}", one_line(router.name)));
}

std::string limit_in_words(const TrafficLimit& limit) {
  const Rational throughput = limit.throughput();
  const std::string exact = in_decimal(throughput);
  return fmt::format(
      "{}{} flits per sending node and cycle ({})", exact,
      exact.find('/') == std::string::npos ? "" : fmt::format(" = {:.4f}", as_double(throughput)),
      limit.limited_by);
}

std::string in_words(const DelayStatistics& d) {
  return fmt::format("mean {:.2f}, median {}, 99th percentile {}, largest {} cycles", mean(d), d.median,
                     d.percentile_99, d.largest);
}

void add_window(TextReport& text, const TrafficStudy& study, const TrafficStudy::Point& point) {
  const TrafficResult& r = point.result;
  const Rates rates{study, r};
  text.line("offered", "{:.4f} flits per sending node and cycle{}", rates.offered(),
            study.pattern ? fmt::format(", {} asked for", in_decimal(point.rate)) : "");
  text.line("accepted", "{:.4f}", rates.accepted());
  if (study.limit) text.line("limit", "{}", limit_in_words(*study.limit));
  text.line("latency", "{}, from generation on", in_words(r.latency));
  text.line("in the network", "{}, from the first link on", in_words(r.network_latency));
  if (study.limit) {
    text.line("idle network", "mean latency {:.2f} cycles, {} hops", as_double(idle_latency(study)),
              in_decimal(study.limit->mean_hops));
  }
  text.line("hops", "mean {:.2f}", rates.mean_hops());
  text.line("links", "busy {:.4f} of the time, the busiest {:.4f} (from node {} to node {})",
            rates.mean_link(), rates.busiest_link(),
            study.graph.node_name(study.graph.link_source(r.busiest_link)),
            study.graph.node_name(study.graph.link_target(r.busiest_link)));
  text.line("at sources", "{} packets before the window, {} after it", r.backlog_before, r.backlog_after);
  text.line("window", "cycles {} to {} of {}: {} packets, {} of them delivered", r.window.first,
            r.window.last, r.end_cycle, r.measured, r.measured_delivered);
}

Json to_json(const DelayStatistics& delays) {
  return {{"count", delays.count},   {"sum", delays.sum},           {"mean", mean(delays)},
          {"median", delays.median}, {"p99", delays.percentile_99}, {"largest", delays.largest}};
}

Json to_json(const TrafficStudy& study, const TrafficStudy::Point& point) {
  const TrafficResult& r = point.result;
  const Rates rates{study, r};
  Json json;
  if (study.pattern) json["rate"] = in_decimal(point.rate);
  if (r.window_opened()) {
    json.update({{"offered", rates.offered()}, {"accepted", rates.accepted()}});
    ADD_MEMBERS(json, r, offered_flits, accepted_flits);
    json.update({{"latency", to_json(r.latency)},
                 {"network_latency", to_json(r.network_latency)},
                 {"mean_hops", rates.mean_hops()},
                 {"mean_link_utilisation", rates.mean_link()},
                 {"busiest_link_utilisation", rates.busiest_link()},
                 {"busiest_link",
                  {{"node", study.graph.link_source(r.busiest_link)},
                   {"port", study.graph.link_port(r.busiest_link)}}}});
    ADD_MEMBERS(json, r, backlog_before, backlog_after);
  }
  json["window"] = {r.window.first, r.window.last};
  json["cycles"] = r.end_cycle;
  json["last_delivery"] = r.cycles;
  ADD_MEMBERS(json, r, measured, measured_delivered, generated, delivered, lost, duplicated, at_sources,
              in_network, transmissions);
  json["verdict"] = verdict(r);
  ADD_MEMBERS(json, r, problems, waits);
  return json;
}

}  // namespace

std::string rate_in_words(const TrafficStudy::Point& point) { return in_decimal(point.rate); }
double load_of(const TrafficStudy::Point& point) { return as_double(point.rate); }

std::string to_text(const TrafficStudy& study) {
  const TrafficStudy::Point& point = study.points.front();
  const TrafficResult& r = point.result;
  TextReport text(heading(study) + (study.pattern ? fmt::format(", seed {}", study.request.seed) : ""));
  if (r.window_opened()) {
    add_window(text, study, point);
  } else {
    text.line("window", "not opened in cycle {}: stuck in cycle {}", r.window.first, r.end_cycle);
  }
  text.line("packets",
            "{} of {} delivered, {} lost, {} duplicated, {} withdrawn at sources, {} in the network",
            r.delivered, r.generated, r.lost, r.duplicated, r.at_sources, r.in_network);
  text.line("queues", "{} packets per input, {} of the host", r.parameters.queue_depth,
            r.parameters.host_depth);
  text.line("verdict", "{}", verdict(r));
  text.outcome(r);
  return text.text();
}

std::string sweep_title(const TrafficStudy& study) {
  return fmt::format("{}, seed {}", heading(study), study.request.seed);
}

std::string sweep_heading(const TrafficStudy& study) {
  return fmt::format("{}\nlimit {}; idle network: mean latency {:.2f} cycles\n\n", sweep_title(study),
                     limit_in_words(*study.limit), as_double(idle_latency(study)));
}

Json to_json(const TrafficStudy& study) {
  const PifoParameters& p = study.points.front().result.parameters;
  Json json = network_json(study.graph);
  json.update({{"traffic", printable(study.name)},
               {"senders", study.senders},
               {"ports", to_string(study.routes.ports())},
               {"algorithm", study.routes.algorithm().name},
               {"node", printable(study.request.router->name)}});
  if (study.pattern) json["seed"] = study.request.seed;
  ADD_MEMBERS(json, study.request, flits, link_latency);
  ADD_MEMBERS(json, p, grant_cycles, queue_depth, host_depth);
  if (study.request.fitted) json["hardware"] = hardware_json(study.request.router->hardware(p), study.graph);
  if (study.limit) {
    json.update({{"limit", study.limit->throughput().str()},
                 {"limited_by", study.limit->limited_by},
                 {"idle_latency", idle_latency(study).str()},
                 {"idle_hops", study.limit->mean_hops.str()}});
  }
  json["loads"] = json_array(study.points, [&](const auto& point) { return to_json(study, point); });
  return json;
}

Table table_of(const TrafficStudy& study) {
  Table table{{"rate", "offered", "accepted", "mean", "median", "p99", "largest", "in network", "hops",
               "busiest link", "mean link", "at sources", "measured", "measured delivered", "verdict"}};
  for (const TrafficStudy::Point& point : study.points) {
    const TrafficResult& r = point.result;
    const Rates rates{study, r};
    if (!r.window_opened()) {
      table.rows.emplace_back(table.columns.size());
      table.rows.back().front() = rate_in_words(point);
      table.rows.back().back() = verdict(r);
      continue;
    }
    table.add(rate_in_words(point), fixed(rates.offered(), 4), fixed(rates.accepted(), 4),
              fixed(mean(r.latency), 2), r.latency.median, r.latency.percentile_99, r.latency.largest,
              fixed(mean(r.network_latency), 2), fixed(rates.mean_hops(), 2), fixed(rates.busiest_link(), 4),
              fixed(rates.mean_link(), 4), r.backlog_after, r.measured, r.measured_delivered, verdict(r));
  }
  return table;
}

std::vector<std::string> measured_in_words(const TrafficStudy& study) {
  const TrafficPhases& phases = study.request.phases;
  return {
      fmt::format(
          "Each run is at one load: {} cycles of warm-up, then {} whose packets are measured, then at "
          "most {} until all of those are delivered. Every packet was checked by its payload and "
          "accounted for.",
          phases.warm_up, phases.measure, phases.drain_limit),
      "Latency is the number of cycles from a packet's generation, waiting at its source included, to its "
      "last "
      "flit; in the network it counts from the first link on.",
      fmt::format(
          "The limit is {}: at higher loads it is asked for more than it can do. Alone in the network a "
          "packet takes {:.2f} cycles in the mean.",
          limit_in_words(*study.limit), as_double(idle_latency(study)))};
}

LinePlot plot_of(const TrafficStudy& study) {
  LinePlot plot;
  plot.title = fmt::format("{} traffic on {}, {}, {}", study.name, one_line(study.graph.spelling()),
                           in_words(study.routes.ports()),
                           counted(static_cast<std::uint64_t>(study.request.flits), "flit"));
  plot.x_label = "offered load, flits per sending node and cycle";
  plot.y_label = "latency, cycles";
  plot.logarithmic = true;
  PlotSeries means{"mean", {}}, tails{"99th percentile", {}}, in_network{"mean in the network", {}};
  for (const TrafficStudy::Point& point : study.points) {
    const TrafficResult& r = point.result;
    if (r.latency.count == 0) continue;
    const double x = load_of(point);
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

}  // namespace safnet
