// traffic_report - runs under a pattern of traffic, in words, as JSON, as a table and as curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/page/line_plot.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"
#include "sim/run/traffic.hpp"

namespace safnet {

/// A pattern or trace on a network, what is known before it is run, and the results, one per load.
struct TrafficStudy {
  struct Point {
    Rational rate = 0;
    TrafficResult result = {};
  };
  Graph graph;
  std::string name;  ///< of the traffic
  PacketRoutes routes;
  std::optional<TrafficPattern> pattern = {};
  std::vector<TracedPackets> trace = {};  ///< if there is no pattern
  std::uint64_t senders = 0;
  std::optional<TrafficLimit> limit = {};  ///< of a pattern
  TrafficRequest request = {};             ///< of all points, but for the rate
  std::vector<Point> points = {};
};

Json to_json(const TrafficStudy& study);
/// The first point in words.
std::string to_text(const TrafficStudy& study);
/// What a sweep ran, in a line.
std::string sweep_title(const TrafficStudy& study);
/// The lines above the table of all points.
std::string sweep_heading(const TrafficStudy& study);
Table table_of(const TrafficStudy& study);
/// What a sweep measured, and how, in sentences.
std::vector<std::string> measured_in_words(const TrafficStudy& study);
LinePlot plot_of(const TrafficStudy& study);
std::string rate_in_words(const TrafficStudy::Point& point);
/// Where the point is on the x axis of the plot.
double load_of(const TrafficStudy::Point& point);

}  // namespace safnet
