#include "sim/command/dynamic_broadcast_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <variant>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/line_plot.hpp"
#include "sim/report/output_file.hpp"
#include "sim/report/table.hpp"
#include "sim/run/dynamic_broadcast.hpp"
#include "sim/run/load_sweep.hpp"

namespace safnet {
namespace {

constexpr const char* kUsualPart = "0.5";
constexpr std::size_t kMostLoads = 200;

double as_double(const Rational& value) { return value.convert_to<double>(); }

struct LoadPoint {
  DynamicBroadcastRequest request;
  DynamicBroadcastLimits limits;
  DynamicBroadcastResult result;
};

// Delays in slots, from ticks.
class Slots {
 public:
  explicit Slots(const LoadPoint& point) : ticks_(std::ldexp(point.request.flits, kTickBits)) {}
  double of(std::uint64_t ticks) const { return static_cast<double>(ticks) / ticks_; }
  double mean(const DelayStatistics& delay) const {
    return of(delay.sum) / static_cast<double>(std::max<std::size_t>(delay.count, 1));
  }

 private:
  double ticks_;
};

double measured_utilisation(const LoadPoint& point) {
  const auto links = static_cast<double>(point.request.network.graph().link_count());
  return static_cast<double>(point.result.flits_sent) / (links * point.result.cycles);
}
double mean_active(const LoadPoint& point) {
  std::uint64_t sum = 0;
  for (const auto& [active, count] : point.result.by_active) sum += active * count.intervals;
  return static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(point.result.intervals, 1));
}
bool is_stable(const LoadPoint& point) { return point.request.rate < point.limits.exactly; }

// The bound on the mean delay in slots: (6) where it is printed for this, else (11).
std::optional<Rational> bound_in_slots(const LoadPoint& point) {
  if (point.limits.printed_folded_delay) return point.limits.printed_folded_delay;
  if (!point.limits.mean_delay) return std::nullopt;
  return Rational(*point.limits.mean_delay / point.request.flits);
}
const char* bound_name(const LoadPoint& point) {
  return point.limits.printed_folded_delay ? "folded cubes (6)" : "meshes (11)";
}

// The mean delay against the bound, by exact numbers.
const char* verdict(const LoadPoint& point) {
  const DynamicBroadcastResult& r = point.result;
  if (!r.problems.empty()) return "failed";
  const std::optional<Rational> bound = bound_in_slots(point);
  if (!bound) return is_stable(point) ? "no bound" : "not stable";
  const Rational mean = Rational(r.delay.sum, std::max<std::size_t>(r.delay.count, 1)) /
                        (Rational(point.request.flits) * (std::uint64_t{1} << kTickBits));
  return mean <= *bound ? "within bound" : "above bound";
}

std::string manner(const LoadPoint& point) {
  const ScanSettings& s = point.result.settings;
  const char* packets = s.two_pieces                      ? "packets split, in halves,"
                        : s.classed || s.class_count == 1 ? "whole packets"
                                                          : "packets split";
  return fmt::format("{} in {} class{}, {} flits{}", packets, s.class_count, s.class_count == 1 ? "" : "es",
                     point.request.flits, point.request.header_flits != 0 ? " and a header" : "");
}

std::string heading(const LoadPoint& point) {
  const Graph& graph = point.request.network.graph();
  return fmt::format("dynamic broadcast on {} ({} nodes, {} links), {}, {} packets, seed {}",
                     one_line(graph.spelling()), graph.node_count(), graph.link_count(), manner(point),
                     point.request.packets, point.request.seed);
}

std::string rate_in_words(const Rational& rate) { return fmt::format("{:.6g}", as_double(rate)); }

std::string to_text(const LoadPoint& point) {
  const DynamicBroadcastResult& r = point.result;
  const DynamicBroadcastLimits& limits = point.limits;
  const Slots slots(point);
  std::string text = heading(point) + "\n";
  const auto line = [&text](const char* name, const std::string& words) {
    text += fmt::format("  {:<15}{}\n", name, words);
  };
  const auto delays = [&](const DelayStatistics& d) {
    return fmt::format(
        "mean {:.2f}, median {:.2f}, 99th percentile {:.2f}, largest {:.2f} slots (mean {:.1f} cycles)",
        slots.mean(d), slots.of(d.median), slots.of(d.percentile_99), slots.of(d.largest),
        slots.mean(d) * point.request.flits);
  };
  line("rate",
       fmt::format("{} packets per node and slot of {} cycles: rho = {:.4f}, {:.4f} of what is stable",
                   rate_in_words(point.request.rate), point.request.flits, as_double(limits.utilisation),
                   as_double(point.request.rate / limits.exactly)));
  line("stable below",
       fmt::format("{} = 1 / D(N); by Theorem 7 {}; no scheme above {}", rate_in_words(limits.exactly),
                   rate_in_words(limits.stable), rate_in_words(limits.any_scheme)));
  line("delay", delays(r.delay) + ", to the end of the interval");
  line("delivery", delays(r.delivery_delay) + ", to the last node");
  const std::optional<Rational> bound = bound_in_slots(point);
  line("bound",
       bound ? fmt::format("mean delay at most {:.2f} slots ({})", as_double(*bound), bound_name(point))
             : "none at this rate");
  line("backlog", fmt::format("mean {:.2f} packets, largest {}, {} when the last one arrives",
                              as_double(r.mean_backlog), r.largest_backlog, r.final_backlog));
  line("intervals",
       fmt::format("{} with {:.2f} packets each, all as long as their number of packets says; {} cycles",
                   r.intervals, mean_active(point), r.cycles));
  for (const std::uint64_t active : {r.by_active.begin()->first, r.by_active.rbegin()->first}) {
    line("", fmt::format("of {} packets: {} intervals of {} cycles, at most X M + V = {:.1f}", active,
                         r.by_active.at(active).intervals, r.by_active.at(active).cycles,
                         as_double(limits.interval.at(active))));
    if (r.by_active.size() == 1) break;
  }
  line("links", fmt::format("busy {:.4f} of the time", measured_utilisation(point)));
  line("packets", fmt::format("{} of {} broadcast; {} of {} deliveries, {} lost, {} duplicated", r.broadcast,
                              r.arrived, r.deliveries, r.expected_deliveries, r.lost, r.duplicated));
  line("verdict", verdict(point));
  line("time", fmt::format("{:.2f} s build, {:.2f} s run", r.build_seconds, r.run_seconds));
  for (const std::string& problem : r.problems) text += "  problem: " + problem + "\n";
  return text;
}

nlohmann::ordered_json to_json(const DelayStatistics& delay, const Slots& slots) {
  return {{"count", delay.count},
          {"ticks", delay.sum},
          {"mean", slots.mean(delay)},
          {"median", slots.of(delay.median)},
          {"p99", slots.of(delay.percentile_99)},
          {"largest", slots.of(delay.largest)}};
}

nlohmann::ordered_json to_json(const LoadPoint& point) {
  const DynamicBroadcastResult& r = point.result;
  const Slots slots(point);
  nlohmann::ordered_json json;
  json["rate"] = point.request.rate.str();
  json["utilisation"] = point.limits.utilisation.str();
  json["delay"] = to_json(r.delay, slots);
  json["delivery_delay"] = to_json(r.delivery_delay, slots);
  const std::optional<Rational> bound = bound_in_slots(point);
  json["mean_delay_bound"] = nullptr;
  if (bound) json["mean_delay_bound"] = bound->str();
  json["mean_backlog"] = as_double(r.mean_backlog);
  json["largest_backlog"] = r.largest_backlog;
  json["final_backlog"] = r.final_backlog;
  json["link_utilisation"] = measured_utilisation(point);
  json["intervals"] = nlohmann::ordered_json::array();
  for (const auto& [active, count] : r.by_active)
    json["intervals"].push_back(
        {{"packets", active}, {"intervals", count.intervals}, {"cycles", count.cycles}});
  json["cycles"] = r.cycles;
  json["flits_sent"] = r.flits_sent;
  json["arrived"] = r.arrived;
  json["broadcast"] = r.broadcast;
  json["deliveries"] = r.deliveries;
  json["expected_deliveries"] = r.expected_deliveries;
  json["lost"] = r.lost;
  json["duplicated"] = r.duplicated;
  json["verdict"] = verdict(point);
  json["problems"] = r.problems;
  return json;
}

nlohmann::ordered_json to_json(const std::vector<LoadPoint>& points) {
  const LoadPoint& first = points.front();
  const Graph& graph = first.request.network.graph();
  nlohmann::ordered_json json;
  json["topology"] = printable(graph.spelling());
  json["nodes"] = graph.node_count();
  json["links"] = graph.link_count();
  json["classes"] = first.result.settings.class_count;
  json["split"] = first.request.split;
  json["flits"] = first.request.flits;
  json["header_flits"] = first.request.header_flits;
  json["link_latency"] = first.request.link_latency;
  json["packets"] = first.request.packets;
  json["warm_up"] = first.request.warm_up;
  json["seed"] = first.request.seed;
  json["interval_cycles_per_packet"] = first.limits.interval.per_packet.str();
  json["interval_cycles_constant"] = first.limits.interval.constant.str();
  json["stable_rate"] = first.limits.exactly.str();
  json["published_stable_rate"] = first.limits.stable.str();
  json["largest_rate"] = first.limits.any_scheme.str();
  json["loads"] = nlohmann::ordered_json::array();
  for (const LoadPoint& point : points) json["loads"].push_back(to_json(point));
  return json;
}

Table table_of(const std::vector<LoadPoint>& points) {
  Table table{{"rate", "of limit", "rho", "mean", "median", "p99", "last node", "bound", "backlog", "at end",
               "intervals", "packets each", "busy links", "verdict"},
              {}};
  for (const LoadPoint& point : points) {
    const DynamicBroadcastResult& r = point.result;
    const Slots slots(point);
    const std::optional<Rational> bound = bound_in_slots(point);
    table.rows.push_back({rate_in_words(point.request.rate),
                          fmt::format("{:.4f}", as_double(point.request.rate / point.limits.exactly)),
                          fmt::format("{:.4f}", as_double(point.limits.utilisation)),
                          fmt::format("{:.2f}", slots.mean(r.delay)),
                          fmt::format("{:.2f}", slots.of(r.delay.median)),
                          fmt::format("{:.2f}", slots.of(r.delay.percentile_99)),
                          fmt::format("{:.2f}", slots.mean(r.delivery_delay)),
                          bound ? fmt::format("{:.2f}", as_double(*bound)) : "none",
                          fmt::format("{:.2f}", as_double(r.mean_backlog)), std::to_string(r.final_backlog),
                          std::to_string(r.intervals), fmt::format("{:.2f}", mean_active(point)),
                          fmt::format("{:.4f}", measured_utilisation(point)), verdict(point)});
  }
  return table;
}

// The bound as a curve, up to where it is far above what was measured.
PlotSeries bound_curve(const LoadPoint& at, double most) {
  PlotSeries curve{std::string("bound on the mean, ") + bound_name(at), {}, false};
  constexpr int kSteps = 400;
  LoadPoint point = at;
  for (int i = 0; i < kSteps; ++i) {
    point.request.rate = at.limits.stable * i / kSteps;
    point.limits = limits_of(point.request);
    const std::optional<Rational> bound = bound_in_slots(point);
    if (!bound) break;
    curve.points.push_back({as_double(point.request.rate), as_double(*bound)});
    if (as_double(*bound) > most) break;
  }
  return curve;
}

LinePlot plot_of(const std::vector<LoadPoint>& points) {
  const LoadPoint& first = points.front();
  LinePlot plot;
  plot.title = fmt::format("dynamic broadcast on {}, {}", one_line(first.request.network.graph().spelling()),
                           manner(first));
  plot.x_label = "rate, packets per node and slot";
  plot.y_label = fmt::format("delay, slots of {} cycles", first.request.flits);
  plot.logarithmic = true;
  PlotSeries means{"mean", {}}, tails{"99th percentile", {}};
  double most = 0;
  for (const LoadPoint& point : points) {
    const Slots slots(point);
    const double x = as_double(point.request.rate);
    const bool open = !is_stable(point);
    if (open) plot.hollow_means = "not stable: grows with the packets";
    means.points.push_back({x, slots.mean(point.result.delay), open});
    tails.points.push_back({x, slots.of(point.result.delay.percentile_99), open});
    most = std::max(most, tails.points.back().y);
  }
  plot.y_most = 2 * most;
  plot.series = {means, tails, bound_curve(first, plot.y_most)};
  plot.limits = {{as_double(first.limits.stable), "stable by Theorem 7"},
                 {as_double(first.limits.exactly), "stable exactly, 1 / D(N)"},
                 {as_double(first.limits.any_scheme), "any scheme, (13)"}};
  return plot;
}

DynamicBroadcastRequest request_of(const DynamicBroadcastOptions& options) {
  const Graph graph = make_topology(options.topology);
  auto network = DigitNetwork::of(graph);
  if (const std::string* why = std::get_if<std::string>(&network))
    throw std::invalid_argument(fmt::format("dynamic-broadcast: {}", *why));
  DynamicBroadcastRequest request(std::get<DigitNetwork>(std::move(network)));
  request.packets = options.packets;
  request.warm_up = options.warm_up;
  request.seed = options.seed;
  request.flits = options.flits;
  request.header_flits = options.header_flits;
  request.link_latency = options.link_latency;
  request.split = options.split;
  request.alternating = options.alternating;
  check_request(scan_request(request));
  return request;
}

void refuse_without(bool used, const char* option, const std::string& word, const char* what) {
  if (!word.empty() && !used)
    throw std::invalid_argument(fmt::format("{} {}: expected {}", option, in_quotes(word), what));
}

std::vector<LoadPoint> points_of(const DynamicBroadcastOptions& options) {
  const bool sweeps = !options.sweep.empty();
  refuse_without(options.rate.empty(), "--sweep", options.sweep, "no --rate beside it");
  refuse_without(sweeps, "--csv", options.csv, "--sweep beside it");
  refuse_without(sweeps, "--plot", options.plot, "--sweep beside it");
  refuse_without(options.plot.ends_with(".svg"), "--plot", options.plot, "a name that ends in .svg");
  refuse_same_file(options.csv, options.plot);
  const DynamicBroadcastRequest request = request_of(options);
  const bool parts = options.of_limit || (options.rate.empty() && !sweeps);
  const Rational unit = parts ? limits_of(request).exactly : Rational(1);
  const std::vector<Rational> rates =
      sweeps ? parse_fractions("--sweep", options.sweep, kMostLoads)
             : std::vector{parse_fraction("--rate", options.rate.empty() ? kUsualPart : options.rate)};
  std::vector<LoadPoint> points;
  for (const Rational& rate : rates) {
    points.push_back({request, {}, {}});
    points.back().request.rate = rate * unit;
    points.back().limits = limits_of(points.back().request);
    check_dynamic_broadcast(points.back().request);
  }
  return points;
}

}  // namespace

int dynamic_broadcast_command(const DynamicBroadcastOptions& options, VariantStore& store) {
  std::vector<LoadPoint> points = points_of(options);
  build_hardware(scan_hardware(scan_parameters(scan_request(points[0].request))), store);
  run_loads(points.size(), options.threads, [&](std::size_t i, NodePool& pool) {
    points[i].request.pool = &pool;
    points[i].result = run_dynamic_broadcast(points[i].request, store);
    points[i].request.pool = nullptr;
  });
  int code = 0;
  for (const LoadPoint& point : points) code = std::max(code, point.result.exit_code());
  if (options.json) {
    fmt::print("{}\n", to_json(points).dump());
  } else if (options.sweep.empty()) {
    fmt::print("{}", to_text(points[0]));
  } else {
    fmt::print("{}\n", heading(points[0]));
    fmt::print("delays in slots of {} cycles; stable below a rate of {}, by Theorem 7 {}\n\n{}",
               points[0].request.flits, rate_in_words(points[0].limits.exactly),
               rate_in_words(points[0].limits.stable), to_text(table_of(points)));
    for (const LoadPoint& point : points) {
      for (const std::string& problem : point.result.problems)
        fmt::print("problem at {}: {}\n", rate_in_words(point.request.rate), problem);
    }
  }
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table_of(points)));
  if (!options.plot.empty()) write_whole_file(options.plot, to_svg(plot_of(points)));
  return code;
}

}  // namespace safnet
