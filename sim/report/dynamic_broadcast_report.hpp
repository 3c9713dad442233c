// dynamic_broadcast_report - repeated broadcasts of packets that arrive at random, in words, as JSON, as a
// table and as curves.
#pragma once

#include <string>
#include <vector>

#include "sim/page/line_plot.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"
#include "sim/run/dynamic_broadcast.hpp"

namespace safnet {

/// Runs that differ in their rate alone.
struct DynamicBroadcastStudy {
  struct Point {
    DynamicBroadcastRequest request;
    DynamicBroadcastLimits limits;
    DynamicBroadcastResult result = {};
  };
  std::vector<Point> points;
};

Json to_json(const DynamicBroadcastStudy& study);
/// The first point in words.
std::string to_text(const DynamicBroadcastStudy& study);
/// What a sweep ran, in a line.
std::string sweep_title(const DynamicBroadcastStudy& study);
/// The lines above the table of all points.
std::string sweep_heading(const DynamicBroadcastStudy& study);
Table table_of(const DynamicBroadcastStudy& study);
/// What a sweep measured, and how, in sentences.
std::vector<std::string> measured_in_words(const DynamicBroadcastStudy& study);
LinePlot plot_of(const DynamicBroadcastStudy& study);
std::string rate_in_words(const DynamicBroadcastStudy::Point& point);
/// Where the point is on the x axis of the plot.
double load_of(const DynamicBroadcastStudy::Point& point);

}  // namespace safnet
