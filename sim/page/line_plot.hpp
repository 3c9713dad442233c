// line_plot - curves over a common axis, drawn as SVG.
#pragma once

#include <string>
#include <vector>

namespace safnet {

struct PlotPoint {
  double x = 0, y = 0;
  bool hollow = false;  ///< drawn as a ring rather than a dot, and the line to it dashed
};

/// A curve; its points are joined in their order.
struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  bool marked = true;  ///< a dot at each point
};

/// A vertical line at `x`, labelled in the legend.
struct PlotLimit {
  double x = 0;
  std::string label;
};

struct LinePlot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;  ///< points of a logarithmic plot have y > 0
  std::vector<PlotLimit> limits;
  bool logarithmic = false;  ///< the y axis
  std::string hollow_means;  ///< for the legend; empty: nothing is said
  double y_most = 0;         ///< curves are cut off above this y; 0: nowhere
};

/// What the axes of a plot show: from 0 to `x_most`, and from `low` to `high`.
struct PlotExtent {
  double x_most = 0, low = 0, high = 0;
};
PlotExtent extent_of(const LinePlot& plot);

/// The text of an SVG file; the same plot always gives the same text.
std::string to_svg(const LinePlot& plot);

/// About `count` round values that cover low ... high: steps of 1, 2 or 5 times a power of ten.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace safnet
