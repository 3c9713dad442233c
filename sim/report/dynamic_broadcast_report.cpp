#include "sim/report/dynamic_broadcast_report.hpp"

#include <algorithm>
#include <cmath>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using LoadPoint = DynamicBroadcastStudy::Point;

double as_double(const Rational& value) { return value.convert_to<double>(); }

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
  return fmt::format("dynamic broadcast on {}, {}, {} packets, seed {}",
                     in_words(point.request.network.graph()), manner(point), point.request.packets,
                     point.request.seed);
}

std::string in_words(const Rational& rate) { return fmt::format("{:.6g}", as_double(rate)); }

Json to_json(const DelayStatistics& delay, const Slots& slots) {
  return {{"count", delay.count},
          {"ticks", delay.sum},
          {"mean", slots.mean(delay)},
          {"median", slots.of(delay.median)},
          {"p99", slots.of(delay.percentile_99)},
          {"largest", slots.of(delay.largest)}};
}

Json to_json(const LoadPoint& point) {
  const DynamicBroadcastResult& r = point.result;
  const Slots slots(point);
  const std::optional<Rational> bound = bound_in_slots(point);
  Json intervals = Json::array();
  for (const auto& [active, count] : r.by_active)
    intervals.push_back({{"packets", active}, {"intervals", count.intervals}, {"cycles", count.cycles}});
  return {{"rate", point.request.rate.str()},
          {"utilisation", point.limits.utilisation.str()},
          {"delay", to_json(r.delay, slots)},
          {"delivery_delay", to_json(r.delivery_delay, slots)},
          {"mean_delay_bound", bound ? Json(bound->str()) : Json()},
          {"mean_backlog", as_double(r.mean_backlog)},
          {"largest_backlog", r.largest_backlog},
          {"final_backlog", r.final_backlog},
          {"link_utilisation", measured_utilisation(point)},
          {"intervals", intervals},
          {"cycles", r.cycles},
          {"flits_sent", r.flits_sent},
          {"arrived", r.arrived},
          {"broadcast", r.broadcast},
          {"deliveries", r.deliveries},
          {"expected_deliveries", r.expected_deliveries},
          {"lost", r.lost},
          {"duplicated", r.duplicated},
          {"verdict", verdict(point)},
          {"problems", r.problems}};
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

}  // namespace

std::string rate_in_words(const LoadPoint& point) { return in_words(point.request.rate); }

std::string to_text(const DynamicBroadcastStudy& study) {
  const LoadPoint& point = study.points.front();
  const DynamicBroadcastResult& r = point.result;
  const DynamicBroadcastLimits& limits = point.limits;
  const Slots slots(point);
  TextReport text(heading(point));
  const auto delays = [&](const DelayStatistics& d) {
    return fmt::format(
        "mean {:.2f}, median {:.2f}, 99th percentile {:.2f}, largest {:.2f} slots (mean {:.1f} cycles)",
        slots.mean(d), slots.of(d.median), slots.of(d.percentile_99), slots.of(d.largest),
        slots.mean(d) * point.request.flits);
  };
  text.line("rate", "{} packets per node and slot of {} cycles: rho = {:.4f}, {:.4f} of what is stable",
            rate_in_words(point), point.request.flits, as_double(limits.utilisation),
            as_double(point.request.rate / limits.exactly));
  text.line("stable below", "{} = 1 / D(N); by Theorem 7 {}; no scheme above {}", in_words(limits.exactly),
            in_words(limits.stable), in_words(limits.any_scheme));
  text.line("delay", "{}, to the end of the interval", delays(r.delay));
  text.line("delivery", "{}, to the last node", delays(r.delivery_delay));
  const std::optional<Rational> bound = bound_in_slots(point);
  text.line("bound", "{}",
            bound ? fmt::format("mean delay at most {:.2f} slots ({})", as_double(*bound), bound_name(point))
                  : "none at this rate");
  text.line("backlog", "mean {:.2f} packets, largest {}, {} when the last one arrives",
            as_double(r.mean_backlog), r.largest_backlog, r.final_backlog);
  text.line("intervals",
            "{} with {:.2f} packets each, all as long as their number of packets says; {} cycles",
            r.intervals, mean_active(point), r.cycles);
  for (const std::uint64_t active : {r.by_active.begin()->first, r.by_active.rbegin()->first}) {
    text.line("", "of {} packets: {} intervals of {} cycles, at most X M + V = {:.1f}", active,
              r.by_active.at(active).intervals, r.by_active.at(active).cycles,
              as_double(limits.interval.at(active)));
    if (r.by_active.size() == 1) break;
  }
  text.line("links", "busy {:.4f} of the time", measured_utilisation(point));
  text.line("packets", "{} of {} broadcast; {} of {} deliveries, {} lost, {} duplicated", r.broadcast,
            r.arrived, r.deliveries, r.expected_deliveries, r.lost, r.duplicated);
  text.line("verdict", "{}", verdict(point));
  text.outcome(r);
  return text.text();
}

std::string sweep_heading(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  return fmt::format("{}\ndelays in slots of {} cycles; stable below a rate of {}, by Theorem 7 {}\n\n",
                     heading(first), first.request.flits, in_words(first.limits.exactly),
                     in_words(first.limits.stable));
}

Json to_json(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  Json json = network_json(first.request.network.graph());
  json.update({{"classes", first.result.settings.class_count},
               {"split", first.request.split},
               {"flits", first.request.flits},
               {"header_flits", first.request.header_flits},
               {"link_latency", first.request.link_latency},
               {"packets", first.request.packets},
               {"warm_up", first.request.warm_up},
               {"seed", first.request.seed},
               {"interval_cycles_per_packet", first.limits.interval.per_packet.str()},
               {"interval_cycles_constant", first.limits.interval.constant.str()},
               {"stable_rate", first.limits.exactly.str()},
               {"published_stable_rate", first.limits.stable.str()},
               {"largest_rate", first.limits.any_scheme.str()},
               {"loads", Json::array()}});
  for (const LoadPoint& point : study.points) json["loads"].push_back(to_json(point));
  return json;
}

Table table_of(const DynamicBroadcastStudy& study) {
  Table table{{"rate", "of limit", "rho", "mean", "median", "p99", "last node", "bound", "backlog", "at end",
               "intervals", "packets each", "busy links", "verdict"},
              {}};
  for (const LoadPoint& point : study.points) {
    const DynamicBroadcastResult& r = point.result;
    const Slots slots(point);
    const std::optional<Rational> bound = bound_in_slots(point);
    table.rows.push_back(
        {rate_in_words(point), fmt::format("{:.4f}", as_double(point.request.rate / point.limits.exactly)),
         fmt::format("{:.4f}", as_double(point.limits.utilisation)),
         fmt::format("{:.2f}", slots.mean(r.delay)), fmt::format("{:.2f}", slots.of(r.delay.median)),
         fmt::format("{:.2f}", slots.of(r.delay.percentile_99)),
         fmt::format("{:.2f}", slots.mean(r.delivery_delay)),
         bound ? fmt::format("{:.2f}", as_double(*bound)) : "none",
         fmt::format("{:.2f}", as_double(r.mean_backlog)), std::to_string(r.final_backlog),
         std::to_string(r.intervals), fmt::format("{:.2f}", mean_active(point)),
         fmt::format("{:.4f}", measured_utilisation(point)), verdict(point)});
  }
  return table;
}

LinePlot plot_of(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  LinePlot plot;
  plot.title = fmt::format("dynamic broadcast on {}, {}", one_line(first.request.network.graph().spelling()),
                           manner(first));
  plot.x_label = "rate, packets per node and slot";
  plot.y_label = fmt::format("delay, slots of {} cycles", first.request.flits);
  plot.logarithmic = true;
  PlotSeries means{"mean", {}}, tails{"99th percentile", {}};
  double most = 0;
  for (const LoadPoint& point : study.points) {
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

}  // namespace safnet
