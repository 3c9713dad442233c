#include "sim/report/dynamic_broadcast_report.hpp"

#include <algorithm>
#include <cmath>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using LoadPoint = DynamicBroadcastStudy::Point;

// Delays in slots.
struct Delays {
  double mean = 0, median = 0, p99 = 0, largest = 0;
};

Delays in_slots(const LoadPoint& point, const DelayStatistics& delays) {
  const auto slots = [&](std::uint64_t ticks) {
    return static_cast<double>(ticks) / std::ldexp(point.request.flits, kTickBits);
  };
  return {slots(delays.sum) / static_cast<double>(std::max<std::size_t>(delays.count, 1)),
          slots(delays.median), slots(delays.percentile_99), slots(delays.largest)};
}

double measured_utilisation(const LoadPoint& point) {
  return ratio(point.result.flits_sent, point.request.network.graph().link_count() * point.result.cycles);
}
double mean_active(const LoadPoint& point) {
  std::uint64_t sum = 0;
  for (const auto& [active, count] : point.result.by_active) sum += active * count.intervals;
  return ratio(sum, point.result.intervals);
}
bool is_stable(const LoadPoint& point) { return point.request.rate < point.limits.exactly; }

// The bound on the mean delay in slots: (6) on folded cubes where it applies, else (11).
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

Json delays_json(const LoadPoint& point, const DelayStatistics& delays) {
  Json json{{"count", delays.count}, {"ticks", delays.sum}};
  ADD_MEMBERS(json, in_slots(point, delays), mean, median, p99, largest);
  return json;
}

Json to_json(const LoadPoint& point) {
  const DynamicBroadcastResult& r = point.result;
  const std::optional<Rational> bound = bound_in_slots(point);
  Json json{{"rate", point.request.rate.str()},
            {"utilisation", point.limits.utilisation.str()},
            {"delay", delays_json(point, r.delay)},
            {"delivery_delay", delays_json(point, r.delivery_delay)},
            {"mean_delay_bound", bound ? Json(bound->str()) : Json()},
            {"mean_backlog", as_double(r.mean_backlog)}};
  ADD_MEMBERS(json, r, largest_backlog, final_backlog);
  json["link_utilisation"] = measured_utilisation(point);
  json["intervals"] = json_array(r.by_active, [](const auto& each) {
    return Json{
        {"packets", each.first}, {"intervals", each.second.intervals}, {"cycles", each.second.cycles}};
  });
  ADD_MEMBERS(json, r, cycles, last_delivery, flits_sent, arrived, broadcast, deliveries, expected_deliveries,
              lost, duplicated);
  json["verdict"] = verdict(point);
  ADD_MEMBERS(json, r, problems);
  return json;
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
double load_of(const LoadPoint& point) { return as_double(point.request.rate); }

std::string to_text(const DynamicBroadcastStudy& study) {
  const LoadPoint& point = study.points.front();
  const DynamicBroadcastResult& r = point.result;
  const DynamicBroadcastLimits& limits = point.limits;
  TextReport text(heading(point));
  const auto delays = [&](const DelayStatistics& of) {
    const Delays d = in_slots(point, of);
    return fmt::format(
        "mean {:.2f}, median {:.2f}, 99th percentile {:.2f}, largest {:.2f} slots (mean {:.1f} cycles)",
        d.mean, d.median, d.p99, d.largest, d.mean * point.request.flits);
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

std::string sweep_title(const DynamicBroadcastStudy& study) { return heading(study.points.front()); }

std::string sweep_heading(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  return fmt::format("{}\ndelays in slots of {} cycles; stable below a rate of {}, by Theorem 7 {}\n\n",
                     sweep_title(study), first.request.flits, in_words(first.limits.exactly),
                     in_words(first.limits.stable));
}

Json to_json(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  Json json = network_json(first.request.network.graph());
  json["classes"] = first.result.settings.class_count;
  ADD_MEMBERS(json, first.request, split, flits, header_flits, link_latency, packets, warm_up, seed);
  json.update({{"interval_cycles_per_packet", first.limits.interval.per_packet.str()},
               {"interval_cycles_constant", first.limits.interval.constant.str()},
               {"stable_rate", first.limits.exactly.str()},
               {"published_stable_rate", first.limits.stable.str()},
               {"largest_rate", first.limits.any_scheme.str()},
               {"loads", json_array(study.points, [](const LoadPoint& point) { return to_json(point); })}});
  return json;
}

Table table_of(const DynamicBroadcastStudy& study) {
  Table table{{"rate", "of limit", "rho", "mean", "median", "p99", "last node", "bound", "backlog", "at end",
               "intervals", "packets each", "busy links", "verdict"}};
  for (const LoadPoint& point : study.points) {
    const DynamicBroadcastResult& r = point.result;
    const Delays delay = in_slots(point, r.delay);
    const std::optional<Rational> bound = bound_in_slots(point);
    table.add(rate_in_words(point), fixed(as_double(point.request.rate / point.limits.exactly), 4),
              fixed(as_double(point.limits.utilisation), 4), fixed(delay.mean, 2), fixed(delay.median, 2),
              fixed(delay.p99, 2), fixed(in_slots(point, r.delivery_delay).mean, 2),
              bound ? fixed(as_double(*bound), 2) : "none", fixed(as_double(r.mean_backlog), 2),
              r.final_backlog, r.intervals, fixed(mean_active(point), 2),
              fixed(measured_utilisation(point), 4), verdict(point));
  }
  return table;
}

std::vector<std::string> measured_in_words(const DynamicBroadcastStudy& study) {
  const LoadPoint& first = study.points.front();
  const DynamicBroadcastRequest& request = first.request;
  return {
      fmt::format(
          "Each run is at one rate, until {} packets have come and been broadcast; {}. Every delivery "
          "was checked by its payload.",
          request.packets,
          request.warm_up == 0 ? "all of them are measured"
                               : fmt::format("the first {} are not measured", request.warm_up)),
      fmt::format(
          "Delay is the time from a packet's arrival at its node to the end of the interval in which it is "
          "broadcast, in slots of {} cycles; to the last node it ends with the last delivery.",
          request.flits),
      fmt::format(
          "Backlogs stay bounded below a rate of {} packets per node and slot, and only there; Theorem 7 "
          "promises it below {}, and no scheme can do better than {}. The bound is one on the mean "
          "delay; a run is a sample.",
          in_words(first.limits.exactly), in_words(first.limits.stable), in_words(first.limits.any_scheme))};
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
    const Delays delay = in_slots(point, point.result.delay);
    const double x = load_of(point);
    const bool open = !is_stable(point);
    if (open) plot.hollow_means = "not stable: grows with the packets";
    means.points.push_back({x, delay.mean, open});
    tails.points.push_back({x, delay.p99, open});
    most = std::max(most, delay.p99);
  }
  plot.y_most = 2 * most;
  plot.series = {means, tails, bound_curve(first, plot.y_most)};
  plot.limits = {{as_double(first.limits.stable), "stable by Theorem 7"},
                 {as_double(first.limits.exactly), "stable exactly, 1 / D(N)"},
                 {as_double(first.limits.any_scheme), "any scheme, (13)"}};
  return plot;
}

}  // namespace safnet
